/** The terms of a channel's settlement: its settings, and the defaults for everything not set. */
import { exponentOf, type Money, parseAmount } from '../../base/money.ts';
import { type Channel, isLive } from '../channel.ts';
import type { Payment } from '../store/records.ts';
import type { FeeRule } from './settings-shape.ts';

export type Terms = {
  readonly entityId: string;
  /** The merchant's entity, if the channel belongs to one. */
  readonly merchant?: string;
  readonly name: string;
  readonly timeZone: string;
  /** Minutes of the day, 1 to 1440. */
  readonly cutOff: number;
  /** Minutes of the day. */
  readonly at: number;
  readonly live: boolean;
  readonly fees: readonly FeeRule[];
  readonly currency?: string;
  readonly rates: Readonly<Record<string, string>>;
  readonly acquirer: { readonly name: string; readonly merchantId: string };
};

/** The simulated acquirer's fees without a fee schedule: 1.2 % and five cents, and the fees for sub-merchants. */
export const usualFees: readonly FeeRule[] = [
  { percentage: '1.2', fixed: '0.05' },
  { type: 'SUBMERCHANT', fixed: '0.10' },
  { type: 'PAYMENT_FACILITATOR', fixed: '0.20' },
];

export const simulatedAcquirer = { name: 'Simulated acquirer', merchantId: '000000012345678' };

/** A live channel without a named acquirer, which its settlement requires (channel-shape.ts). */
const unnamedAcquirer = { name: '', merchantId: '' };

/**
 * The terms of a channel. Defaults: midnight to midnight in UTC, and the simulated acquirer's fees. A live channel's
 * fees are unknown unless they are set.
 */
export const termsOf = ({ entityId, merchant, name = '', mode, fees, settlement }: TermsOf): Terms => ({
  entityId,
  merchant,
  name,
  timeZone: settlement?.timeZone ?? 'UTC',
  cutOff: minutesOf(settlement?.cutOff ?? '24:00') || MINUTES,
  at: minutesOf(settlement?.at ?? '03:00'),
  live: isLive({ mode }),
  fees: fees ?? (isLive({ mode }) ? [] : usualFees),
  currency: settlement?.currency,
  rates: settlement?.rates ?? {},
  acquirer: settlement?.acquirer ?? (isLive({ mode }) ? unnamedAcquirer : simulatedAcquirer),
});

export type TermsOf = Pick<Channel, 'entityId' | 'merchant' | 'name' | 'mode' | 'fees' | 'settlement'>;

const MINUTES = 24 * 60;

const minutesOf = (text: string): number => {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
};

// Fees and exchange. Every result is rounded half up, once, to the precision of the interface: two decimals, or whole
// units of a currency that has no smaller ones.

/** The payment types with a settlement fee, unless a line of the schedule names another type. */
const PAID_OUT: ReadonlySet<string> = new Set(['DB', 'CP', 'PA.CP', 'RB', 'RC']);

/** The payment type of each fee, unless its line names another. */
const occasions: Readonly<Record<string, string>> = {
  AUTH_FEE: 'PA',
  CAPTURE_FEE: 'CP',
  CANCEL_FEE: 'RV',
  REFUND_FEE: 'RF',
};

export type Exchange = { readonly settled: Money; readonly rate: string };

/** The amount in the settlement currency, and the rate; 1.00 in its own currency if no rate is set. */
export const exchange = (amount: Money, { currency, rates }: Pick<Terms, 'currency' | 'rates'>): Exchange => {
  const rate = currency === undefined || currency === amount.currency ? undefined : rates[amount.currency];
  if (currency === undefined || rate === undefined) return { settled: amount, rate: '1.00' };
  const [millionths, text] = parseRate(rate);
  const exponentShift = exponentOf(currency) - exponentOf(amount.currency);
  const numerator = amount.minor * millionths * 10n ** BigInt(Math.max(exponentShift, 0));
  const denominator = 1_000_000n * 10n ** BigInt(Math.max(-exponentShift, 0));
  const settled = { minor: roundToCurrency(numerator, denominator, currency), currency };
  // An amount with too many digits for the interface stays in its own currency: no payment may block a day.
  return isTooLong(settled) ? { settled: amount, rate: '1.00' } : { settled, rate: text };
};

const isTooLong = ({ minor, currency }: Money): boolean => minor >= 10n ** BigInt(10 + exponentOf(currency));

/** Millionths, and the rate with at least two decimals. */
const parseRate = (text: string): [bigint, string] => {
  const [integerPart = '0', decimals = ''] = text.split('.');
  return [BigInt(integerPart + decimals.padEnd(6, '0')), `${integerPart}.${decimals.padEnd(2, '0')}`];
};

type Facts = Pick<Payment, 'paymentType' | 'paymentMethod'> & { readonly brand: string };

/** The fee deducted from this payment's settlement: never more than the amount. */
export const settlementFee = (settled: Money, facts: Facts, fees: readonly FeeRule[]): Money => {
  const rule = fees.find((each) => each.type === undefined && isApplicable(each, facts, settled.currency));
  if (rule === undefined) return { minor: 0n, currency: settled.currency };
  const fee = calculateFee(rule, settled);
  return PAID_OUT.has(facts.paymentType) && fee.minor > settled.minor ? settled : fee;
};

/** The fees that are records of their own for this payment: type and amount, in the settlement currency. */
export const feesFor = (settled: Money, facts: Facts, fees: readonly FeeRule[]) =>
  fees
    .filter((rule) => rule.type !== undefined && rule.type in occasions && isApplicable(rule, facts, settled.currency))
    .map((rule, i) => ({ type: rule.type ?? '', at: i, fee: calculateFee(rule, settled) }))
    .filter(({ fee }) => fee.minor > 0n);

const isApplicable = (rule: FeeRule, { paymentType, paymentMethod, brand }: Facts, currency: string): boolean => {
  if (rule.brand !== undefined && rule.brand !== brand) return false;
  if (rule.method !== undefined && rule.method !== paymentMethod) return false;
  if (rule.currency !== undefined && rule.currency !== currency) return false;
  if (rule.paymentType !== undefined) return rule.paymentType === paymentType;
  return rule.type === undefined ? PAID_OUT.has(paymentType) : occasions[rule.type] === paymentType;
};

/** The percentage, then the fixed part, then the minimum and maximum. */
export const calculateFee = ({ percentage = '0', fixed, min, max }: FeeRule, { minor, currency }: Money): Money => {
  const [integerPart = '0', decimals = ''] = percentage.split('.');
  const percentageFee = roundToCurrency(minor * BigInt(integerPart + decimals.padEnd(4, '0')), 1_000_000n, currency);
  const sum = percentageFee + minorOf(fixed, currency);
  const atLeast = min === undefined ? sum : maximum(sum, minorOf(min, currency));
  const limit = max === undefined ? atLeast : minorOf(max, currency);
  return { minor: atLeast < limit ? atLeast : limit, currency };
};

const maximum = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/** In a currency without a minor unit whole units count, rounded half up. */
const minorOf = (text: string | undefined, currency: string): bigint => {
  if (text === undefined) return 0n;
  if (exponentOf(currency) > 0) return parseAmount(text, currency).minor;
  return roundToCurrency(BigInt(text.replace('.', '')), 100n, currency);
};

/** Rounds half up to two decimals. */
const roundToCurrency = (numerator: bigint, denominator: bigint, currency: string): bigint => {
  const step = 10n ** BigInt(Math.max(exponentOf(currency) - 2, 0));
  return ((2n * numerator + denominator * step) / (2n * denominator * step)) * step;
};
