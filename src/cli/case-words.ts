/** Sales that are not at their end, as people read them: those that need somebody first. */
import { dateTime } from '../base/clock.ts';
import { printMoney } from '../base/money.ts';
import type { CaseState } from '../recovery/case-state.ts';
import type { OpenCase } from '../recovery/open-case.ts';
import { paragraph } from './paragraph.ts';
import { names } from './terms.ts';

const LEAD = 12;
const led = (word: string, text: string): string[] => paragraph(`  ${word.padEnd(LEAD - 2)}`, text);

/** What is asked of whom, in the order of how much it needs somebody. */
const states: Readonly<Record<CaseState, string>> = {
  differs: 'CONTRADICTED',
  person: 'FOR A PERSON',
  parked: 'SET ASIDE',
  overdue: 'OVERDUE',
  unfinished: 'UNFINISHED',
  waiting: 'WAITING',
  closed: 'CLOSED',
};
const order = Object.keys(states);

/** All of them in short, and how many need somebody. What was asked and answered is told of one alone. */
export const allLines = (open: readonly OpenCase[]): string[] => {
  const sorted = open.toSorted((left, right) => order.indexOf(left.state) - order.indexOf(right.state));
  const forPeople = open.filter(({ state }) => state !== 'waiting' && state !== 'unfinished').length;
  return [
    ...sorted.flatMap((one) => [...caseLines(one, 'short'), '']),
    ...paragraph(
      '',
      `${open.length} open: ${forPeople} for a person, ${open.length - forPeople} that go on by themselves. ` +
        'With its receipt a sale is asked about now, and all that was asked and answered is shown: ' +
        'npm run till -- resolve RECEIPT',
    ),
  ];
};

export const caseLines = (one: OpenCase, how: 'evidence' | 'short'): string[] => {
  const { sale, state, known, next, person } = one;
  const { receipt, operation, amount, at } = sale.intent;
  return [
    `Receipt ${String(receipt).padStart(6, '0')}  ${names[operation]}  ${printMoney(amount)}  ${dateTime(at)} UTC  ${states[state]}`,
    ...led('Known', known),
    ...(how === 'evidence' ? [...forcedLines(one), ...evidenceLines(one)] : []),
    ...led('Next', next),
    ...led('You can', person),
  ];
};

const forcedLines = ({ sale }: OpenCase): string[] => {
  const forced = sale.at === 'ended' ? sale.forced : undefined;
  if (forced === undefined) return [];
  return led('Forced', `by ${forced.who ?? 'a person'}${forced.role ? ` (${forced.role})` : ''}`);
};

/** What was heard again and again stands once. */
const evidenceLines = ({ evidence }: OpenCase): string[] => {
  const told: { at: number; words: string; times: number }[] = [];
  for (const { at, words } of evidence) {
    const last = told.at(-1);
    if (last?.words === words) last.times += 1;
    else told.push({ at, words, times: 1 });
  }
  return told.flatMap(({ at, words, times }, n) => {
    const lead = `  ${(n === 0 ? 'Evidence' : '').padEnd(LEAD - 2)}${dateTime(at)}  `;
    return paragraph(lead, times === 1 ? words : `${words} (${times} times)`);
  });
};
