/** A thread of the second copy whose share hangs: it waits in a system call that never returns. */
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { CopyTask } from '../../src/journal/copy-worker.ts';

// Opening a named pipe for reading waits until another process opens it for writing.
openSync(join((workerData as CopyTask).path, '../pipe'), 'r');
