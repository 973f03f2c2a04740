/**
 * The command line as a file to start. By day the build that `npm start` runs, made from the sources into few files: it
 * starts with half the work, and tests start hundreds. By night, and when the build is out of date, the sources.
 */
import { join } from 'node:path';
import { isGatewayFresh } from '../../../build/gateway.ts';
import { isNight } from '../night/night.ts';

const root = join(import.meta.dirname, '../../..');

/** What `npm run till` and `npm run demo` run. */
export const sourceProgram = join(root, 'src/cli/main.ts');

/** What `npm start` and `npm run gateway` run, rebuilt before each when a source has changed. */
export const madeProgram = join(root, 'dist/gateway/main.js');

export const program = !isNight && isGatewayFresh() ? madeProgram : sourceProgram;

/**
 * Node's options for commands that tests start by the hundred: room for the garbage of a start. Collecting it in the
 * small heap of a new process takes a tenth more work.
 */
export const roomy = ['--min-semi-space-size=64', '--max-semi-space-size=64'] as const;
