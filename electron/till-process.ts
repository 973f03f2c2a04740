/**
 * The till as a separate process: started with its keys, restarted when it dies or hangs. A native driver that crashes
 * ends this process and never the window; the till recovers from its journal.
 */
import type { UtilityProcess } from 'electron';
import { type Clock, deadline } from '../src/base/clock.ts';
import type { FolderHolder } from '../src/folder/till-folder.ts';
import { type Deadlines, openDeaths, usualDeadlines } from './deadlines.ts';
import type { FromTill, QuietAnswer, ToTill } from './till.ts';
import { type RunEnd, startRun, type TillRun } from './till-run.ts';

export type TillProcess = {
  /** Asks the till; undefined if it is not there, does not answer in time, or died before it answered. */
  ask(question: 'quiet'): Promise<QuietAnswer | undefined>;
  tell(message: ToTill): void;
  /** Requested by a person after it was given up. */
  startAgain(): void;
  /** Ends it gracefully, by force if it hangs, and does not restart it. Always resolves. */
  stop(): Promise<void>;
};

export type TillNews =
  /** The till is starting, with its progress. */
  | { on: 'indexing'; says: string }
  | { on: 'listening' }
  /** Its owner asked it to end. */
  | { on: 'stopAsked' }
  /** It does not answer, or answers again. */
  | { on: 'silent'; isSilent: boolean }
  /** It was killed, and the system cannot end it: it waits for a disk or a device. */
  | { on: 'stuck' }
  /** `how`: its exit code, or why it was killed. */
  | { on: 'died'; how: string; tail: string }
  /** Another program uses its folder: it is ended, and restarted only by a person. */
  | { on: 'held'; by: FolderHolder }
  /** It died too often, and is not restarted automatically. */
  | { on: 'givenUp' };

export type TillProcessParts = {
  clock: Clock;
  fork(): UtilityProcess;
  /** The first message to the till: its key. Never on its command line. */
  begin(): ToTill;
  tell(news: TillNews): void;
  /** The usual ones by default. */
  deadlines?: Deadlines;
};

/** Starts it, and keeps it running until `stop`. */
export const keepTill = ({ clock, tell, deadlines = usualDeadlines, ...parts }: TillProcessParts): TillProcess => {
  const questions = openQuestions<QuietAnswer>(clock, deadlines.answerMs);
  const deaths = openDeaths(clock);
  let run: TillRun | undefined;
  let stopped: Promise<void> | undefined;
  let slowStarts = 0;

  const onMessage = (message: FromTill): void => {
    if (message.on === 'quiet') questions.settle(message.number, message.answer);
    else if (message.on !== 'pong' && message.on !== 'held') {
      if (message.on === 'listening') slowStarts = 0;
      tell(message);
    }
  };

  const start = (): void => {
    const startMs = deadlines.startMs * 2 ** slowStarts;
    const silent = (isSilent: boolean): void => tell({ on: 'silent', isSilent });
    const stuck = (): void => tell({ on: 'stuck' });
    run = startRun({ ...parts, clock, deadlines, startMs, onMessage, silent, stuck, onEnd: end });
  };

  const end = ({ how, tail, forced, heldBy }: RunEnd): void => {
    run = undefined;
    questions.giveUp();
    if (forced?.during === 'start') slowStarts += 1;
    if (stopped !== undefined) {
      if (forced !== undefined) tell({ on: 'died', how, tail });
      return;
    }
    if (heldBy !== undefined) return void tell({ on: 'held', by: heldBy });
    const wait = deaths.add(forced?.lostMs ?? 0);
    if (wait !== undefined) startAfter(wait);
    tell({ on: 'died', how, tail });
    if (wait === undefined) tell({ on: 'givenUp' });
  };

  const startAfter = (ms: number): void => {
    clock.after(ms, () => {
      if (stopped === undefined && run === undefined) start();
    });
  };

  start();
  return {
    async ask(question) {
      const request = run;
      return request && questions.ask((number) => request.send({ on: 'ask', question, number }));
    },
    tell: (message) => run?.send(message),
    startAgain() {
      deaths.forget();
      if (run === undefined && stopped === undefined) start();
    },
    stop() {
      stopped ??= run?.stop() ?? Promise.resolve();
      return stopped;
    },
  };
};

/** Requests to the till, each with its own number: a late answer is never taken for the answer to a later request. */
export type Questions<Answer> = {
  /** Sends a request with its number. Undefined if no answer comes in time, or none can come any more. */
  ask(send: (number: number) => void): Promise<Answer | undefined>;
  settle(number: number, answer: Answer): void;
  /** Nobody can answer any more. */
  giveUp(): void;
};

const openQuestions = <Answer>(clock: Clock, withinMs: number): Questions<Answer> => {
  const open = new Map<number, (answer?: Answer) => void>();
  let last = 0;
  return {
    ask(send) {
      last += 1;
      const number = last;
      return new Promise((resolve) => {
        const end = (answer?: Answer): void => {
          stop();
          open.delete(number);
          resolve(answer);
        };
        const stop = deadline(clock, withinMs, () => end());
        open.set(number, end);
        send(number);
      });
    },
    settle: (number, answer) => open.get(number)?.(answer),
    giveUp() {
      for (const end of [...open.values()]) end();
    },
  };
};
