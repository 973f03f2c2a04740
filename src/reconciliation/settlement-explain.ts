/**
 * Finds the smallest set of reasons that explains the difference between what the till recorded as moved and what was
 * settled. Lines of their own, such as a chargeback, are always reported; the other reasons must add up to the cent.
 */
import { exponentOf } from '../base/money.ts';
import type { ExplanationName } from '../locales/messages/en/settlement.ts';
import type { SettlementRecord } from './settlement-columns.ts';
import type { ExpectedSale } from './settlement-match.ts';

/** A reason and how much it changes the settled sum, in minor units of `currency`. */
export type Explanation = { readonly name: ExplanationName; readonly minor: bigint; readonly currency: string };

/** A sale on which till, gateway and file differ, or a line of the file that belongs to no sale. */
export type Finding = {
  readonly receipt?: number;
  readonly sale?: string;
  readonly payment?: string;
  /** The lines of the file that it concerns. */
  readonly lines: readonly number[];
  readonly currency: string;
  /** Minor units, negative for money given back. */
  readonly till: bigint;
  readonly gateway?: bigint;
  readonly settled: bigint;
  readonly reasons: readonly Explanation[];
};

/** A settlement record without its cells, as it is kept until the end of the file. */
export type Booked = Omit<SettlementRecord, 'cells'> & {
  /** The record's payment.id and its merchantTransactionId name different sales. */
  readonly isCrossed?: true;
};

type Case = {
  readonly expected: ExpectedSale;
  readonly lines: readonly Booked[];
  /** Approved refunds of this sale that no record mentions. */
  readonly unsettledRefunds: readonly ExpectedSale[];
  readonly lastDay: string | undefined;
};

/** Empty when till and settlement agree. */
export const explain = (of: Case): Explanation[] => {
  const { expected, lines } = of;
  const reports = lines.flatMap((line) => explanationsOf(line, expected.currency));
  const settled = lines.filter((line) => isSettled(line) && line.amount.currency === expected.currency);
  const isElsewhere = settled.length === 0 && lines.some(isSettled);
  const sum = settled.reduce((total, line) => total + signed(line), 0n);
  // Lines in another currency do not make a difference in this one.
  const difference = isElsewhere ? 0n : sum - expected.till;
  const reasons = difference === 0n ? [] : findSmallest(difference, candidates(of, settled));
  const left: Explanation = { name: 'unexplained', minor: difference, currency: expected.currency };
  const all = [...reports, ...(reasons ?? [left])];
  return mergeReasons([...all, ...gatewayOf(expected, all), ...lines.flatMap(payoutOf)]);
};

/** The gateway differs from the till, and no reason has said so yet. */
const gatewayOf = (
  { till, gateway, currency, place }: ExpectedSale,
  reasons: readonly Explanation[],
): Explanation[] => {
  const isSaid = reasons.some(({ name }) => ['partialCapture', 'lateApproval', 'settledThoughReversed'].includes(name));
  if (gateway === undefined || gateway === till || isSaid) return [];
  const isLate = till === 0n && place !== 'reversed';
  return [{ name: isLate ? 'lateApproval' : 'gatewayDiffers', minor: gateway - till, currency }];
};

const isSettled = ({ recordType, ok }: Booked): boolean => recordType === 'SETTLED' && ok;
const signed = ({ amount, cashflow }: Booked): bigint => (cashflow === 'NEG' ? -amount.minor : amount.minor);

const explanationsOf = (line: Booked, currency: string): Explanation[] => [
  ...(line.isCrossed ? [{ name: 'namesCrossed', minor: 0n, currency: line.amount.currency } as const] : []),
  ...explanationsByType(line, currency),
];

const explanationsByType = (line: Booked, currency: string): Explanation[] => {
  const { recordType, amount, ok } = line;
  const of = { minor: signed(line), currency: amount.currency };
  if (recordType === 'CHARGEBACK') return [{ name: 'chargeback', ...of }];
  if (recordType === 'CHARGEBACK REVERSAL') return [{ name: 'chargebackReversal', ...of }];
  if (recordType === 'FEE') return [{ name: 'fee', ...of }];
  if (ok) return amount.currency === currency ? [] : [{ name: 'otherCurrency', ...of }];
  return [{ name: 'settlementFailed', minor: 0n, currency: amount.currency }];
};

/** The possible reasons for this sale, the best proved first. */
const candidates = (
  { expected, lines, unsettledRefunds, lastDay }: Case,
  settled: readonly Booked[],
): Explanation[] => {
  const { till, gateway, tip, currency, place, date } = expected;
  const reason = (name: ExplanationName, minor: bigint): Explanation[] =>
    minor === 0n ? [] : [{ name, minor, currency }];
  const sum = settled.reduce((total, line) => total + signed(line), 0n);
  if (till === 0n) return sum === 0n ? [] : explainNotSold(expected, { sum, settled });
  if (settled.length === 0) {
    if (lines.some(({ recordType, ok }) => recordType === 'SETTLED' && !ok)) return reason('settlementFailed', -till);
    if (lastDay !== undefined && date >= lastDay) return reason('settledTomorrow', -till);
    return reason(till < 0n ? 'refundNotSettled' : 'notSettled', -till);
  }
  return [
    ...extraLines(settled).flatMap((minor) => reason('settledTwice', minor)),
    ...reason('partialCapture', gateway === undefined ? 0n : gateway - till),
    ...reason('tipMissing', place === 'approved' ? -tip : 0n),
    ...unsettledRefunds.flatMap((refund) => reason('refundNetted', refund.till)),
  ];
};

/** The sale was settled, but according to the till it moved no money. */
const explainNotSold = (
  { place, currency }: ExpectedSale,
  { sum, settled }: { sum: bigint; settled: readonly Booked[] },
): Explanation[] => {
  const name = place === 'reversed' ? 'settledThoughReversed' : 'lateApproval';
  const copies = extraCopies(settled).map(
    (line): Explanation => ({ name: 'settledTwice', minor: signed(line), currency }),
  );
  const rest = copies.reduce((left, { minor }) => left - minor, sum);
  return [{ name, minor: rest, currency }, ...copies];
};

/** Lines with the same amount as an earlier one. */
const extraCopies = (settled: readonly Booked[]): Booked[] => {
  const seenAmounts = new Set<bigint>();
  return settled.filter((line) => seenAmounts.has(signed(line)) || !seenAmounts.add(signed(line)));
};

/** Candidates for superfluous lines: all copies together, each copy, and each line when there are several. */
const extraLines = (settled: readonly Booked[]): bigint[] => {
  if (settled.length < 2) return [];
  const copies = extraCopies(settled).map(signed);
  const all = copies.reduce((total, minor) => total + minor, 0n);
  const others = settled.map(signed).filter((minor) => !copies.includes(minor));
  return [...(copies.length > 1 ? [all] : []), ...copies, ...others];
};

/** Candidates beyond this number are ignored: a sale has one or two things wrong with it. */
const CANDIDATES_MOST = 12;

/** The fewest candidates that add up to the difference; among equally few, those that come first. */
export const findSmallest = (difference: bigint, all: readonly Explanation[]): Explanation[] | undefined => {
  const subset = all.slice(0, CANDIDATES_MOST);
  for (let size = 1; size <= subset.length; size += 1) {
    const found = findOfSize(size, subset, difference);
    if (found !== undefined) return found;
  }
  return undefined;
};

const findOfSize = (size: number, subset: readonly Explanation[], difference: bigint): Explanation[] | undefined => {
  if (size === 0) return difference === 0n ? [] : undefined;
  for (const [i, one] of subset.entries()) {
    const rest = findOfSize(size - 1, subset.slice(i + 1), difference - one.minor);
    if (rest !== undefined) return [one, ...rest];
  }
  return undefined;
};

/** The reasons in one line: its fee, its rate, and any remaining difference. */
const payoutOf = (line: Booked): Explanation[] => {
  const { amount, settled, fee, ok, recordType, rateMillionths } = line;
  if (!ok || recordType === 'FEE') return [];
  const due = convertAmount(line);
  const paid = line.cashflow === 'NEG' ? -settled.minor : settled.minor;
  const gross = line.cashflow === 'NEG' ? -due : due;
  const feeMinor = fee?.minor ?? 0n;
  const missingMinor = gross - feeMinor - paid;
  const currency = settled.currency;
  // An exchange rate is rounded somewhere on its way; without one, every cent counts.
  const leeway = amount.currency === currency && rateMillionths === 1_000_000n ? 0n : 1n;
  return [
    ...(feeMinor === 0n ? [] : [{ name: 'fee', minor: -feeMinor, currency } as const]),
    ...(amount.currency === currency ? [] : [{ name: 'exchanged', minor: paid, currency } as const]),
    ...(missingMinor > leeway ? [{ name: 'short', minor: -missingMinor, currency } as const] : []),
    ...(missingMinor < -leeway ? [{ name: 'overpaid', minor: -missingMinor, currency } as const] : []),
  ];
};

/** The amount at the line's rate, in minor units of the settlement currency, rounded half up. */
const convertAmount = ({ amount, settled, rateMillionths }: Booked): bigint => {
  const shift = exponentOf(settled.currency) - exponentOf(amount.currency);
  const numerator = amount.minor * rateMillionths * 10n ** BigInt(Math.max(shift, 0));
  const denominator = 1_000_000n * 10n ** BigInt(Math.max(-shift, 0));
  return (2n * numerator + denominator) / (2n * denominator);
};

/** Merges repeated reasons into one with their sum. */
const mergeReasons = (all: readonly Explanation[]): Explanation[] => {
  const sums = new Map<string, Explanation>();
  for (const one of all) {
    const key = `${one.name} ${one.currency}`;
    const before = sums.get(key);
    sums.set(key, before === undefined ? one : { ...one, minor: before.minor + one.minor });
  }
  return [...sums.values()];
};

// Differences that explain each other: two sales with swapped amounts, and one sum for all sales of a day.

const renamed = (finding: Finding, from: ExplanationName, name: ExplanationName): Finding => ({
  ...finding,
  reasons: finding.reasons.map((reason) => (reason.name === from ? { ...reason, name } : reason)),
});

/** Finds two unexplained differences, each settled with the other's amount. */
export const withSwaps = (findings: readonly Finding[]): Finding[] => {
  const waiting = new Map<string, number[]>();
  const all = [...findings];
  for (const [at, { reasons, lines, currency, till, settled }] of findings.entries()) {
    if (lines.length !== 1 || !reasons.some(({ name }) => name === 'unexplained')) continue;
    const partner = waiting.get(`${currency} ${settled} ${till}`)?.shift();
    if (partner === undefined) {
      const key = `${currency} ${till} ${settled}`;
      waiting.set(key, [...(waiting.get(key) ?? []), at]);
      continue;
    }
    for (const one of [partner, at]) all[one] = renamed(findings[one] as Finding, 'unexplained', 'swapped');
  }
  return all;
};

export type LineWithoutSale = { readonly finding: Finding; readonly date: string };

const missing: readonly ExplanationName[] = ['notSettled', 'settledTomorrow', 'refundNotSettled'];

/**
 * Explains sales that are missing from the file by a line that names no sale and is their sum: the sum of all, or of
 * those of its day. `dayOf` gives a sale's day. Both sides are reported as settled together.
 */
export const withSums = (
  findings: readonly Finding[],
  sums: readonly LineWithoutSale[],
  dayOf: (finding: Finding) => string | undefined,
): { findings: Finding[]; explained: ReadonlySet<Finding> } => {
  const of = [...findings];
  const explained = new Set<Finding>();
  for (const { finding: sum, date } of sums) {
    const left = [...of.entries()].filter(
      ([, { lines, reasons, currency }]) =>
        lines.length === 0 && currency === sum.currency && reasons.every(({ name }) => missing.includes(name)),
    );
    const ofDay = left.filter(([, one]) => dayOf(one) === date);
    const subset = [ofDay, left].find(
      (group) => group.length > 1 && group.reduce((total, [, { till }]) => total + till, 0n) === sum.settled,
    );
    if (subset === undefined) continue;
    explained.add(sum);
    for (const [i, one] of subset)
      of[i] = {
        ...one,
        lines: sum.lines,
        reasons: [{ name: 'settledTogether', minor: one.till, currency: one.currency }],
      };
  }
  return { findings: of, explained };
};
