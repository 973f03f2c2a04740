/** Converts a person's request to the till into the intent that is written before anything else. */
import { Fault } from '../base/fault.ts';
import { add, type Money, printAmount, printMoney } from '../base/money.ts';
import { brandOfPan } from '../emv/brands.ts';
import { luhnIsValid } from '../emv/luhn.ts';
import type { GiftCardSecret } from './gateway/request.ts';
import type { BillPart, Intent, ProgramKey, RequestFingerprint } from './machine/facts.ts';
import type { TillParts } from './ports.ts';

/** The input of an intent: the till adds the numbers, the keys and the time. */
export type IntentInput = Omit<
  Intent,
  'sale' | 'terminalId' | 'sequence' | 'receipt' | 'key' | 'at' | 'gateway' | 'location'
>;

/** The options of any payment. The tip is added to the amount, not part of it. */
export type PaymentRequest = {
  amount: Money;
  tip?: Money;
  bill?: BillPart;
  partial?: boolean;
  /** The gateway stores the card if its channel can decrypt it; otherwise it refuses the payment. */
  storeCard?: boolean;
  cashier?: string;
  program?: ProgramKey;
  asked?: RequestFingerprint;
  again?: readonly number[];
  chargesAgain?: Intent['chargesAgain'];
};

/** The total that is requested. Throws `amount.unpositive` for a tip below zero, and `currency.differs`. */
export const withTip = (amount: Money, tip: Money | undefined): { amount: Money; tip?: Money } => {
  if (tip === undefined || tip.minor === 0n) return { amount };
  if (tip.minor < 0n) throw new Fault('amount.unpositive', { amount: printMoney(tip) });
  return { amount: add(amount, tip), tip };
};

/** The facts of a payment, without those that were not given. Throws as `withTip` does. */
export const factsOf = ({
  amount,
  tip,
  bill,
  partial,
  storeCard,
  asked,
  again,
  chargesAgain,
  ...seller
}: PaymentRequest): Omit<IntentInput, 'operation'> => ({
  ...withTip(amount, tip),
  bill,
  partial: partial || undefined,
  storeCard: storeCard || undefined,
  asked,
  again: again && again.length > 0 ? again : undefined,
  chargesAgain,
  ...sellerOf(seller),
});

type Seller = Pick<Intent, 'cashier' | 'program'>;

export const sellerOf = ({ cashier, program }: Seller): Seller => ({ cashier, program });

/** Refuses an amount before anything is written or sent: `amount.unpositive`, `amount.unrepresentable`. */
export const refuseAmount = (amount: Money): void => {
  if (amount.minor <= 0n) throw new Fault('amount.unpositive', { amount: printMoney(amount) });
  printAmount(amount);
};

/** Adds fresh numbers, keys and the time. Throws as `refuseAmount` does, except for a sale whose amount comes later. */
export const createIntent = (what: IntentInput, parts: TillParts): Intent => {
  const { terminalId, location, gateway, ids, clock, ledger } = parts;
  if (what.amountLater !== true) refuseAmount(what.amount);
  const numbers = ledger.nextNumbers(terminalId);
  const where = location && what.giftCard === undefined ? { location } : {};
  return { sale: ids.next(), key: ids.next(), at: clock.now(), terminalId, ...where, gateway, ...numbers, ...what };
};

/** Ranges in which only payment cards are issued; gift cards of shops use numbers of the other schemes' ranges. */
const paymentBrands: ReadonlySet<string | undefined> = new Set(['VISA', 'MASTER', 'AMEX', 'DINERS', 'JCB']);

/** A payment card must not be typed in here: its number would pass through the till unencrypted. */
const isPaymentCard = (digits: string): boolean =>
  /^\d{13,19}$/.test(digits) && luhnIsValid(digits) && paymentBrands.has(brandOfPan(digits));

/** Spaces are ignored; only the last four characters of the number are kept. Throws `gift.malformed`. */
export const giftCardOf = (number: string, pin?: string): { secret: GiftCardSecret; maskedNumber: string } => {
  const digits = number.replace(/[\s-]/g, '');
  if (!/^[0-9A-Za-z]{8,32}$/.test(digits)) {
    const reason = /^[0-9A-Za-z]*$/.test(digits)
      ? `it has ${digits.length} characters, not 8 to 32`
      : 'there are other signs in it than digits and letters';
    throw new Fault('gift.malformed', { why: reason });
  }
  if (isPaymentCard(digits))
    throw new Fault('gift.malformed', { why: 'it is the number of a payment card: that goes into the terminal' });
  if (pin !== undefined && !/^[0-9A-Za-z]{2,32}$/.test(pin))
    throw new Fault('gift.malformed', { why: 'its PIN has 2 to 32 digits or letters' });
  const maskedNumber = '*'.repeat(digits.length - 4) + digits.slice(-4);
  return { secret: { number: digits, pin }, maskedNumber };
};
