/** The state of an unpaid sale: how much is still missing, and who has answered for it. Pure. */
import { type Money, money } from '../base/money.ts';
import { whereabouts } from '../reconciliation/whereabouts.ts';
import { missingOf } from '../till/machine/ended-rules.ts';
import { isOpen, type Sale } from '../till/machine/sale.ts';
import type { EndedSale } from '../till/machine/states.ts';

/**
 * open: somebody has to deal with it. charging: a new sale charges it and has not ended yet. chargedAgain: new sales
 * brought all of the money. The others are a person's decision.
 */
export type UnpaidState = 'open' | 'charging' | 'chargedAgain' | 'settledOtherwise' | 'writtenOff';

export type Unpaid = {
  readonly sale: EndedSale;
  readonly state: UnpaidState;
  /**
   * The amount still unpaid: zero once it was charged again. After a person's decision, the amount they answered for.
   */
  readonly missing: Money;
  /** Sales that charged it again, oldest first. */
  readonly tries: readonly Sale[];
};

/** A sale that charges an unpaid one again, with the operations that followed. */
export type Try = { readonly sale: Sale; readonly followers: readonly Sale[] };

/** Undefined for a sale with nothing missing. */
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

/** Money that was refunded afterwards had still been paid; money that was voided had not. */
const paidBy = ({ sale, followers }: Try): bigint => {
  if (isOpen(sale)) return 0n;
  const { approved, refunded, held, completed } = whereabouts(sale, followers).buckets;
  return approved + refunded + held + completed;
};

/** Whether the sale, or a void of it, has not ended yet. */
export const isUnderWay = ({ sale, followers }: Try): boolean =>
  isOpen(sale) || followers.some((one) => one.intent.operation === 'void' && isOpen(one));

/** Finds sales, their follow-ups and their tries by id. */
export type SaleSource = {
  saleOf(id: string): Sale | undefined;
  followersOf(id: string): readonly string[];
  triesOf(id: string): readonly string[];
};

/** The same, and looks up the tries only where something is missing. */
export const unpaidAmong = ({ saleOf, followersOf, triesOf }: SaleSource, sale: Sale): Unpaid | undefined => {
  if (missingOf(sale) === undefined) return undefined;
  const tries = triesOf(sale.intent.sale).flatMap((id): Try[] => {
    const tried = saleOf(id);
    return tried === undefined ? [] : [{ sale: tried, followers: followersOf(id).flatMap((one) => saleOf(one) ?? []) }];
  });
  return unpaidOf(sale, tries);
};

// Whether an unpaid sale was charged again with another card, judged by what is stored of the card number.

/** The last four digits of the unpaid sale's card, and of the card presented now. */
export type CardPair = { readonly before: string; readonly now: string };

/** Undefined when it is the same card, or when one of the two is unknown. */
export const otherCardOf = (unpaid: Sale, retry: Sale): CardPair | undefined => {
  const [before, now] = [numberOf(unpaid), numberOf(retry)];
  if (before === undefined || now === undefined || !differ(before, now)) return undefined;
  return { before: before.slice(-4), now: now.slice(-4) };
};

/** Scheme limits treat two cards with the same number as different when their sequence numbers differ. */
export const isOtherCard = (unpaid: Sale, retry: Sale): boolean =>
  otherCardOf(unpaid, retry) !== undefined || sequencesDiffer(unpaid.card?.panSequence, retry.card?.panSequence);

const sequencesDiffer = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Of the sales that charged it again, those with another card, oldest first. `receipt` is that of the new sale. */
export const otherCardsOf = ({ sale, tries }: Pick<Unpaid, 'sale' | 'tries'>): (CardPair & { receipt: number })[] =>
  tries.flatMap((one) => {
    const other = otherCardOf(sale, one);
    return other === undefined ? [] : [{ receipt: one.intent.receipt, ...other }];
  });

const numberOf = ({ card, terminal }: Sale): string | undefined => {
  const number = card?.maskedPan ?? terminal?.payment?.maskedPan;
  return number !== undefined && /\d{4}$/.test(number) ? number : undefined;
};

/** Terminals mask different numbers of digits: only the digits that both show are compared, from the right. */
const differ = (one: string, other: string): boolean => {
  const least = Math.min(one.length, other.length);
  const [a, b] = [one.slice(-least), other.slice(-least)];
  return [...a].some((digit, i) => isDigit(digit) && isDigit(b[i]) && digit !== b[i]);
};

const isDigit = (text = ''): boolean => /^\d$/.test(text);
