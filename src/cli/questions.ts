/** Questions that commands ask of whoever is at the keyboard. A script is asked nothing. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { Fault } from '../base/fault.ts';
import { tell } from './terms.ts';

export type QuestionFlags = { yes?: true; json?: true };

/** Whether there is a person to ask. */
export const canAsk = ({ yes, json }: QuestionFlags): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true && yes !== true && json !== true;

/**
 * Whether it is wanted: said beforehand by `--yes`, or asked, with what to know told first. Where there is nobody to
 * ask it is not, and what to add to the command is told.
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

/** Asks until the answer is good; an empty one is the suggestion. Throws `command.malformed` when nobody answers. */
export const ask = async (
  question: string,
  { suggestion, isGood }: { suggestion: string; isGood: (text: string) => boolean },
): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const stopped = new Promise<never>((_, reject) => {
    const stop = () =>
      reject(new Fault('command.malformed', { why: 'It was stopped at a question: nothing was changed' }));
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
    // What the close rejects is heard by nobody any more.
    stopped.catch(() => {});
    lines.close();
  }
};
