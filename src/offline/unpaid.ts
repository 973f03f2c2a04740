/** Where the money of an unpaid sale stands: what is still missing, and who has answered for it. Pure. */
import { type Money, money } from '../base/money.ts';
import { whereabouts } from '../reconciliation/whereabouts.ts';
import { missingOf } from '../till/machine/ended-rules.ts';
import { isOpen, type Sale } from '../till/machine/sale.ts';
import type { EndedSale } from '../till/machine/states.ts';

/**
 * open: somebody has to see to it. charging: a new sale asks for it, and has no ending yet. chargedAgain: new sales
 * brought all of it. The others are a person's word.
 */
export type UnpaidState = 'open' | 'charging' | 'chargedAgain' | 'settledOtherwise' | 'writtenOff';

export type Unpaid = {
  readonly sale: EndedSale;
  readonly state: UnpaidState;
  /** What has not been paid: nothing once it was charged again, and what a person answered for after that. */
  readonly missing: Money;
  /** Sales that asked for it once more, oldest first. */
  readonly tries: readonly Sale[];
};

/** A sale that asks once more, with what followed it. */
export type Try = { readonly sale: Sale; readonly followers: readonly Sale[] };

/** Undefined for a sale of which nothing is missing. */
export const unpaidOf = (sale: Sale, tries: readonly Try[]): Unpaid | undefined => {
  const all = missingOf(sale);
  if (all === undefined || sale.at !== 'ended') return undefined;
  const paid = tries.reduce((sum, one) => sum + paidBy(one), 0n);
  const left = money(paid < all.minor ? all.minor - paid : 0n, all.currency);
  const known = { sale, missing: left, tries: tries.map((one) => one.sale) };
  if (sale.unpaidEnd !== undefined) return { ...known, state: sale.unpaidEnd.how };
  if (left.minor === 0n) return { ...known, state: 'chargedAgain' };
  return { ...known, state: tries.some(isUnderWay) ? 'charging' : 'open' };
};

/** What was given back to the customer afterwards was paid all the same; what was voided never was. */
const paidBy = ({ sale, followers }: Try): bigint => {
  if (isOpen(sale)) return 0n;
  const { approved, refunded, held, completed } = whereabouts(sale, followers).buckets;
  return approved + refunded + held + completed;
};

/** A try without an ending, or one whose void has none. */
export const isUnderWay = ({ sale, followers }: Try): boolean =>
  isOpen(sale) || followers.some((one) => one.intent.operation === 'void' && isOpen(one));

/** Where sales, what follows them, and their tries are found by id. */
export type SaleSource = {
  saleOf(id: string): Sale | undefined;
  followersOf(id: string): readonly string[];
  triesOf(id: string): readonly string[];
};

/** The same with its tries looked up: only where something is missing. */
export const unpaidAmong = ({ saleOf, followersOf, triesOf }: SaleSource, sale: Sale): Unpaid | undefined => {
  if (missingOf(sale) === undefined) return undefined;
  const tries = triesOf(sale.intent.sale).flatMap((id): Try[] => {
    const tried = saleOf(id);
    return tried === undefined ? [] : [{ sale: tried, followers: followersOf(id).flatMap((one) => saleOf(one) ?? []) }];
  });
  return unpaidOf(sale, tries);
};

// Whether a sale that asks for the money of an unpaid one was paid with another card, by what is kept of a number.

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
