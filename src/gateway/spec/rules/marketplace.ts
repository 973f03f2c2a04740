/** The sellers of a marketplace share one payment (spec 2.21): each is named once, and all get no more than is paid. */
import type { Rule, SentValues } from '../operation.ts';

const SELLER = /^marketPlace\.sellers\[\d+\]\.(id|amount)$/;
const AMOUNT = /^(\d{1,10})(?:\.(\d{2}))?$/;

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
  const [, whole, decimals = '00'] = AMOUNT.exec(amount ?? '') ?? [];
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
