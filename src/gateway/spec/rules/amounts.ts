/** Amounts and their currencies (spec 2.2, 2.3). */
import { isCurrency } from '../../../base/currencies.ts';
import { exponentOf } from '../../../base/money.ts';
import type { Rule } from '../operation.ts';
import { bothOrNeither } from './pairs.ts';

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
