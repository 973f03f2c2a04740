/** What the batch commands say: states, and a settlement's findings. */
import { printMoney } from '../base/money.ts';
import type { Batch, Finding, OpenMoney, Reconciliation } from '../runtime/books-shown.ts';
import { explanations, isOff } from '../runtime/books-shown.ts';

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

export const openLines = (open: readonly OpenMoney[]): string[] =>
  open.flatMap(({ receipt, amount, place, why, next }) => [
    `receipt ${number(receipt)}  ${amount.padStart(14)}  ${place === 'notSent' ? 'NOT SENT' : 'UNKNOWN'}  ${why}`,
    `                ${next}`,
  ]);

export const summaryLines = (of: Reconciliation): string[] => {
  const { records, statuses, agreeing, refusedCount, payout } = of;
  const { MATCHED, MULTIPLE_MATCHES, NOT_MATCHED } = statuses;
  return [
    `${records} records: ${MATCHED} matched, ${MULTIPLE_MATCHES} fit several sales, ${NOT_MATCHED} not matched`,
    ...(refusedCount === 0 ? [] : [`${refusedCount} lines refused`]),
    ...[...payout].map(([currency, minor]) => `Paid out: ${printMoney({ minor, currency })}`),
    `${agreeing} sales agree to the cent; ${of.findings.filter(isOff).length} need somebody.`,
  ];
};

/** Those that need somebody first. */
export const findingLines = ({ findings }: Reconciliation): string[] =>
  [...findings.filter(isOff), ...findings.filter((finding) => !isOff(finding))].flatMap(oneFinding);

const oneFinding = (finding: Finding): string[] => {
  const { receipt, sale, payment, lines, currency, till, gateway, settled, reasons } = finding;
  const who = receipt === undefined ? (sale ?? payment ?? 'no id') : `receipt ${number(receipt)}`;
  const where = lines.length === 0 ? '' : `  line ${lines.join(', ')}`;
  const sums = [
    `till ${printMoney({ minor: till, currency })}`,
    ...(gateway === undefined ? [] : [`gateway ${printMoney({ minor: gateway, currency })}`]),
    `settled ${printMoney({ minor: settled, currency })}`,
  ];
  return [
    `${isOff(finding) ? '!' : ' '} ${who}  ${sums.join(', ')}${where}`,
    ...reasons.flatMap(({ name, minor, currency: of }) => [
      `    ${printMoney({ minor, currency: of }).padStart(14)}  ${explanations[name].says}. ${explanations[name].next}`,
    ]),
  ];
};

export const refusedLines = ({ refused, refusedCount }: Reconciliation): string[] => [
  ...refused.slice(0, SHOWN_MOST).map(({ line, why, says }) => `line ${line} refused (${why}): ${says}`),
  ...(refusedCount > SHOWN_MOST ? [`… and ${refusedCount - SHOWN_MOST} more; --json names up to 1000.`] : []),
];

const SHOWN_MOST = 20;

const number = (receipt: number): string => String(receipt).padStart(6, '0');
