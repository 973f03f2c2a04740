/** The log: one line of JSON for each answered request and each internal error, without any parameter. */
import { once } from 'node:events';
import pino from 'pino';
import type { Clock } from '../../../base/clock.ts';
import { errorText, Fault, isFault } from '../../../base/fault.ts';
import { printable } from '../../../base/mask.ts';
import type { Observer, RequestFacts } from './observer.ts';

export type Log = {
  observer: Observer;
  logFault(error: unknown): void;
  logWarning(text: string): void;
  /** Opens the file anew by its name: the old one was moved away. */
  reopen(): void;
  /** Resolves when all lines are written. */
  close(): Promise<void>;
};

export type LogOptions = {
  /** A file path, or the standard output. */
  to: { file: string } | 'stdout';
  clock: Pick<Clock, 'now'>;
  /** Called once with the reason why lines get lost. */
  onLost: (reason: string) => void;
};

/** Bytes that may wait for a slow disk. Beyond this, lines are lost and payments continue. */
const WAITING_MAX = 8 * 1024 * 1024;
const STDOUT = 1;

/** Throws `log.unwritable` if the file cannot be opened. Lines are written in the background. */
export const openLog = async ({ to, clock, onLost }: LogOptions): Promise<Log> => {
  const destination = pino.destination({
    dest: to === 'stdout' ? STDOUT : to.file,
    sync: false,
    maxLength: WAITING_MAX,
    mode: 0o600,
  });
  try {
    await once(destination, 'ready');
  } catch (error) {
    // Otherwise the exiting process would flush lines to a file that was never opened.
    Object.assign(destination, { destroyed: true });
    throw new Fault('log.unwritable', { path: to === 'stdout' ? to : to.file, why: errorText(error) }, error);
  }
  let isReported = false;
  const tellOnce = (reason: string): void => {
    if (!isReported) onLost(reason);
    isReported = true;
  };
  destination.on('error', (error) => tellOnce(errorText(error)));
  destination.on('drop', () => tellOnce('the disk is too slow'));
  const logger = pino(
    {
      base: null,
      formatters: { level: (level) => ({ level }) },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
    },
    destination,
  );
  return {
    observer: { onAnswer: (facts) => logger.info(listed(facts), 'answered') },
    logFault: (error) =>
      logger.error({ fault: isFault(error) ? error.code : undefined }, printable(errorText(error), 500)),
    logWarning: (text) => logger.warn(printable(text, 500)),
    reopen: () => (to === 'stdout' ? undefined : destination.reopen()),
    close: async () => {
      const closed = once(destination, 'close');
      destination.end();
      await closed;
    },
  };
};

/** Field by field, so that other properties of the object are left out. */
const listed = (facts: RequestFacts): Partial<RequestFacts> => ({
  requestId: facts.requestId,
  method: facts.method,
  endpoint: facts.endpoint,
  status: facts.status,
  resultCode: facts.resultCode,
  entityId: facts.entityId,
  paymentId: facts.paymentId,
  paymentType: facts.paymentType,
  durationMs: Math.round(facts.durationMs * 10) / 10,
  bytes: facts.bytes,
});
