/** Questions to the person at the keyboard. A script is not asked. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { malformed } from './arguments.ts';
import { tell } from './terms.ts';

export type QuestionFlags = { yes?: true; json?: true };

export const canAsk = ({ yes, json }: QuestionFlags): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true && yes !== true && json !== true;

/**
 * Whether the person agrees: by `--yes`, or when asked; `know` is printed before the question. Without anyone to ask
 * the answer is no, and `toAdd` is printed.
 */
export const isWanted = async (
  flags: QuestionFlags,
  { question, toAdd, know }: { question: string; toAdd: string; know?: string },
): Promise<boolean> => {
  if (flags.yes === true) return true;
  if (!canAsk(flags)) {
    if (flags.json !== true) tell(toAdd);
    return false;
  }
  if (know !== undefined) tell(know);
  const isGood = (text: string): boolean => ['yes', 'no'].includes(text);
  return (await ask(`${question} (yes or no)`, { suggestion: 'no', isGood })) === 'yes';
};

/** Asks until the answer is valid; an empty one means the suggestion. Throws `command.malformed` if input ends. */
export const ask = async (
  question: string,
  { suggestion, isGood }: { suggestion: string; isGood: (text: string) => boolean },
): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(malformed('It was stopped at a question, and nothing was changed'));
    lines.once('SIGINT', stop);
    lines.once('close', stop);
  });
  try {
    for (;;) {
      const words = styleText('bold', question, { stream: process.stderr });
      const said = (await Promise.race([lines.question(`${words} [${suggestion}] `), stopped])).trim();
      const answer = said === '' ? suggestion : said;
      if (isGood(answer)) return answer;
    }
  } finally {
    // Closing rejects this promise, which nobody awaits any more.
    stopped.catch(() => {});
    lines.close();
  }
};
