/** The disk of a second copy: where its folder lies, and threads that ask it, for it may hang. */
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, within } from '../base/clock.ts';
import { makeFolder, missingFolders } from '../base/files.ts';

/**
 * What one thread answers to one question, which it finds as its `workerData`; undefined where it fails, or has not
 * answered within `ms`. The thread is ended afterwards.
 */
export const askThread = async <Answer>(
  thread: URL,
  question: unknown,
  { clock, ms }: { clock: Clock; ms: number },
): Promise<Answer | undefined> => {
  const worker = new Worker(thread, { workerData: question });
  try {
    const [answer] = await within(clock, ms, once(worker, 'message'), late);
    return answer as Answer;
  } catch {
    return undefined;
  } finally {
    await within(clock, END_WITHIN_MS, endThread(worker), late).catch(() => {});
  }
};

const END_WITHIN_MS = 1_000;
const late = (): Error => new Error('no answer in time');

/** Ends it without waiting. The process may end before it does. Resolves when it has ended. */
export const endThread = (worker: Worker): Promise<unknown> => {
  const gone = worker.terminate();
  // Told to end, it would keep the process alive until it has.
  worker.unref();
  process.once('exit', endWithoutThread);
  return gone.finally(() => process.off('exit', endWithoutThread));
};

/**
 * A process waits at its end for its threads, and so for ever for one that hangs in a call of the system. All that the
 * till holds is closed and on the disk by then: it ends as by a power cut, which harms nothing.
 */
const endWithoutThread = (): void => void process.kill(process.pid, 'SIGKILL');

const LIVE = 'live';

/** Of a live till that began beside a test till: one folder holds the copy of one till. */
export const liveCopyIn = (folder: string): string => join(folder, LIVE);

/**
 * Makes the last folder, and of a live till's copy the one that it lies in too. Where more is missing the disk is: on
 * Linux what is made there instead would lie on the till's own disk, and look like a second copy. Throws that, and
 * `folder.unusable`.
 */
export const makeCopyFolder = (path: string): void => {
  const missing = missingFolders(path);
  const mayMake = basename(path) === LIVE ? 2 : 1;
  if (missing.length > mayMake) throw new Error(`there is no folder ${dirname(missing.at(-mayMake) ?? path)}`);
  makeFolder(path);
};
