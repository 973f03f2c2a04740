/** Converts amounts between the local API's format, with the currency's decimals, and the till's minor units. */
import type { Amount } from '../api/contract/wire.ts';
import { Fault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { exponentOf, isCurrency, type Money } from '../base/money.ts';
import { decimal } from '../reconciliation/report.ts';

export const amountOf = ({ minor, currency }: Money): Amount => ({ amount: decimal(minor, currency), currency });

/**
 * Accepts a dot with all the decimals of the currency, or no decimals. Throws `amount.malformed`, `currency.unknown`,
 * and `currency.differs` when the currency is not `own`, the till's.
 */
export const moneyOf = ({ amount, currency }: Amount, own: string): Money => {
  if (!isCurrency(currency)) throw new Fault('currency.unknown', { text: printable(currency, 24) });
  if (currency !== own) throw new Fault('currency.differs', { left: currency, right: own });
  const places = exponentOf(currency);
  const refuse = (why: string) => new Fault('amount.malformed', { text: printable(amount, 24), currency, why });
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined) throw refuse('it must be up to 10 digits, and a dot before the decimals');
  if (decimals.length > places)
    throw refuse(places === 0 ? 'this currency has no decimals' : `this currency has ${places} decimals`);
  if (decimals !== '' && decimals.length < places) throw refuse(`it must have all ${places} decimals or none`);
  return { minor: BigInt(whole + decimals.padEnd(places, '0')), currency };
};
