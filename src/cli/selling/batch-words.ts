/** What the batch commands say: states, and a settlement's findings. */
import { dateTime } from '../../base/clock.ts';
import { printMoney } from '../../base/money.ts';
import type { Batch, Finding, OpenMoney, Reconciliation, SaleOff } from '../../books/book-types.ts';
import { explanations, isOff } from '../../books/book-types.ts';
import type { Hold } from '../../ledger/bills.ts';
import type { QueueRow } from '../../recovery/queue-view.ts';
import { paragraph, sentence } from '../terms.ts';
import { count } from '../till-options.ts';

export const batchLine = ({ batch, state, day, terminalId, z }: Batch): string =>
  [
    `batch ${String(batch).padStart(4)}`,
    state.padEnd(7),
    day.date,
    `terminal ${terminalId}`,
    ...(z === undefined
      ? []
      : [`Z ${z.number}`, ...z.report.currencies.map(({ net, currency }) => `${net} ${currency}`)]),
    ...(z?.override === undefined ? [] : [`overridden by ${z.override.by}`]),
  ].join('  ');

/** Each with what to do; where the queue knows more of it than the books do, its words count. */
export const openLines = (open: readonly OpenMoney[], queue: readonly QueueRow[] = []): string[] =>
  open.flatMap(({ sale, receipt, amount, place, why, next }) => {
    const row = queue.find((one) => one.sale === sale && ['overdue', 'parked', 'person'].includes(one.state));
    const isWaiting = place === 'notSent' || row?.state === 'parked';
    const words = row === undefined || row.why === why ? why : isWaiting ? `${why}: ${row.why}` : row.why;
    return [
      `receipt ${number(receipt)}  ${amount.padStart(14)}  ${place === 'notSent' ? 'NOT SENT' : 'UNKNOWN'}`,
      ...paragraph('    ', `${sentence(words)} ${sentence(row?.toDo ?? next)}`),
    ];
  });

/** Money that an older program gave back beyond what a sale had: nothing is hidden, and nothing is held up by it. */
export const offLines = (off: readonly SaleOff[]): string[] =>
  off.flatMap(({ receipt, minor, currency }) => [
    `receipt ${number(receipt)}  ${printMoney({ minor, currency })} more was given back than it had`,
    '                Compare its refunds with the gateway, and claim back what was refunded twice.',
  ]);

/** What is reserved on cards and was not charged: it hinders no close. */
export const heldLines = (holds: readonly Hold[], now: number): string[] =>
  holds.map(({ sale: { intent }, left, until, state }) => {
    const day = dateTime(until).slice(0, 10);
    const ends = until < now ? `fell away on ${day}` : `falls away by itself on ${day}`;
    const what = `receipt ${number(intent.receipt)}  ${printMoney(left).padStart(14)}  HELD`;
    return `${what}, ${state === 'unknown' ? 'and a result is missing; it ' : ''}${ends}`;
  });

export const summaryLines = (of: Reconciliation): string[] => {
  const { records, statuses, agreeing, refusedCount, payout, atTerminals } = of;
  const { MATCHED, MULTIPLE_MATCHES, NOT_MATCHED } = statuses;
  return [
    `${count(records, 'record')}: ${MATCHED} matched, ${MULTIPLE_MATCHES} fit several sales, ${NOT_MATCHED} not matched`,
    ...(refusedCount === 0 ? [] : [`${count(refusedCount, 'line')} refused`]),
    ...[...payout].map(([currency, minor]) => `Paid out: ${printMoney({ minor, currency })}`),
    ...atTerminals.map(terminalLine),
    `${count(agreeing, 'sale')} ${agreeing === 1 ? 'agrees' : 'agree'} to the cent; ${need(of.findings.filter(isOff).length)}`,
  ];
};

const terminalLine = ({ terminalId, minor, currency, count: sales }: Reconciliation['atTerminals'][number]): string =>
  `Terminal ${terminalId}: ${count(sales, 'sale')} of its own acquirer, ${printMoney({ minor, currency })}; not compared here`;

/** Those that need somebody first. */
export const findingLines = ({ findings }: Reconciliation): string[] =>
  [...findings.filter(isOff), ...findings.filter((finding) => !isOff(finding))].flatMap(oneFinding);

const oneFinding = (finding: Finding): string[] => {
  const { receipt, sale, payment, lines, currency, till, gateway, settled, reasons } = finding;
  const who = receipt === undefined ? unknownSaleWords(sale ?? payment) : `receipt ${number(receipt)}`;
  const where = lines.length === 0 ? '' : `  (line ${lines.join(', ')})`;
  const sums = [
    `till ${printMoney({ minor: till, currency })}`,
    ...(gateway === undefined ? [] : [`gateway ${printMoney({ minor: gateway, currency })}`]),
    `settled ${printMoney({ minor: settled, currency })}`,
  ];
  return [
    `${isOff(finding) ? '!' : ' '} ${who}  ${sums.join(', ')}${where}`,
    ...reasons.flatMap(({ name, minor, currency: of }) =>
      paragraph(
        `    ${printMoney({ minor, currency: of }).padStart(14)}  `,
        `${sentence(explanations[name].says)} ${explanations[name].next}`,
      ),
    ),
  ];
};

const need = (n: number): string =>
  n === 0 ? 'nothing needs anybody.' : `${n} ${n === 1 ? 'needs' : 'need'} somebody.`;

/** What the file calls it, short: the line is named beside it. */
const unknownSaleWords = (id: string | undefined): string =>
  id === undefined ? 'of no sale' : `unknown ${id.length > 12 ? `${id.slice(0, 12)}…` : id}`;

export const refusedLines = ({ refused, refusedCount }: Reconciliation): string[] => [
  ...refused.slice(0, LISTED_MAX).map(({ line, why, says }) => `line ${line} refused: ${says} (${why})`),
  ...(refusedCount > LISTED_MAX ? [`… and ${refusedCount - LISTED_MAX} more; --json names up to 1000.`] : []),
];

const LISTED_MAX = 20;

const number = (receipt: number): string => String(receipt).padStart(6, '0');
