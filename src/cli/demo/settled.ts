/** The settlement file against till and gateway: what is paid out and the fees make what the Z reports say, or not. */
import { type Money, money, printMoney } from '../../base/money.ts';
import type { Batch, Reconciliation } from '../../books/shown.ts';
import { findingLines, refusedLines, summaryLines } from '../batch-words.ts';

/** Agrees when every sale is in the file to the cent, and nothing else is. */
export const settled = (
  result: Reconciliation,
  batches: readonly Batch[],
  currency: string,
): { lines: string[]; agrees: boolean } => {
  const { findings, refusedCount, payout } = result;
  const paid = money(payout.get(currency) ?? 0n, currency);
  const fees = money(sumOf(findings.flatMap(({ reasons }) => reasons.map(feeOf))), currency);
  const off = findings.filter(({ reasons }) => reasons.some(({ name }) => name !== 'fee'));
  const taken = money(sumOf(batches.map((batch) => netOf(batch, currency))), currency);
  const agrees = off.length === 0 && refusedCount === 0 && paid.minor + fees.minor === taken.minor;
  return {
    lines: [
      ...summaryLines(result),
      row('Paid out', paid),
      row('Fees', fees),
      row('Z report, net', taken),
      ...(off.length === 0 ? [] : findingLines({ ...result, findings: off })),
      ...refusedLines(result),
      agrees ? 'Till, gateway and settlement agree to the cent.' : 'Till, gateway and settlement do NOT agree.',
    ],
    agrees,
  };
};

const row = (words: string, amount: Money): string => `${words.padEnd(20)}${printMoney(amount).padStart(14)}`;

const sumOf = (minors: readonly bigint[]): bigint => minors.reduce((sum, minor) => sum + minor, 0n);

const feeOf = ({ name, minor }: Reconciliation['findings'][number]['reasons'][number]): bigint =>
  name === 'fee' ? -minor : 0n;

/** The report has it as people write it. */
const netOf = ({ z }: Batch, currency: string): bigint => {
  const net = z?.report.currencies.find((one) => one.currency === currency)?.net ?? '0.00';
  return BigInt(net.replace('.', ''));
};
