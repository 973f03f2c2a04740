/** Rules between parameters that several operations share. */
import { isCurrency } from '../../base/currencies.ts';
import { isFault } from '../../base/fault.ts';
import { parseAmount } from '../../base/money.ts';
import type { Rows } from '../parameters/section.ts';
import { needed, type Rule } from './operation.ts';

/** Decimals only where the currency has some. A malformed amount or currency is another rule’s. */
export const amountFitsCurrency = <R extends Rows>(name: keyof R & string, of: keyof R & string): Rule<R> => ({
  name,
  says: 'must have no decimals other than 00: this currency has no minor unit',
  holds: (sent) => {
    const [amount, currency]: readonly unknown[] = [sent[name], sent[of]];
    if (typeof amount !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return true;
    if (!/^[0-9]{1,10}(\.[0-9]{2})?$/.test(amount)) return true;
    try {
      parseAmount(amount, currency);
      return true;
    } catch (error) {
      if (isFault(error, 'amount.malformed')) return false;
      throw error;
    }
  },
});

/** Two parameters that mean nothing alone. */
export const bothOrNeither = <R extends Rows>(left: keyof R & string, right: keyof R & string): Rule<R>[] => [
  ...needed<R>((sent) => sent[left] !== undefined, [right], `may not be empty when ${left} is sent`),
  ...needed<R>((sent) => sent[right] !== undefined, [left], `may not be empty when ${right} is sent`),
];
