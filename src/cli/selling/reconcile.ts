/** `till batch reconcile`: compares a settlement file with the till's sales and the gateway. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { ComparedFinding, ComparedPortion, SettlementComparison } from '../../api/contract/reconciliations.ts';
import type { Amount } from '../../api/contract/wire.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { createFile, readUnchanged } from '../../base/files.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import { moneyOf } from '../../ledger/wire-money.ts';
import { sendsFile, type TillApi, unwrapLines } from '../api-client.ts';
import { batchNumber, optionsOf } from '../arguments.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { amountWords, paragraph, receiptWords, sentence } from '../terms.ts';
import { tillCommand } from '../till-options.ts';

type ReconcileFlags = ApiFlags & { batch?: string; csv?: string };

export const addReconcile = (batch: Command): void => {
  tillCommand(batch, 'reconcile <file>', 'compare a settlement file with the till’s sales and the gateway')
    .option('--batch <number>', 'only the sales of this batch; without it, those of the days in the file')
    .option('--csv <out>', 'write each record again, with its match, into a new file')
    .action((file: string, _: unknown, command: Command) => reconcile(file, optionsOf(command)));
};

const reconcile = async (file: string, flags: ReconcileFlags): Promise<void> => {
  const number = flags.batch === undefined ? undefined : String(batchNumber(flags.batch));
  await withTillApi(flags, async (till) => {
    const result = await compare(till.api, { file, number, out: flags.csv }).catch((error: unknown) => {
      if (isFault(error) && error.code !== 'settlement.unreadable') throw error;
      const why = isFault(error) ? String(error.facts['why']) : errorText(error);
      throw new Fault('settlement.unreadable', { file, why }, error);
    });
    const lines = [...summaryLines(result), ...findingLines(result.findings), ...refusedLines(result)];
    till.show({ json: json(result), lines });
    if (result.refusedCount > 0 || result.findings.some(({ isOff }) => isOff)) process.exitCode = 1;
  });
};

type Comparing = { file: string; number: string | undefined; out: string | undefined };

/** Writes the file with the matches too, if `out` names one. An incomplete one is deleted. */
const compare = async (api: TillApi, { file, number, out }: Comparing): Promise<SettlementComparison> => {
  const { headers, init } = sendsFile(basename(file), readUnchanged(file));
  const query = { batch: number, matched: out === undefined ? undefined : 'true' } as const;
  const written = out === undefined ? undefined : await createFile(out);
  try {
    const answer = api.reconciliations.comparison.$post({ query }, { headers, init });
    const result = await unwrapLines<ComparedPortion, SettlementComparison>(answer, ({ matched }) =>
      written?.write(matched),
    );
    await written?.close();
    return result;
  } catch (error) {
    await written?.discard();
    throw error;
  }
};

/** Minor units, negative for money given back. */
export const minorOf = ({ amount, currency }: Amount): bigint => {
  const { minor } = moneyOf({ amount: amount.replace('-', ''), currency }, currency);
  return amount.startsWith('-') ? -minor : minor;
};

const json = ({ payout, more, findings, atTerminals, ...rest }: SettlementComparison) => ({
  ...rest,
  payout: payout.map((amount) => [amount.currency, minorOf(amount)]),
  more: more.map(({ name, count }) => [name, count]),
  findings: findings.map(({ till, gateway, settled, reasons, isOff: _, ...finding }) => ({
    ...finding,
    currency: till.currency,
    till: minorOf(till),
    gateway: gateway && minorOf(gateway),
    settled: minorOf(settled),
    reasons: reasons.map(({ name, amount }) => ({ name, minor: minorOf(amount), currency: amount.currency })),
  })),
  atTerminals: atTerminals.map(({ terminalId, count, amount }) => ({
    ...{ terminalId, count, minor: minorOf(amount), currency: amount.currency },
  })),
});

export const summaryLines = ({ records, statuses, agreeing, ...of }: SettlementComparison): string[] => {
  const { MATCHED: matched, MULTIPLE_MATCHES: several, NOT_MATCHED: not } = statuses;
  const off = of.findings.filter(({ isOff }) => isOff).length;
  return [
    formatEnglish(
      '{records, plural, one {# record} other {# records}}: {matched} matched, {several} fit several sales, {not} not matched',
      { records, matched, several, not },
    ),
    ...(of.refusedCount === 0
      ? []
      : [formatEnglish('{n, plural, one {# line} other {# lines}} refused', { n: of.refusedCount })]),
    ...of.payout.map((amount) => `Paid out: ${amountWords(amount)}`),
    ...of.atTerminals.map(terminalLine),
    `${formatEnglish('{agreeing, plural, one {# sale agrees} other {# sales agree}} to the cent', { agreeing })}; ${need(off)}`,
  ];
};

const terminalLine = ({ terminalId, amount, count: n }: SettlementComparison['atTerminals'][number]): string =>
  formatEnglish(
    'Terminal {terminalId}: {n, plural, one {# sale} other {# sales}} of its own acquirer, {amount}; not compared here',
    { terminalId, n, amount: amountWords(amount) },
  );

/** The findings that need somebody come first. */
export const findingLines = (findings: readonly ComparedFinding[]): string[] =>
  [...findings.filter(({ isOff }) => isOff), ...findings.filter(({ isOff }) => !isOff)].flatMap(oneFinding);

const oneFinding = (finding: ComparedFinding): string[] => {
  const { receipt, sale, payment, lines, till, gateway, settled, reasons, isOff } = finding;
  const who = receipt === undefined ? unknownSaleWords(sale ?? payment) : `receipt ${receiptWords(receipt)}`;
  const where = lines.length === 0 ? '' : `  (line ${lines.join(', ')})`;
  const sums = [
    `till ${amountWords(till)}`,
    ...(gateway === undefined ? [] : [`gateway ${amountWords(gateway)}`]),
    `settled ${amountWords(settled)}`,
  ];
  return [
    `${isOff ? '!' : ' '} ${who}  ${sums.join(', ')}${where}`,
    ...reasons.flatMap(({ says, toDo, amount }) =>
      paragraph(`    ${amountWords(amount).padStart(14)}  `, `${sentence(says)} ${toDo}`),
    ),
  ];
};

const need = (n: number): string =>
  n === 0
    ? 'nothing needs anybody.'
    : formatEnglish('{n, plural, one {# needs somebody} other {# need somebody}}.', { n });

/** The name in the file, shortened: the line is named beside it. */
const unknownSaleWords = (id: string | undefined): string =>
  id === undefined ? 'of no sale' : `unknown ${id.length > 12 ? `${id.slice(0, 12)}…` : id}`;

export const refusedLines = ({ refused, refusedCount }: SettlementComparison): string[] => [
  ...refused.slice(0, LISTED_MAX).map(({ line, why, says }) => `line ${line} refused: ${says} (${why})`),
  ...(refusedCount > LISTED_MAX ? [`… and ${refusedCount - LISTED_MAX} more; --json names up to 1000.`] : []),
];

const LISTED_MAX = 20;
