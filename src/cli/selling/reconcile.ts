/** `till batch reconcile`: a settlement file against the till's sales and the gateway. */
import type { Command } from 'commander';
import { printMoney } from '../../base/money.ts';
import { explanations, type Finding, isOff, type Reconciliation } from '../../books/book-types.ts';
import { batchNumber } from '../arguments.ts';
import { paragraph, receiptWords, sentence } from '../terms.ts';
import { printJson, printLines } from '../till-folder.ts';
import { count, type TillFlags, withTill, withTillOptions } from '../till-options.ts';

type ReconcileFlags = TillFlags & { batch?: string; csv?: string };

/** `flagsOf`: the options of the command and of the one above it. */
export const addReconcile = (batch: Command, flagsOf: (command: Command) => ReconcileFlags): void => {
  withTillOptions(
    batch.command('reconcile <file>').description('compare a settlement file with the till’s sales and the gateway'),
  )
    .option('--batch <number>', 'only the sales of this batch; without it, those of the days that the file is of')
    .option('--csv <out>', 'write each record again, with its match, into a new file')
    .action((file: string, _: unknown, command: Command) => reconcile(file, flagsOf(command)));
};

const reconcile = (file: string, flags: ReconcileFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { books } = running;
    const batch = flags.batch === undefined ? undefined : books.batch(batchNumber(flags.batch));
    const result = await books.reconcile({ file, batch, out: flags.csv });
    if (flags.json === true)
      printJson(running.shown, { ...result, more: [...result.more], payout: [...result.payout] });
    else printLines(running, [...summaryLines(result), ...findingLines(result), ...refusedLines(result)]);
    if (result.refusedCount > 0 || result.findings.some(isOff)) process.exitCode = 1;
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
  const who = receipt === undefined ? unknownSaleWords(sale ?? payment) : `receipt ${receiptWords(receipt)}`;
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
