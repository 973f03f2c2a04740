/** Card data and intent → the host API's request (spec 2.2, 2.34). The same intent always gives the same request. */
import type { CardData, TerminalInfo } from '../../../drivers/terminal.ts';
import { fromHex, toHex } from '../../base/hex.ts';
import { printAmount } from '../../base/money.ts';
import { present } from '../../base/present.ts';
import { deviceTypeOf } from '../../emv/device-models.ts';
import { decodeTlv, encodeTlv } from '../../emv/tlv.ts';
import type { Intent } from '../machine/facts.ts';
import { operations } from '../machine/operations.ts';
import type { CardParameters, Parameters } from '../ports.ts';

/** What the request carries beside the intent. `offline` marks a sale sent after it was made. */
type CardRequest = { card: CardData; terminal: TerminalInfo; offline?: 'chip' | 'deferred'; finalIcc?: string };

/** POST /v1/payments: a sale (DB), a preauthorisation (PA) or a credit (CD) with a card. */
export const saleRequest = (intent: Intent, { card, terminal, offline, finalIcc }: CardRequest): CardParameters => {
  const icc = mergeIcc(card.icc, finalIcc);
  const [sred] = card.sred;
  return present({
    amount: printAmount(intent.amount),
    currency: intent.amount.currency,
    paymentType: operations[intent.operation].paymentType,
    merchantTransactionId: intent.sale,
    merchantInvoiceId: intent.bill?.id,
    // The goods of an offline sale are gone: a gateway that cannot store the card must not refuse its payment for that.
    createRegistration: intent.storeCard && offline === undefined ? 'true' : undefined,
    'pos.entryMode': card.entryMode,
    'pos.terminalId': intent.terminalId,
    'pos.deviceId': /^\d{1,32}$/.test(terminal.serial) ? terminal.serial : undefined,
    'pos.deviceType': deviceTypeOf(terminal.model),
    'pos.encryptedSred.data': sred?.data,
    'pos.encryptedSred.ksn': sred?.ksn,
    'pos.encryptedPin.data': card.pin?.data,
    'pos.encryptedPin.ksn': card.pin?.ksn,
    'pos.iccDataRequest': icc,
    ...locationOf(intent),
    'pos.panSequenceNumber': card.panSequence,
    'pos.pinEntryCapability': pinEntryOf(terminal, card),
    'pos.transactionSequenceNumber': String(intent.sequence),
    'pos.transactionSource': 'POS',
    'customParameters[offline]': offline,
    // The goods of an offline sale are gone: a part of their price is no answer to it.
    'customParameters[partialApproval]': intent.partial && offline === undefined ? 'true' : undefined,
  });
};

/** Out of the intent, not the configuration of the moment: a request that is sent again is sent as it was. */
const locationOf = ({ location }: Intent): Parameters =>
  location === undefined
    ? {}
    : present({
        'pos.location.latitude': location.latitude,
        'pos.location.longitude': location.longitude,
        'pos.location.accuracy': location.accuracy,
      });

/** A PIN that was entered proves that one can be. Of a terminal that does not tell nothing is said. */
const pinEntryOf = ({ hasPinPad }: TerminalInfo, { pin }: CardData): string | undefined => {
  if (pin !== undefined || hasPinPad === true) return 'PIN_ENTRY_AVAILABLE';
  return hasPinPad === false ? 'PIN_ENTRY_UNAVAILABLE' : undefined;
};

/** What a gift card is paid with. In memory only, from the person who types it to the request. */
export type GiftCardSecret = { readonly number: string; readonly pin?: string };

/** POST /v1/payments: paid by a gift card (spec 2.26), without a terminal. */
export const giftCardRequest = (intent: Intent, { number, pin }: GiftCardSecret): Parameters =>
  present({
    amount: printAmount(intent.amount),
    currency: intent.amount.currency,
    paymentType: operations[intent.operation].paymentType,
    paymentBrand: 'GIFTCARD',
    merchantTransactionId: intent.sale,
    merchantInvoiceId: intent.bill?.id,
    'giftCard.number': number,
    'giftCard.pin': pin,
    'customParameters[partialApproval]': intent.partial ? 'true' : undefined,
  });

/**
 * POST /v1/payments/{id}: RF, PA and CP of an amount; RV of all that is left. The same intent gives the same body. By
 * its till and number a request is known again, and its answer has what the issuer says to a terminal: its code.
 */
export const followRequest = (intent: Intent): Parameters => {
  const { operation, amount, sale, terminalId, sequence, final } = intent;
  const { paymentType } = operations[operation];
  const asked: Parameters = paymentType === 'RV' ? {} : { amount: printAmount(amount), currency: amount.currency };
  return {
    ...asked,
    paymentType,
    ...(final && { sequence: 'FINAL' }),
    merchantTransactionId: sale,
    'pos.terminalId': terminalId,
    ...locationOf(intent),
    'pos.transactionSequenceNumber': String(sequence),
    'pos.transactionSource': 'POS',
  };
};

/** What a till takes back by itself: it is no operation of the terminal's count. */
export const reversalRequest = (sale: string): Parameters => ({ paymentType: 'RV', merchantTransactionId: sale });

/** The first answer's tags, each replaced by the card's last word on it where there is one. */
const mergeIcc = (first: string | undefined, last: string | undefined): string | undefined => {
  if (first === undefined || last === undefined) return last ?? first;
  const later = decodeTlv(fromHex(last));
  const replaced = new Set(later.map(({ tag }) => tag));
  const kept = decodeTlv(fromHex(first)).filter(({ tag }) => !replaced.has(tag));
  return toHex(encodeTlv([...kept, ...later]));
};

/** The request as text, to be sealed: an encrypted PIN never is. */
export const textOf = (parameters: CardParameters): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? value : toHex(value)]),
    ),
  );

// The pos.transactionSequenceNumber of a request that is sent anew: written here, and read here.

/** As many digits as the largest number that a sale can have. */
const SALE_DIGITS = String(Number.MAX_SAFE_INTEGER).length;
const RETRY_DIGITS = 9;

/**
 * A number that no sale has or will have, and the same for each try of the same retry: it has more digits than a sale's
 * own number can have. It has more than a card number too, so that nothing takes it for one.
 */
export const retryNumber = (own: string, again: number): string =>
  `9${own.padStart(SALE_DIGITS, '0')}${String(again).padStart(RETRY_DIGITS, '0')}`;

const written = new RegExp(`^9(\\d{${SALE_DIGITS}})\\d{${RETRY_DIGITS}}$`);

/** The sale's own number, of a first request or of a retry; 0 for what is none. */
export const saleNumberIn = (text: string): number => {
  const own = Number(written.exec(text)?.[1] ?? text);
  return /^\d+$/.test(text) && Number.isSafeInteger(own) ? own : 0;
};
