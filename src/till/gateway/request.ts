/** Builds the host API's request from card data and intent (spec 2.2, 2.34). The same intent gives the same request. */
import type { CardData, TerminalInfo } from '../../../drivers/terminal.ts';
import { fromHex, toHex } from '../../base/hex.ts';
import { printAmount } from '../../base/money.ts';
import { withoutUndefined } from '../../base/present.ts';
import { deviceTypeOf } from '../../emv/device-models.ts';
import { decodeTlv, encodeTlv } from '../../emv/tlv.ts';
import type { Intent } from '../machine/facts.ts';
import { operations } from '../machine/operations.ts';
import type { CardParameters, Parameters } from '../ports.ts';

/** What the request contains besides the intent. `offline` marks a sale sent after it was made. */
type CardRequest = { card: CardData; terminal: TerminalInfo; offline?: 'chip' | 'deferred'; finalIcc?: string };

/** POST /v1/payments: a sale (DB), a preauthorisation (PA) or a credit (CD) with a card. */
export const saleRequest = (intent: Intent, { card, terminal, offline, finalIcc }: CardRequest): CardParameters => {
  const icc = mergeIcc(card.icc, finalIcc);
  const [sred] = card.sred;
  return withoutUndefined({
    amount: printAmount(intent.amount),
    currency: intent.amount.currency,
    paymentType: operations[intent.operation].paymentType,
    merchantTransactionId: intent.sale,
    merchantInvoiceId: intent.bill?.id,
    // The goods of an offline sale are gone: a gateway that cannot store the card must not refuse the payment for that.
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
    // The goods of an offline sale are gone: a partial approval makes no sense for it.
    'customParameters[partialApproval]': intent.partial && offline === undefined ? 'true' : undefined,
  });
};

/** Taken from the intent and not from the current configuration, so that a repeated request is unchanged. */
const locationOf = ({ location }: Intent): Parameters =>
  location === undefined
    ? {}
    : withoutUndefined({
        'pos.location.latitude': location.latitude,
        'pos.location.longitude': location.longitude,
        'pos.location.accuracy': location.accuracy,
      });

/** An entered PIN proves that there is a PIN pad. If the terminal does not report one, the field is left out. */
const pinEntryOf = ({ hasPinPad }: TerminalInfo, { pin }: CardData): string | undefined => {
  if (pin !== undefined || hasPinPad === true) return 'PIN_ENTRY_AVAILABLE';
  return hasPinPad === false ? 'PIN_ENTRY_UNAVAILABLE' : undefined;
};

/** The secrets of a gift card payment, kept in memory only, from the entry to the request. */
export type GiftCardSecret = { readonly number: string; readonly pin?: string };

/** POST /v1/payments: a payment by gift card (spec 2.26), without a terminal. */
export const giftCardRequest = (intent: Intent, { number, pin }: GiftCardSecret): Parameters =>
  withoutUndefined({
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
 * POST /v1/payments/{id}: RF, PA and CP of an amount; RV of all that is left. The same intent gives the same body. The
 * gateway recognises a repeated request by terminal id and number, and answers with the issuer's code.
 */
export const followRequest = (intent: Intent): Parameters => {
  const { operation, amount, sale, terminalId, sequence, final } = intent;
  const { paymentType } = operations[operation];
  const request: Parameters = paymentType === 'RV' ? {} : { amount: printAmount(amount), currency: amount.currency };
  return {
    ...request,
    paymentType,
    ...(final && { sequence: 'FINAL' }),
    merchantTransactionId: sale,
    'pos.terminalId': terminalId,
    ...locationOf(intent),
    'pos.transactionSequenceNumber': String(sequence),
    'pos.transactionSource': 'POS',
  };
};

/** A reversal that the till makes by itself: it is not part of the terminal's sequence of operations. */
export const reversalRequest = (sale: string): Parameters => ({ paymentType: 'RV', merchantTransactionId: sale });

/** The first answer's tags, each replaced by the card's final value if there is one. */
const mergeIcc = (first: string | undefined, last: string | undefined): string | undefined => {
  if (first === undefined || last === undefined) return last ?? first;
  const later = decodeTlv(fromHex(last));
  const replaced = new Set(later.map(({ tag }) => tag));
  const stored = decodeTlv(fromHex(first)).filter(({ tag }) => !replaced.has(tag));
  return toHex(encodeTlv([...stored, ...later]));
};

/** The request as text, to be sealed: it never contains an encrypted PIN. */
export const textOf = (parameters: CardParameters): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? value : toHex(value)]),
    ),
  );

// The pos.transactionSequenceNumber of a request that is sent as a new one: written here, and read here.

/** The number of digits of the largest number that a sale can have. */
const SALE_DIGITS = String(Number.MAX_SAFE_INTEGER).length;
const RETRY_DIGITS = 9;

/**
 * A number that no sale can have, the same for each try of the same retry: it has more digits than a sale's own number.
 * It also has more digits than a card number, so that nothing takes it for one.
 */
export const retryNumber = (own: string, again: number): string =>
  `9${own.padStart(SALE_DIGITS, '0')}${String(again).padStart(RETRY_DIGITS, '0')}`;

const retryPattern = new RegExp(`^9(\\d{${SALE_DIGITS}})\\d{${RETRY_DIGITS}}$`);

/** The sale's own number, from a first request or a retry; 0 for any other text. */
export const saleNumberIn = (text: string): number => {
  const own = Number(retryPattern.exec(text)?.[1] ?? text);
  return /^\d+$/.test(text) && Number.isSafeInteger(own) ? own : 0;
};
