/**
 * Runs before each test file: its properties use the run's seed, and so do the product's own random ids, keys and
 * nonces. Four digits that a test wants to see nowhere appear in a random id now and then; with a seed they do so in
 * every run or in none. A process that a test starts draws real random values.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import { configureGlobal } from 'fast-check';
import { expect } from 'vitest';
import { withSlashes } from '../platform/platform.ts';
import { randomFor, SEED } from './dice.ts';

configureGlobal({ seed: SEED });

const crypto = createRequire(import.meta.url)('node:crypto') as { randomBytes: unknown };
crypto.randomBytes = randomFor(SEED, withSlashes(relative('.', expect.getState().testPath ?? '')));
syncBuiltinESMExports();
