/** Whether a sale that asks for the money of an unpaid one was paid with another card, by what is kept of a number. */
import type { Sale } from '../till/machine/sale.ts';
import type { Unpaid } from './unpaid.ts';

/** The last four digits of the unpaid sale's card, and of the card that was brought for it. */
export type CardPair = { readonly before: string; readonly now: string };

/** Undefined where it is the same card, and where one of the two is not known. */
export const otherCardOf = (unpaid: Sale, again: Sale): CardPair | undefined => {
  const [before, now] = [numberOf(unpaid), numberOf(again)];
  if (before === undefined || now === undefined || !differ(before, now)) return undefined;
  return { before: before.slice(-4), now: now.slice(-4) };
};

/** For a scheme's limit of tries two cards of one number are two, told apart by their sequence numbers. */
export const isOtherCard = (unpaid: Sale, again: Sale): boolean =>
  otherCardOf(unpaid, again) !== undefined || sequencesDiffer(unpaid.card?.panSequence, again.card?.panSequence);

const sequencesDiffer = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Of the sales that asked for its money those with another card, oldest first; `receipt` is theirs. */
export const otherCardsOf = ({ sale, tries }: Pick<Unpaid, 'sale' | 'tries'>): (CardPair & { receipt: number })[] =>
  tries.flatMap((one) => {
    const other = otherCardOf(sale, one);
    return other === undefined ? [] : [{ receipt: one.intent.receipt, ...other }];
  });

const numberOf = ({ card, terminal }: Sale): string | undefined => {
  const number = card?.maskedPan ?? terminal?.payment?.maskedPan;
  return number !== undefined && /\d{4}$/.test(number) ? number : undefined;
};

/** Terminals mask more or fewer digits: those are compared that both show, from the right. */
const differ = (one: string, other: string): boolean => {
  const least = Math.min(one.length, other.length);
  const [a, b] = [one.slice(-least), other.slice(-least)];
  return [...a].some((digit, at) => isDigit(digit) && isDigit(b[at]) && digit !== b[at]);
};

const isDigit = (text = ''): boolean => /^\d$/.test(text);
