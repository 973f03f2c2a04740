/**
 * The till as a process of its own: started with its keys, started again when it dies. A native driver that crashes
 * takes this process and never the window; the till recovers from its journal.
 */
import type { UtilityProcess } from 'electron';
import type { Clock } from '../src/base/clock.ts';
import type { FromTill, ToTill } from './messages.ts';
import { waitBefore } from './restart-policy.ts';

export type TillProcess = {
  /** Asks the till; undefined when it is not there, or died before it answered. */
  ask(question: 'quiet'): Promise<{ quiet: boolean; why?: string } | undefined>;
  tell(message: ToTill): void;
  /** By a person's wish, after it was given up. */
  startAgain(): void;
  /** Ends it in peace, and does not start it again. Resolves when it is gone. */
  stop(): Promise<void>;
};

export type TillProcessParts = {
  clock: Clock;
  fork(): UtilityProcess;
  /** What the till needs before anything else: its key. Never on its command line. */
  begin(): ToTill;
  /** It listens now; it has died; it died too often. */
  tell(news: { on: 'listening' } | { on: 'died'; code: number; tail: string } | { on: 'givenUp' }): void;
};

const TAIL_CHARACTERS = 4_000;
/** A customer may have the card in the slot: as long as a sale may take. */
const STOP_WITHIN_MS = 120_000;

/** What one child says: the end of its output, whether it listens, and answers. */
const hear = (child: UtilityProcess, told: (message: FromTill) => void): (() => string) => {
  let tail = '';
  const keep = (bytes: Buffer): void => {
    tail = `${tail}${bytes.toString()}`.slice(-TAIL_CHARACTERS);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.on('message', told);
  return () => tail;
};

/** A sale under way is asked to end first: only a till that cannot is ended by force. */
const endOf = (child: UtilityProcess, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const force = clock.after(STOP_WITHIN_MS, () => child.kill());
    child.once('exit', () => {
      force();
      resolve();
    });
    child.postMessage({ on: 'stop' } satisfies ToTill);
  });

/** Starts it, and keeps it running until `stop`. */
export const keepTill = ({ clock, fork, begin, tell }: TillProcessParts): TillProcess => {
  let child: UtilityProcess | undefined;
  let isStopping = false;
  let deaths: number[] = [];
  const waiters: ((answer: { quiet: boolean; why?: string } | undefined) => void)[] = [];

  const answered = (answer?: { quiet: boolean; why?: string }): void => {
    for (const waiter of waiters.splice(0)) waiter(answer);
  };

  const start = (): void => {
    const started = fork();
    child = started;
    const tail = hear(started, (message) => {
      if (message.on === 'listening') tell({ on: 'listening' });
      else answered(message.answer);
    });
    started.once('spawn', () => started.postMessage(begin()));
    started.once('exit', (code) => {
      if (child === started) child = undefined;
      answered();
      if (!isStopping) died(code, tail());
    });
  };

  const died = (code: number, tail: string): void => {
    deaths = [...deaths, clock.monotonic()];
    tell({ on: 'died', code, tail });
    const wait = waitBefore(deaths);
    if (wait === undefined) tell({ on: 'givenUp' });
    else
      clock.after(wait, () => {
        if (!isStopping && child === undefined) start();
      });
  };

  start();
  return {
    ask(question) {
      const asked = child;
      if (asked === undefined) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        waiters.push(resolve);
        asked.postMessage({ on: 'ask', question } satisfies ToTill);
      });
    },
    tell: (message) => child?.postMessage(message),
    startAgain() {
      deaths = [];
      if (child === undefined && !isStopping) start();
    },
    stop() {
      isStopping = true;
      return child === undefined ? Promise.resolve() : endOf(child, clock);
    },
  };
};
