/** `till queue` as people read it: a line for each message, and below it why it waits and what to do. */
import { printMoney } from '../base/money.ts';
import { type QueueRow, queueTotals } from '../recovery/queue-view.ts';
import { paragraph, sentence } from './paragraph.ts';
import { names } from './terms.ts';
import { count } from './till-options.ts';

/** At most 78 columns wide but for the words below a line, which are broken at the terminal's edge. */
export const queueLines = (rows: readonly QueueRow[], now: number): string[] => {
  const open = rows.filter(({ state }) => state !== 'task');
  const oldest = Math.min(...open.map(({ since }) => since));
  const totals = queueTotals(rows).map(printMoney).join(', ');
  return [
    line(['STATE', 'WHAT', 'RECEIPT', 'OPERATION', 'AMOUNT', 'AGE', 'TRIES', 'NEXT']),
    ...rows.flatMap((row) => rowLines(row, now)),
    ...(open.length > 0
      ? [`${count(open.length, 'message')}, ${totals}; the oldest is ${age(now - oldest)} old.`]
      : []),
  ];
};

const kinds: Readonly<Record<string, string>> = {
  reversal: 'give back',
  repeat: 'ask again',
  forward: 'send',
  follow: 'send',
  inquiry: 'ask',
  loss: 'loss',
};

const rowLines = (row: QueueRow, now: number): string[] => {
  const { state, kind, receipt, operation, amount, since, tries, nextAt, why, toDo } = row;
  const words = [why, toDo === 'Nothing' ? '' : toDo].filter((text) => text !== '').map(sentence);
  return [
    line([
      state,
      kinds[kind] ?? kind,
      String(receipt).padStart(6, '0'),
      names[operation],
      printMoney(amount),
      age(now - since),
      tries === 0 ? '' : String(tries),
      nextAt === undefined ? '' : nextAt <= now ? 'now' : `in ${age(nextAt - now)}`,
    ]),
    ...(words.length === 0 ? [] : paragraph('         ', words.join(' '))),
  ];
};

const widths = [8, 9, 7, 17, 14, 6, 5, 8] as const;
const isNumber = [false, false, true, false, true, true, true, false] as const;

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
    .join(' ')
    .trimEnd();

/** 40 s, 12 min, 5 h, 3 d. */
const age = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
};
