/** The disk of a second copy: where its folder is, and threads that query it, because the disk can hang. */
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, within } from '../base/clock.ts';
import { makeFolder, missingFolders } from '../base/files.ts';

/**
 * One thread's answer to one question, which it receives as `workerData`; undefined if it fails or does not answer
 * within `ms`. The thread is ended afterwards.
 */
export const askThread = async <Answer>(
  thread: URL,
  question: unknown,
  { clock, ms }: { clock: Clock; ms: number },
): Promise<Answer | undefined> => {
  const worker = new Worker(thread, { workerData: question });
  try {
    const [answer] = await within(clock, ms, once(worker, 'message'), timeoutError);
    return answer as Answer;
  } catch {
    return undefined;
  } finally {
    await within(clock, END_WITHIN_MS, endThread(worker), timeoutError).catch(() => {});
  }
};

const END_WITHIN_MS = 1_000;
const timeoutError = (): Error => new Error('no answer in time');

/** Ends the thread without waiting; the process may exit first. Resolves when the thread has ended. */
export const endThread = (worker: Worker): Promise<unknown> => {
  const termination = worker.terminate();
  // A thread that was told to end would otherwise keep the process alive until it does.
  worker.unref();
  process.once('exit', endWithoutThread);
  return termination.finally(() => process.off('exit', endWithoutThread));
};

/**
 * A process waits at its exit for its threads, and so for ever for one that hangs in a system call. By then everything
 * the till holds is closed and on the disk, so the process kills itself: like a power cut, this harms nothing.
 */
const endWithoutThread = (): void => void process.kill(process.pid, 'SIGKILL');

const LIVE = 'live';

/** The folder for the copy of a live till that began beside a test till: each folder holds one till's copy. */
export const liveCopyIn = (folder: string): string => join(folder, LIVE);

/**
 * Creates the last folder, and for a live till's copy also its parent. If more folders are missing, the disk is
 * missing: on Linux a new folder would be on the till's own disk and look like a second copy. Throws that error, and
 * `folder.unusable`.
 */
export const makeCopyFolder = (path: string): void => {
  const missing = missingFolders(path);
  const mayMakeCount = basename(path) === LIVE ? 2 : 1;
  if (missing.length > mayMakeCount)
    throw new Error(`there is no folder ${dirname(missing.at(-mayMakeCount) ?? path)}`);
  makeFolder(path);
};
