/**
 * The command line as a file to start. By day the one that `npm start` runs, made of the sources into few files:
 * it starts in half the work, and tests start hundreds. By night, and where the made one is stale, the sources.
 */
import { join } from 'node:path';
import { isGatewayFresh } from '../../../build/gateway.ts';
import { isNight } from '../night/night.ts';

const root = join(import.meta.dirname, '../../..');

/** What `npm run till` and `npm run demo` run. */
export const sourceProgram = join(root, 'src/cli/main.ts');

/** What `npm start` and `npm run gateway` run, made anew before each where a source has changed. */
export const madeProgram = join(root, 'dist/gateway/main.js');

export const program = !isNight && isGatewayFresh() ? madeProgram : sourceProgram;

/**
 * Node's options for commands that tests start by the hundred: room for what a start makes and throws away. Collected
 * in the little room of a fresh process it takes a tenth more work.
 */
export const roomy = ['--min-semi-space-size=64', '--max-semi-space-size=64'] as const;
