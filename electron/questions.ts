/** Questions to the till, each with a number of its own: a late answer is never taken for that to a later question. */
import { type Clock, deadline } from '../src/base/clock.ts';

export type Questions<Answer> = {
  /** Sends a question with its number. Undefined when no answer comes in time, or none can come any more. */
  ask(send: (number: number) => void): Promise<Answer | undefined>;
  answered(number: number, answer: Answer): void;
  /** Nobody is there any more who could answer. */
  giveUp(): void;
};

export const openQuestions = <Answer>(clock: Clock, withinMs: number): Questions<Answer> => {
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
    answered: (number, answer) => open.get(number)?.(answer),
    giveUp() {
      for (const end of [...open.values()]) end();
    },
  };
};
