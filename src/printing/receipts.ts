/** Turns a sale from the journal into a customer's or merchant's receipt. */
import type { DisplayMode } from '../base/mode.ts';
import { zoneMinutesAt } from '../base/wall-time.ts';
import { brandOfAid, brandOfPan } from '../emv/brands.ts';
import type { Config } from '../folder/config.ts';
import type { ReceiptContext } from '../ledger/bills.ts';
import { type Reason, reasonWords } from '../locales/messages/en/reasons.ts';
import type { ReceiptFacts } from '../receipt/facts.ts';
import { type Copy, type ReceiptLook, receiptOf } from '../receipt/receipt.ts';
import type { Row } from '../receipt/rows.ts';
import { receiptText, type Width } from '../receipt/text.ts';
import type { CardFacts, ChipFacts } from '../till/machine/facts.ts';
import { operations } from '../till/machine/operations.ts';
import type { EndedSale } from '../till/machine/sale.ts';

export type ReceiptOptions = { mode: DisplayMode; copy: Copy; width: Width; duplicate?: true; about?: ReceiptContext };

/** The lines of a finished sale's receipt. `about` adds its bill, its hold and the payment before it. */
export const receiptLines = (
  sale: EndedSale,
  config: Config,
  { mode, copy, width, duplicate, about = {} }: ReceiptOptions,
): string[] => receiptText(receiptOf(receiptFacts(sale, config, { about, mode }), { copy, duplicate }), width);

export type RowsOptions = ReceiptLook & { about: ReceiptContext; mode: DisplayMode; inEnglish: boolean };

/**
 * The rows of a finished sale's receipt, with what the store adds. The till's reasons are in English, so a customer's
 * receipt in another language shows only the result, unless a person decided it.
 */
export const receiptRows = (sale: EndedSale, config: Config, options: RowsOptions): Row[] => {
  const { about, mode, inEnglish, ...look } = options;
  const { reason, ...facts } = receiptFacts(sale, config, { about, mode });
  const says = inEnglish || look.copy === 'merchant' || sale.forced !== undefined || sale.differs !== undefined;
  return receiptOf(
    { ...facts, reason: says ? reason : undefined, code: config.paper?.codes === false ? undefined : sale.intent.sale },
    look,
  );
};

const receiptFacts = (
  sale: EndedSale,
  { merchant, businessDay }: Config,
  { about, mode }: { about: ReceiptContext; mode: DisplayMode },
): ReceiptFacts => {
  const { intent, answer, ending, reason, offline, forwarded } = sale;
  const { vat, ...rest } = merchant;
  return {
    mode,
    merchant: { ...rest, id: answer?.merchantId ?? merchant.id, vat },
    terminalId: intent.terminalId,
    receiptNumber: String(intent.receipt).padStart(6, '0'),
    traceNumber: String(intent.sequence).padStart(6, '0'),
    at: intent.at,
    zoneMinutes: zoneMinutesAt(intent.at, businessDay?.timeZone),
    operation: intent.operation,
    originalReceiptNumber: intent.follows && String(intent.follows.receipt).padStart(6, '0'),
    cashier: intent.cashier,
    ...amountsOf(sale, about),
    ...cardFactsOf(sale, about),
    ...codeOf(sale, about),
    ending,
    offline: forwarded === undefined ? offline : undefined,
    statusText: isResultOfSale(sale) ? answer?.statusText : undefined,
    asks: intent.by !== 'terminal' ? undefined : sale.forPerson === true ? 'store' : 'terminal',
    reason: ending === 'approved' && sale.forced === undefined ? undefined : resultText(sale),
    reversed: sale.reversal === 'done' || undefined,
    neverSent: (ending === 'approved' && reason === 'voidedBeforeSending') || undefined,
    ...(intent.by === 'terminal' && terminalFacts(sale)),
  };
};

/** A completion is charged with the approval code of the payment it completes. */
const codeOf = ({ ending, answer, intent }: EndedSale, { followed }: ReceiptContext): Partial<ReceiptFacts> => {
  const earlier = intent.operation === 'completion' ? followed?.answer?.authorisationCode : undefined;
  const authorisationCode = answer?.authorisationCode ?? earlier;
  return authorisationCode !== undefined && ending === 'approved' ? { authorisationCode } : {};
};

/** The approved amount is shown. After a partial approval the share of the tip is undefined, so none is shown. */
const amountsOf = (
  sale: EndedSale,
  { bill, heldInAll, heldUntil }: ReceiptContext,
): Partial<ReceiptFacts> & AmountOf => {
  const { intent, answer, ending } = sale;
  const part = ending === 'approved' ? answer?.approved : undefined;
  return {
    amount: part ?? intent.amount,
    requested: part && intent.amount,
    tip: part === undefined && intent.tip !== undefined && intent.tip.minor > 0n ? intent.tip : undefined,
    bill,
    heldInAll,
    heldUntil,
    balance: answer?.balance,
  };
};

type AmountOf = Pick<ReceiptFacts, 'amount'>;

/** The card of this sale. A follow-up shows its payment's card, without the chip results and PIN checks. */
const cardFactsOf = ({ card, chip, intent }: EndedSale, { followed }: ReceiptContext): Partial<ReceiptFacts> => {
  if (card !== undefined) return { card: cardOf(card, chip) };
  const gift = intent.giftCard ?? followed?.intent.giftCard;
  if (gift !== undefined) return { card: { maskedPan: gift.maskedNumber, label: 'GIFT CARD' } };
  if (followed?.card === undefined) return {};
  const { maskedPan, label, aid, brand } = cardOf(followed.card, followed.chip);
  return { card: { maskedPan, label, brand, aid } };
};

/** A terminal that authorises by itself decides what is printed; its text from before a reversal no longer applies. */
const terminalFacts = ({ terminal, ending, reversal }: EndedSale): Partial<ReceiptFacts> => {
  const { payment, slip } = terminal ?? {};
  const holds = ending === 'approved' || (ending === 'declined' && reversal === undefined);
  const {
    authorisationCode,
    traceNumber,
    maskedPan = '',
    entryMode,
    verification = 'none',
    cardName,
    aid,
  } = payment ?? {};
  const brand = aid === undefined ? undefined : brandOfAid(aid);
  return {
    slip: holds ? slip : undefined,
    // What the terminal does not provide is taken from the sale.
    ...(authorisationCode !== undefined && ending === 'approved' && { authorisationCode }),
    ...(traceNumber !== undefined && { traceNumber }),
    ...(payment && { card: { maskedPan, verification, entryMode, aid, label: cardName, brand } }),
  };
};

/** A contradiction is for the store to resolve: its receipts do not mention it. */
const resultText = (sale: EndedSale): string =>
  sale.differs === undefined
    ? `${reasonText(sale.reason, sale.why)}${forcedText(sale)}`
    : 'The store is looking into it';

/** Says that a person decided it, and in what role: names of staff do not belong on the customer's receipt. */
const forcedText = ({ forced }: EndedSale): string =>
  forced === undefined ? '' : ` (forced by the ${forced.role ?? 'staff'})`;

const reasonText = (reason: Reason, cause: string | undefined): string => {
  const { paper: paperText, says } = reasonWords(reason, cause);
  return paperText ?? says;
};

/** The gateway's APPROVED must not be on the receipt of a sale that ended otherwise after it. */
const isResultOfSale = ({ reason, intent }: EndedSale): boolean =>
  reason === operations[intent.operation].done || reason === 'declinedByHost';

const cardOf = (
  { panSequence: _, sredCount: __, mayHoldPin, verification: first, ...read }: CardFacts,
  chip: ChipFacts = {},
): NonNullable<ReceiptFacts['card']> => {
  const card = { ...read, ...chip };
  // A device that hides the PIN reports none, so no receipt may claim that there was none.
  const verification = chip.verification ?? (mayHoldPin && first === 'none' ? undefined : first);
  const brand = (card.aid === undefined ? undefined : brandOfAid(card.aid)) ?? brandOfPan(card.maskedPan);
  return { ...card, verification, brand };
};
