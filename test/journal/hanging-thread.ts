/** A thread of the second copy whose share hangs: it waits in a call of the system for somebody who never comes. */
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { CopyTask } from '../../src/journal/copy-worker.ts';

// Opening a pipe with a name to read waits until somebody opens it to write.
openSync(join((workerData as CopyTask).path, '../pipe'), 'r');
