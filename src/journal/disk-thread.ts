/** Threads that look at disks which may hang: a share that is gone holds whoever asks it for minutes. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Clock, within } from '../base/clock.ts';

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
