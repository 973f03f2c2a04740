/** A sale as the journal tells it → the receipt in a customer's or a merchant's hand. */
import { brandOfAid, brandOfPan } from '../emv/brands.ts';
import type { ReceiptFacts } from '../receipt/facts.ts';
import { type Copy, receiptOf } from '../receipt/receipt.ts';
import { receiptText, type Width } from '../receipt/text.ts';
import type { CardFacts, ChipFacts } from '../till/facts.ts';
import { type Reason, reasonWords } from '../till/reasons.ts';
import type { EndedSale } from '../till/sale.ts';
import type { Config } from './config.ts';

export type ReceiptOptions = { copy: Copy; width: Width; duplicate?: true };

/** The lines of a finished sale's receipt. */
export const receiptLines = (sale: EndedSale, config: Config, { copy, width, duplicate }: ReceiptOptions): string[] =>
  receiptText(receiptOf(receiptFacts(sale, config), { copy, ...(duplicate && { duplicate }) }), width);

const receiptFacts = (sale: EndedSale, { merchant, terminalId }: Config): ReceiptFacts => {
  const { intent, card, answer, chip, ending, reason, why, offline, forwarded } = sale;
  const { vat, ...rest } = merchant;
  return {
    merchant: { ...rest, id: answer?.merchantId ?? merchant.id, ...(vat !== undefined && { vat }) },
    terminalId,
    receiptNumber: String(intent.receipt).padStart(6, '0'),
    traceNumber: String(intent.sequence).padStart(6, '0'),
    at: intent.at,
    zoneMinutes: -new Date(intent.at).getTimezoneOffset(),
    operation: intent.operation,
    ...(intent.follows && { originalReceiptNumber: String(intent.follows.receipt).padStart(6, '0') }),
    amount: intent.amount,
    ...(card && { card: cardOf(card, chip) }),
    ...(answer?.authorisationCode !== undefined &&
      ending === 'approved' && { authorisationCode: answer.authorisationCode }),
    ending,
    ...(offline && forwarded === undefined && { offline }),
    ...(answer?.statusText !== undefined && speaksForSale(sale) && { statusText: answer.statusText }),
    ...(ending !== 'approved' && { reason: paperWords(reason, why) }),
    ...(sale.reversal === 'done' && { reversed: true }),
    ...(intent.by === 'terminal' && terminalFacts(sale)),
  };
};

/** A terminal that authorises by itself says what is to stand there; what it said before a reversal does not hold. */
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
    ...(slip !== undefined && holds && { slip }),
    ...(authorisationCode !== undefined && ending === 'approved' && { authorisationCode }),
    ...(traceNumber !== undefined && { traceNumber }),
    ...(payment && {
      card: {
        maskedPan,
        verification,
        ...(entryMode && { entryMode }),
        ...(aid !== undefined && { aid }),
        ...(cardName !== undefined && { label: cardName }),
        ...(brand !== undefined && { brand }),
      },
    }),
  };
};

const paperWords = (reason: Reason, why: string | undefined): string => {
  const { paper, says } = reasonWords(reason, why);
  return paper ?? says;
};

/** The gateway's APPROVED must not stand on a receipt of a sale that ended otherwise after it. */
const speaksForSale = ({ reason }: EndedSale): boolean => ['approved', 'refunded', 'declinedByHost'].includes(reason);

const cardOf = (
  { panSequence: _, mayHoldPin, verification: first, ...read }: CardFacts,
  chip: ChipFacts = {},
): NonNullable<ReceiptFacts['card']> => {
  const card = { ...read, ...chip };
  // A device that hides the PIN says nothing of it: no paper may say that there was none.
  const verification = chip.verification ?? (mayHoldPin && first === 'none' ? undefined : first);
  const brand = (card.aid === undefined ? undefined : brandOfAid(card.aid)) ?? brandOfPan(card.maskedPan);
  return { ...card, ...(verification && { verification }), ...(brand !== undefined && { brand }) };
};
