/**
 * Before each file of tests: its properties go by the run's seed, and so does what the product itself draws by chance,
 * ids, keys and nonces. Four digits that a test wants to see nowhere stand in a random id now and then; with a seed
 * they do so in every run or in none. A process that a test starts draws as it does in a shop.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import { configureGlobal } from 'fast-check';
import { expect } from 'vitest';
import { withSlashes } from '../platform/platform.ts';
import { drawnFor, SEED } from './dice.ts';

configureGlobal({ seed: SEED });

const crypto = createRequire(import.meta.url)('node:crypto') as { randomBytes: unknown };
crypto.randomBytes = drawnFor(SEED, withSlashes(relative('.', expect.getState().testPath ?? '')));
syncBuiltinESMExports();
