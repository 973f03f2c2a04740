/** Amounts, their currencies, and the shares of a marketplace's sellers (spec 2.2, 2.3, 2.21). */
import { isCurrency } from '../../../base/currencies.ts';
import { exponentOf } from '../../../base/money.ts';
import type { Rule, SentValues } from '../operation.ts';
import { bothOrNeither } from './shared.ts';

const AMOUNT = /^[0-9]{1,10}(\.[0-9]{2})?$/;

/** Decimals only where the currency has some. A malformed amount or currency is the parser’s to tell. */
export const amountFitsCurrency = (name: string, of: string): Rule => ({
  name,
  says: 'must have no decimals other than 00: this currency has no minor unit',
  holds: (sent) => {
    const [amount, currency] = [sent[name], sent[of]];
    if (amount === undefined || currency === undefined || !AMOUNT.test(amount) || !isCurrency(currency)) return true;
    return exponentOf(currency) >= 2 || !amount.includes('.') || amount.endsWith('.00');
  },
});

export const amountRules: readonly Rule[] = [
  amountFitsCurrency('amount', 'currency'),
  amountFitsCurrency('forex.amount', 'forex.currency'),
  ...bothOrNeither('forex.amount', 'forex.currency'),
];

// The sellers of a marketplace share one payment (spec 2.21): each is named once, and all get no more than is paid.

const SELLER = /^marketPlace\.sellers\[\d+\]\.(id|amount)$/;
const SHARE = /^(\d{1,10})(?:\.(\d{2}))?$/;

const ofSellers = (sent: SentValues, what: 'id' | 'amount'): readonly string[] => {
  const values: string[] = [];
  for (const name in sent) {
    const value = name.startsWith('marketPlace.') && SELLER.exec(name)?.[1] === what ? sent[name] : undefined;
    if (value !== undefined) values.push(value);
  }
  return values;
};

/** Hundredths; a malformed amount is the parser's to tell. */
const hundredths = (amount: string | undefined): bigint | undefined => {
  const [, whole, decimals = '00'] = SHARE.exec(amount ?? '') ?? [];
  return whole === undefined ? undefined : BigInt(whole + decimals);
};

export const marketplaceRules: readonly Rule[] = [
  {
    name: 'marketPlace.sellers[n].amount',
    says: 'of all sellers together may not be more than the amount',
    holds: (sent) => {
      const whole = hundredths(sent['amount']);
      const parts = ofSellers(sent, 'amount').map(hundredths);
      return whole === undefined || parts.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n) <= whole;
    },
  },
  {
    name: 'marketPlace.sellers[n].id',
    says: 'may name each seller only once',
    holds: (sent) => {
      const ids = ofSellers(sent, 'id');
      return new Set(ids).size === ids.length;
    },
  },
];
