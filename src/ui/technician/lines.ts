/** Long work of the till: its steps as they come, and its result or what it was refused with. */
import type { Problem } from '../../api/ports/problem.ts';
import { Refused } from '../api.ts';

type Line<Step, Result> = { step?: Step; result?: Result; problem?: Problem };

const cutOff: Problem = {
  code: 'till.away',
  says: 'The till stopped telling how it goes on',
  money: 'Nothing was charged.',
  next: 'Try again.',
  remedy: 'retry',
};

/** Reads an answer of one JSON object a line. Throws `Refused`. */
export const readLines = async <Step, Result>(answer: Response, hear: (step: Step) => void): Promise<Result> => {
  if (!answer.ok || answer.body === null) {
    const { problem } = (await answer.json().catch(() => ({}))) as { problem?: Problem };
    throw new Refused(problem ?? cutOff, answer.status);
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done) throw new Refused(cutOff, 0);
    const [last = '', ...before] = `${rest}${value ?? ''}`.split('\n').reverse();
    rest = last;
    for (const text of before.reverse()) {
      const { step, result, problem } = JSON.parse(text) as Line<Step, Result>;
      if (problem !== undefined) throw new Refused(problem, answer.status);
      if (step !== undefined) hear(step);
      if (result !== undefined) return result;
    }
  }
};
