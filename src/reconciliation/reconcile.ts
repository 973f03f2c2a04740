/** Till, gateway and settlement file, three ways: each record with its match, and for each difference its reasons. */

import type { MatchingStatus, RefusedLine, SettlementRecord } from './settlement-columns.ts';
import { type Booked, type Explanation, explain } from './settlement-explain.ts';
import { type Expected, type Match, matcher } from './settlement-match.ts';
import { isRefused } from './settlement-record.ts';
import type { ExplanationName } from './settlement-words.ts';
import { rowOf } from './settlement-words.ts';

export type Finding = {
  readonly receipt?: number;
  readonly sale?: string;
  readonly payment?: string;
  /** Lines of the file it is about. */
  readonly lines: readonly number[];
  readonly currency: string;
  /** Minor units, negative for money given back. */
  readonly till: bigint;
  readonly gateway?: bigint;
  readonly settled: bigint;
  readonly reasons: readonly Explanation[];
};

export type Reconciliation = {
  readonly records: number;
  readonly statuses: Readonly<Record<MatchingStatus, number>>;
  /** Sales of which till, gateway and file tell the same to the cent. */
  readonly agreeing: number;
  readonly findings: readonly Finding[];
  /** Findings beyond those that are kept, by reason. */
  readonly more: ReadonlyMap<ExplanationName, number>;
  readonly refused: readonly RefusedLine[];
  readonly refusedCount: number;
  /** What the file pays out, by currency: minor units. */
  readonly payout: ReadonlyMap<string, bigint>;
};

/** Of lines that are no sale of this till, and of refused ones, so many are kept in words; all are counted. */
const KEPT_MOST = 1000;

export type Reconciler = {
  /** Takes one line, and says what it matches; undefined for a refused one. */
  take(line: SettlementRecord | RefusedLine): Match | undefined;
  end(): Reconciliation;
};

/**
 * Differences are looked for among `expected`. `others` are sales of this till that the file may name too, and that
 * another reconciliation is about.
 */
export const reconciler = (expected: readonly Expected[], others: readonly Expected[] = []): Reconciler => {
  const match = matcher([...expected, ...others]);
  const booked = new Map<string, Booked[]>();
  const statuses = { MATCHED: 0, MULTIPLE_MATCHES: 0, NOT_MATCHED: 0 };
  const strangers: Finding[] = [];
  const more = new Map<ExplanationName, number>();
  const refused: RefusedLine[] = [];
  const payout = new Map<string, bigint>();
  let refusedCount = 0;
  let records = 0;
  let lastDay: string | undefined;

  const stranger = (record: SettlementRecord, found: Match): void => {
    const finding = ofNobody(record, found);
    const [{ name } = { name: 'otherTill' as const }] = finding.reasons;
    if (strangers.length < KEPT_MOST) strangers.push(finding);
    else more.set(name, (more.get(name) ?? 0) + 1);
  };

  return {
    take(line) {
      if (isRefused(line)) {
        refusedCount += 1;
        if (refused.length < KEPT_MOST) refused.push(line);
        return undefined;
      }
      records += 1;
      const { cells: _, ...kept } = line;
      if (line.ok) {
        const { minor, currency } = line.settled;
        payout.set(currency, (payout.get(currency) ?? 0n) + (line.cashflow === 'NEG' ? -minor : minor));
      }
      if (lastDay === undefined || line.date > lastDay) lastDay = line.date;
      const found = match(line);
      statuses[found.status] += 1;
      const [only] = found.found;
      if (found.status !== 'MATCHED' || only === undefined) stranger(line, found);
      else booked.set(only.sale, [...(booked.get(only.sale) ?? []), kept]);
      return found;
    },
    end() {
      const bySale = new Map(expected.map((one) => [one.sale, one]));
      const known = { bySale, refunds: refundsBySale(expected), booked, lastDay };
      const findings = expected.flatMap((one) => findingOf(one, known));
      const off = new Set(findings.filter(isOff).map(({ sale }) => sale));
      const agreeing = expected.filter(({ sale }) => booked.has(sale) && !off.has(sale));
      return {
        ...{ records, statuses, agreeing: agreeing.length, more, refused, refusedCount, payout },
        findings: [...findings, ...strangers],
      };
    },
  };
};

/** A record that is of no sale of this till, or of several that fit. */
const ofNobody = (record: SettlementRecord, { found, status }: Match): Finding => {
  const { recordType, amount, cashflow, line, payment, merchantTransactionId } = record;
  const alone = recordType === 'FEE' ? 'standaloneFee' : 'otherTill';
  const name = status === 'MULTIPLE_MATCHES' ? 'ambiguous' : alone;
  const minor = cashflow === 'NEG' ? -amount.minor : amount.minor;
  const { currency } = amount;
  return {
    ...(payment !== undefined && { payment }),
    ...(merchantTransactionId !== undefined && { sale: merchantTransactionId }),
    ...(found[0] && { receipt: found[0].receipt }),
    ...{ lines: [line], currency, till: 0n, settled: minor, reasons: [{ name, minor, currency }] },
  };
};

/** Whether somebody has to look at it. */
export const isOff = ({ reasons }: Finding): boolean => reasons.some(({ name }) => rowOf(name).isFine !== true);

type Known = {
  bySale: ReadonlyMap<string, Expected>;
  /** Of each sale, what was given back on it. */
  refunds: ReadonlyMap<string, readonly Expected[]>;
  booked: ReadonlyMap<string, readonly Booked[]>;
  lastDay: string | undefined;
};

const refundsBySale = (expected: readonly Expected[]): Map<string, Expected[]> => {
  const refunds = new Map<string, Expected[]>();
  for (const one of expected) {
    if (one.follows === undefined || one.till >= 0n) continue;
    refunds.set(one.follows, [...(refunds.get(one.follows) ?? []), one]);
  }
  return refunds;
};

const reasonsOf = (one: Expected, { refunds, booked, lastDay }: Known): Explanation[] =>
  explain({
    expected: one,
    lines: booked.get(one.sale) ?? [],
    unsettledRefunds: (refunds.get(one.sale) ?? []).filter(({ sale }) => !booked.has(sale)),
    lastDay,
  });

const findingOf = (one: Expected, known: Known): Finding[] => {
  const lines = known.booked.get(one.sale) ?? [];
  const reasons = reasonsOf(one, known);
  if (reasons.length === 0 || isNetted(one, known)) return [];
  const { receipt, sale, payment, currency, till, gateway } = one;
  const settled = lines
    .filter(({ recordType, ok }) => recordType === 'SETTLED' && ok)
    .reduce((sum, { amount, cashflow }) => sum + (cashflow === 'NEG' ? -amount.minor : amount.minor), 0n);
  return [
    {
      ...{ receipt, sale, currency, till, settled, reasons },
      ...(payment !== undefined && { payment }),
      ...(gateway !== undefined && { gateway }),
      lines: lines.map(({ line }) => line),
    },
  ];
};

/** A refund that its sale's settlement already has in it is not missing besides. */
const isNetted = (refund: Expected, known: Known): boolean => {
  const sale = refund.follows === undefined ? undefined : known.bySale.get(refund.follows);
  if (sale === undefined || known.booked.has(refund.sale)) return false;
  return reasonsOf(sale, known).some(({ name }) => name === 'refundNetted');
};
