/** Compares till, gateway and settlement file: gives each record its match, and each difference its reasons. */
import type { ExplanationName } from '../locales/messages/en/settlement.ts';
import { rowOf } from '../locales/messages/en/settlement.ts';
import type { MatchingStatus, RefusedLine, SettlementRecord } from './settlement-columns.ts';
import {
  type Booked,
  type Explanation,
  explain,
  type Finding,
  type LineWithoutSale,
  withSums,
  withSwaps,
} from './settlement-explain.ts';
import { type ExpectedSale, type Match, matcher } from './settlement-match.ts';
import { isRefused } from './settlement-record.ts';

/** Sales of a terminal that authorises by itself. `minor` is their total, negative for money given back. */
export type TerminalSum = {
  readonly terminalId: string;
  readonly currency: string;
  readonly count: number;
  readonly minor: bigint;
};

export type Reconciliation = {
  readonly records: number;
  readonly statuses: Readonly<Record<MatchingStatus, number>>;
  /** The number of sales on which till, gateway and file agree to the cent. */
  readonly agreeing: number;
  readonly findings: readonly Finding[];
  /** The number of findings beyond the stored ones, by reason. */
  readonly more: ReadonlyMap<ExplanationName, number>;
  readonly refused: readonly RefusedLine[];
  readonly refusedCount: number;
  /** The payout of the file by currency, in minor units. */
  readonly payout: ReadonlyMap<string, bigint>;
  /**
   * Sales that the terminals' own acquirers settle and no line of the file mentions; they are compared with nothing
   * here.
   */
  readonly atTerminals: readonly TerminalSum[];
};

/** The most findings stored for lines that belong to no sale of this till, and for refused lines; all are counted. */
const KEPT_MOST = 1000;

export type Reconciler = {
  /** Takes one line and returns what it matches. Undefined for a refused line. */
  take(line: SettlementRecord | RefusedLine): Match | undefined;
  end(): Reconciliation;
};

/**
 * Differences are looked for among `expected`. `others` are sales of this till that the file may also name and that
 * belong to another reconciliation: only what the file itself says about them, such as a chargeback, is reported.
 */
export const reconciler = (expected: readonly ExpectedSale[], others: readonly ExpectedSale[] = []): Reconciler => {
  const match = matcher([...expected, ...others]);
  const booked = new Map<string, Booked[]>();
  const sums: LineWithoutSale[] = [];
  const statuses = { MATCHED: 0, MULTIPLE_MATCHES: 0, NOT_MATCHED: 0 };
  const unmatched: Finding[] = [];
  const more = new Map<ExplanationName, number>();
  const refused: RefusedLine[] = [];
  const payout = new Map<string, bigint>();
  let refusedCount = 0;
  let records = 0;
  let lastDay: string | undefined;

  const noteUnmatched = (record: SettlementRecord, found: Match): void => {
    const finding = findingWithoutSale(record, found);
    const [{ name } = { name: 'otherTill' as const }] = finding.reasons;
    if (unmatched.length < KEPT_MOST) {
      unmatched.push(finding);
      if (isSum(record, finding)) sums.push({ finding, date: record.requestedOn ?? record.date });
    } else more.set(name, (more.get(name) ?? 0) + 1);
  };

  const noteBooked = (sale: string, line: Booked): void => {
    const lines = booked.get(sale);
    if (lines === undefined) booked.set(sale, [line]);
    else if (lines.length < KEPT_MOST) lines.push(line);
    else more.set('settledTwice', (more.get('settledTwice') ?? 0) + 1);
  };

  return {
    take(line) {
      if (isRefused(line)) {
        refusedCount += 1;
        if (refused.length < KEPT_MOST) refused.push(line);
        return undefined;
      }
      records += 1;
      const { cells: _, ...withoutCells } = line;
      if (line.ok) {
        const { minor, currency } = line.settled;
        payout.set(currency, (payout.get(currency) ?? 0n) + (line.cashflow === 'NEG' ? -minor : minor));
      }
      if (lastDay === undefined || line.date > lastDay) lastDay = line.date;
      const found = match(line);
      statuses[found.status] += 1;
      const [only] = found.found;
      if (found.status !== 'MATCHED' || only === undefined) noteUnmatched(line, found);
      else noteBooked(only.sale, found.isCrossed ? { ...withoutCells, isCrossed: true } : withoutCells);
      return found;
    },
    end() {
      const known = { bySale: new Map(expected.map((one) => [one.sale, one])), booked, lastDay };
      const { findings, agreeing } = conclude({ expected, others, unmatched, sums }, known);
      const atTerminals = terminalSums(expected.filter((one) => isApart(one, known)));
      return { ...{ records, statuses, agreeing, more, refused, refusedCount, payout }, findings, atTerminals };
    },
  };
};

type MatchState = {
  expected: readonly ExpectedSale[];
  others: readonly ExpectedSale[];
  /** Lines that belong to no sale, or to several. */
  unmatched: readonly Finding[];
  sums: readonly LineWithoutSale[];
};

/** At the end of the file: the findings, and the number of expected sales that agree to the cent. */
const conclude = ({ expected: all, others, unmatched, sums }: MatchState, knownSales: Omit<KnownSales, 'refunds'>) => {
  const known = { ...knownSales, refunds: refundsBySale(all) };
  const expected = all.filter(
    (one) => !isApart(one, knownSales) && (one.toldBefore !== true || knownSales.booked.has(one.sale)),
  );
  const refundsOfOthers = refundsBySale(others);
  const single = withSwaps(expected.flatMap((one) => findingOf(one, known)));
  const { findings, explained } = withSums(single, sums, ({ sale = '' }) => known.bySale.get(sale)?.date);
  const differingSales = new Set(findings.filter(isOff).map(({ sale }) => sale));
  const together = new Set(findings.filter(isTogether).map(({ sale }) => sale));
  const agreeing = expected.filter(
    ({ sale }) => together.has(sale) || (known.booked.has(sale) && !differingSales.has(sale)),
  );
  return {
    agreeing: agreeing.length,
    findings: [
      ...findings,
      ...others.flatMap((one) => findingOfOther(one, known, refundsOfOthers)),
      ...unmatched.map((one) => (explained.has(one) ? withSumTexts(one) : one)),
    ],
  };
};

/** Whether the sale never went through the gateway and the file does not mention it. */
const isApart = ({ ownTerminal, sale }: ExpectedSale, { booked }: Pick<KnownSales, 'booked'>): boolean =>
  ownTerminal !== undefined && !booked.has(sale);

const terminalSums = (sales: readonly ExpectedSale[]): TerminalSum[] => {
  const sums = new Map<string, TerminalSum>();
  for (const { ownTerminal: terminalId = '', currency, till } of sales) {
    if (till === 0n) continue;
    const key = `${terminalId} ${currency}`;
    const { count, minor } = sums.get(key) ?? { count: 0, minor: 0n };
    sums.set(key, { terminalId, currency, count: count + 1, minor: minor + till });
  }
  return [...sums.values()];
};

/** A record that belongs to no sale of this till, or fits several. */
const findingWithoutSale = (record: SettlementRecord, { found, status }: Match): Finding => {
  const { recordType, amount, cashflow, line, payment, merchantTransactionId } = record;
  const alone = recordType === 'FEE' ? 'standaloneFee' : 'otherTill';
  const name = status === 'MULTIPLE_MATCHES' ? 'ambiguous' : alone;
  const minor = cashflow === 'NEG' ? -amount.minor : amount.minor;
  const { currency } = amount;
  return {
    payment,
    sale: merchantTransactionId,
    receipt: found[0]?.receipt,
    lines: [line],
    currency,
    till: 0n,
    settled: minor,
    reasons: [{ name, minor, currency }],
  };
};

/** A line that identifies neither a payment, nor a sale, nor a card. */
const isSum = ({ recordType, ok, last4 }: SettlementRecord, { payment, sale, receipt }: Finding): boolean =>
  recordType === 'SETTLED' && ok && [last4, payment, sale, receipt].every((name) => name === undefined);

const withSumTexts = (finding: Finding): Finding => ({
  ...finding,
  reasons: finding.reasons.map((reason) => ({ ...reason, name: 'settledTogether' as const })),
});

const isTogether = ({ reasons }: Finding): boolean => reasons.some(({ name }) => name === 'settledTogether');

/** Whether somebody has to look at this finding. */
export const isOff = ({ reasons }: Finding): boolean => reasons.some(({ name }) => rowOf(name).isFine !== true);

type KnownSales = {
  bySale: ReadonlyMap<string, ExpectedSale>;
  /** For each sale, the refunds of it. */
  refunds: ReadonlyMap<string, readonly ExpectedSale[]>;
  booked: ReadonlyMap<string, readonly Booked[]>;
  lastDay: string | undefined;
};

const refundsBySale = (expected: readonly ExpectedSale[]): Map<string, ExpectedSale[]> => {
  const refunds = new Map<string, ExpectedSale[]>();
  for (const one of expected) {
    if (one.follows === undefined || one.till >= 0n) continue;
    refunds.set(one.follows, [...(refunds.get(one.follows) ?? []), one]);
  }
  return refunds;
};

const reasonsOf = (one: ExpectedSale, { refunds, booked, lastDay }: KnownSales): Explanation[] =>
  explain({
    expected: one,
    lines: booked.get(one.sale) ?? [],
    unsettledRefunds: (refunds.get(one.sale) ?? []).filter(({ sale }) => !booked.has(sale)),
    lastDay,
  });

const findingOf = (one: ExpectedSale, known: KnownSales): Finding[] => {
  const lines = known.booked.get(one.sale) ?? [];
  const reasons = reasonsOf(one, known);
  if (reasons.length === 0 || isNetted(one, known)) return [];
  const { receipt, sale, payment, currency, till, gateway } = one;
  const settled = lines
    .filter(({ recordType, ok, amount }) => recordType === 'SETTLED' && ok && amount.currency === currency)
    .reduce((sum, { amount, cashflow }) => sum + (cashflow === 'NEG' ? -amount.minor : amount.minor), 0n);
  return [{ receipt, sale, currency, till, settled, reasons, payment, gateway, lines: lines.map(({ line }) => line) }];
};

/** Reasons that need all days of the sale are left to the reconciliation of those days. */
const ofOthersOnly: readonly ExplanationName[] = [
  'notSettled',
  'settledTomorrow',
  'refundNotSettled',
  'gatewayDiffers',
];

const findingOfOther = (
  one: ExpectedSale,
  { booked, lastDay }: KnownSales,
  refunds: KnownSales['refunds'],
): Finding[] => {
  const lines = booked.get(one.sale);
  if (lines === undefined) return [];
  const isSettled = lines.some(({ recordType }) => recordType === 'SETTLED');
  const [found] = findingOf(one, { bySale: new Map(), refunds, booked, lastDay });
  const reasons = (found?.reasons ?? []).filter(
    ({ name }) => !ofOthersOnly.includes(name) && (isSettled || name.startsWith('chargeback')),
  );
  const finding = found && { ...found, reasons };
  return finding !== undefined && isOff(finding) ? [finding] : [];
};

/** A refund that is already subtracted in its sale's settlement is not missing. */
const isNetted = (refund: ExpectedSale, known: KnownSales): boolean => {
  const sale = refund.follows === undefined ? undefined : known.bySale.get(refund.follows);
  if (sale === undefined || known.booked.has(refund.sale)) return false;
  return reasonsOf(sale, known).some(({ name }) => name === 'refundNetted');
};
