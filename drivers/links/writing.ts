/** Writing with a deadline of our own: a port whose other end is gone may never say that it took the bytes. */
import { type Clock, deadline } from '../../src/base/clock.ts';
import { Fault, wordsOf } from '../../src/base/fault.ts';
import type { Inbox } from './inbox.ts';

const writeMs = 5_000;

/**
 * Resolves when `give` reports the bytes as taken. Rejects with `link.lost`, and loses the link, when it reports an
 * error, throws, says nothing for five seconds, or the link is lost meanwhile.
 */
export const handOn = (
  link: { name: string; clock: Clock; box: Inbox; lost(why: string, cause?: unknown): void },
  give: (done: (error?: Error | null) => void) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const gone = link.box.gone();
    if (gone !== undefined) return reject(gone);
    const fail = (why: string, cause?: unknown) => {
      stop();
      link.lost(why, cause);
      reject(link.box.gone() ?? new Fault('link.lost', { port: link.name, why }, cause));
    };
    const late = deadline(link.clock, writeMs, () => fail(`it took no bytes for ${writeMs} ms`));
    // A port that was closed meanwhile never reports: nobody, and no process that wants to end, waits for it.
    const forget = link.box.whenGone((why) => {
      stop();
      reject(why);
    });
    const stop = () => {
      late();
      forget();
    };
    try {
      give((error) => {
        if (error) return fail(wordsOf(error), error);
        stop();
        resolve();
      });
    } catch (error) {
      fail(wordsOf(error), error);
    }
  });
