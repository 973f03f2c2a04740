/** Asking a printer over a link: one question at a time, each with its own deadline. */
import { type Clock, deadline } from '../../src/base/clock.ts';
import type { Fault } from '../../src/base/fault.ts';
import type { Link } from '../links/link.ts';
import { confirmation, healthOf, isAnswer, isConfirmation, type PrinterHealth, question, questions } from './status.ts';

const answerMs = 1_000;

export type Conversation = {
  /** Asks how it is. Silence is `unknown`. Rejects with `link.lost`. */
  health(): Promise<PrinterHealth>;
  /** Asks to be told when all was printed. From then on `printed` may become true. */
  askPrinted(): Promise<void>;
  printed(): boolean;
  /** Whether it ever gave an answer that makes sense. */
  answers(): boolean;
};

type Ears = {
  /** The next answer. Undefined after the deadline; rejects when the link is lost. */
  answer(): Promise<number | undefined>;
  gone(): Fault | undefined;
  listenForPrinted(): void;
  printed(): boolean;
  answers(): boolean;
};

const earsOn = (link: Link, clock: Clock): Ears => {
  let waiting: { hear(byte: number): void; lose(why: Fault): void } | undefined;
  let asked = false;
  let printed = false;
  let answered = false;
  let gone: Fault | undefined;
  link.listen({
    bytes(bytes) {
      for (const byte of bytes) {
        answered ||= isAnswer(byte) && waiting !== undefined;
        if (isAnswer(byte)) waiting?.hear(byte);
        else printed ||= asked && isConfirmation(byte);
      }
    },
    closed(why) {
      gone = why;
      waiting?.lose(why);
    },
  });
  return {
    answer: () =>
      new Promise((resolve, reject) => {
        const stop = deadline(clock, answerMs, () => end(() => resolve(undefined)));
        const end = (tell: () => void) => {
          waiting = undefined;
          stop();
          tell();
        };
        waiting = { hear: (byte) => end(() => resolve(byte)), lose: (why) => end(() => reject(why)) };
      }),
    gone: () => gone,
    listenForPrinted() {
      asked = true;
    },
    printed: () => printed,
    answers: () => answered,
  };
};

/** Takes the link over: nobody else may listen to it. */
export const converse = (link: Link, clock: Clock): Conversation => {
  const ears = earsOn(link, clock);
  const ask = async (bytes: Uint8Array): Promise<number | undefined> => {
    const gone = ears.gone();
    if (gone !== undefined) throw gone;
    const heard = ears.answer();
    // A lost link rejects the write too: one of the two is told on.
    heard.catch(() => {});
    await link.write(bytes);
    return heard;
  };
  return {
    async health() {
      const answers: (number | undefined)[] = [];
      for (const number of questions) {
        const answer = await ask(question(number));
        // One that is silent once is silent always: the others are not waited for.
        if (answer === undefined && number === 1) return healthOf([]);
        answers.push(answer);
      }
      return healthOf(answers);
    },
    async askPrinted() {
      ears.listenForPrinted();
      await link.write(confirmation);
    },
    printed: ears.printed,
    answers: ears.answers,
  };
};
