/**
 * Finds the sales that a settlement record can belong to (specification 2.36, matchedTransactions): by payment.id, then
 * by merchantTransactionId, then by amount, day and last four digits among sales without a matching id.
 */
import type { MatchingStatus, SettlementRecord } from './settlement-columns.ts';

/** A sale or refund as till and gateway know it. Minor units, negative for money given back. */
export type ExpectedSale = {
  /** The merchantTransactionId. */
  readonly sale: string;
  readonly receipt: number;
  /** payment.id */
  readonly payment?: string;
  readonly currency: string;
  readonly till: bigint;
  /** The amount booked at the gateway. Undefined when it was not asked or did not answer. */
  readonly gateway?: bigint;
  /** The requested amount including the tip. */
  readonly intended: bigint;
  readonly tip: bigint;
  readonly last4?: string;
  /** `YYYY-MM-DD` of its intent. */
  readonly date: string;
  readonly place: 'approved' | 'declined' | 'notSent' | 'unknown' | 'reversed';
  /** The sale that this one refunds. */
  readonly follows?: string;
  /** The pos.terminalId of a terminal that authorises by itself: its payments never went through the gateway. */
  readonly ownTerminal?: string;
  /** A file of other days already covered it, so it is not missing from this one. */
  readonly toldBefore?: true;
};

export type Match = {
  readonly status: MatchingStatus;
  readonly found: readonly ExpectedSale[];
  /** Its payment.id and its merchantTransactionId name different sales: the one with its amount was chosen. */
  readonly isCrossed?: true;
};

export type Matcher = (record: SettlementRecord) => Match;

export const matcher = (expected: readonly ExpectedSale[]): Matcher => {
  const byPayment = groupBy(expected, ({ payment }) => payment);
  const bySale = groupBy(expected, ({ sale }) => sale);
  const byFacts = groupBy(expected, factsOf);
  return (record) => {
    const { payment, merchantTransactionId } = record;
    const byId = payment === undefined ? undefined : byPayment.get(payment);
    const byReference = merchantTransactionId === undefined ? undefined : bySale.get(merchantTransactionId);
    const crossed = byId && byReference && crossedIn(record, byId, byReference);
    if (crossed !== undefined) return { ...matched([crossed]), isCrossed: true };
    const byReferenceOrId = byId ?? byReference;
    if (byReferenceOrId !== undefined) return matched(byReferenceOrId);
    // A record that names a payment is not matched to a sale with a different payment id.
    const nameless = (byFacts.get(factsIn(record)) ?? []).filter(
      (one) => (payment === undefined || one.payment === undefined) && isNotNamed(record, one),
    );
    return matched(nameless);
  };
};

/**
 * The sale with the record's amount, of the two that its ids name. Undefined when these do not contradict each other.
 */
const crossedIn = (
  record: SettlementRecord,
  byId: readonly ExpectedSale[],
  byReference: readonly ExpectedSale[],
): ExpectedSale | undefined => {
  const [one, ...more] = byId;
  const [other, ...others] = byReference;
  if (one === undefined || other === undefined || more.length > 0 || others.length > 0) return undefined;
  if (one.sale === other.sale || one.follows === other.sale || other.follows === one.sale) return undefined;
  if (one.till === 0n || other.till === 0n || record.recordType !== 'SETTLED') return undefined;
  return isSameAmount(record, other) && !isSameAmount(record, one) ? other : one;
};

const isSameAmount = ({ amount, cashflow }: SettlementRecord, { till, currency }: ExpectedSale): boolean =>
  amount.currency === currency && (cashflow === 'NEG' ? -amount.minor : amount.minor) === till;

const isNotNamed = ({ payment, merchantTransactionId }: SettlementRecord, one: ExpectedSale): boolean =>
  merchantTransactionId === undefined || (payment !== undefined && one.payment === undefined);

const matched = (found: readonly ExpectedSale[]): Match => ({
  status: found.length === 0 ? 'NOT_MATCHED' : found.length === 1 ? 'MATCHED' : 'MULTIPLE_MATCHES',
  found,
});

const groupBy = (
  expected: readonly ExpectedSale[],
  key: (one: ExpectedSale) => string | undefined,
): ReadonlyMap<string, readonly ExpectedSale[]> => {
  const groups = new Map<string, ExpectedSale[]>();
  for (const one of expected) {
    const name = key(one);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
};

/** The key by amount, day and card; only for money that moved, on a card whose last digits are known. */
const factsOf = ({ till, currency, date, last4 }: ExpectedSale): string | undefined =>
  till === 0n || last4 === undefined ? undefined : [till, currency, date, last4].join(' ');

const factsIn = ({ amount, cashflow, recordType, paymentType, date, requestedOn, last4 }: SettlementRecord): string => {
  const isMoneyBack = recordType === 'SETTLED' ? cashflow === 'NEG' : paymentType !== 'DEBIT';
  return [isMoneyBack ? -amount.minor : amount.minor, amount.currency, requestedOn ?? date, last4 ?? ''].join(' ');
};
