/** A sale as the journal tells it → its line in the books. */
import { printMoney } from '../../base/money.ts';
import { brandOfAid, brandOfPan } from '../../emv/brands.ts';
import { caseOf, places } from '../../reconciliation/places.ts';
import type { BookLine } from '../../reconciliation/report.ts';
import { accountOf, empty, standingOf, whereabouts } from '../../reconciliation/whereabouts.ts';
import { isUnread, type Sale } from '../../till/machine/sale.ts';
import { NO_CASHIER } from '../../words/names.ts';
import { whyWords } from '../../words/reports.ts';

/** What a line is told beside its sale. */
export type Around = {
  /** What follows it, as far as it counts here. */
  followers?: readonly Sale[];
  /** What it follows itself, and the sale at the start of that chain: a refund has the card of its sale. */
  parent?: Sale | undefined;
  origin?: Sale | undefined;
  /** An increment of a preauthorisation that stands in the same books. */
  isCountedThere?: boolean;
};

export const bookLine = (
  sale: Sale,
  { followers = [], parent, origin = sale, isCountedThere }: Around = {},
): BookLine => {
  const { intent } = sale;
  const { intended, beyond, buckets } = isCountedThere ? nowhere : whereabouts(sale, followers);
  const open = openOf(sale);
  return {
    sale: intent.sale,
    receipt: intent.receipt,
    at: intent.at,
    operation: intent.operation,
    currency: intent.amount.currency,
    asked: intent.amount.minor,
    intended,
    beyond,
    buckets,
    moved: movedBy(sale, parent?.intent.operation),
    tip: intent.tip?.minor ?? 0n,
    brand: brandOf(sale) ?? brandOf(origin) ?? 'OTHER',
    entryMode: entryModeOf(sale) ?? entryModeOf(origin) ?? 'NONE',
    cashier: intent.cashier ?? NO_CASHIER,
    ...(intent.program && { program: intent.program }),
    offline: sale.at === 'ended' && sale.offline !== undefined,
    ending: sale.at === 'ended' ? sale.ending : 'underWay',
    ...(intent.by === 'terminal' && { byTerminal: true as const }),
    ...(intent.learned && { learned: true as const }),
    ...(open && { open }),
  };
};

const nowhere = { intended: 0n, beyond: 0n, buckets: empty };

/** Undefined where no card was read. */
export const entryModeOf = ({ card, terminal, intent }: Sale): string | undefined =>
  card?.entryMode ?? terminal?.payment?.entryMode ?? (intent.giftCard && 'GIFTCARD');

/** What a sale has moved by itself, in minor units; `followed` is the operation of what it follows. */
export const movedBy = (sale: Sale, followed: Sale['intent']['operation'] | undefined): bigint => {
  const { operation, approved } = standingOf(sale);
  const account = accountOf[operation];
  // A void goes the other way than what it takes back.
  if (operation === 'void' && followed !== undefined && accountOf[followed] === 'returns') return approved;
  if (account === 'charges') return approved;
  return account === 'returns' ? -approved : 0n;
};

/** As the host API names brands; undefined where neither chip nor number tells. */
export const brandOf = ({ card, chip, terminal, intent }: Sale): string | undefined => {
  if (intent.giftCard !== undefined) return 'GIFTCARD';
  const aid = chip?.aid ?? card?.aid ?? terminal?.payment?.aid;
  const pan = card?.maskedPan ?? terminal?.payment?.maskedPan;
  return (aid === undefined ? undefined : brandOfAid(aid)) ?? (pan === undefined ? undefined : brandOfPan(pan));
};

const SEND = 'npm run till -- queue --send';

/** What is not at an end, in words: why, and what a person does. */
const openOf = (sale: Sale): BookLine['open'] => {
  const { intent } = sale;
  const name = caseOf(sale);
  const amount = printMoney(intent.amount);
  if (sale.at !== 'ended') return { amount, place: 'unknown', why: whyWords.unfinished, next: 'Wait for its end.' };
  if (name === 'stored') return { amount, place: 'notSent', why: whyWords.storedNotSent, next: `Send it: ${SEND}` };
  if (name === 'reversalDue') return { amount, place: 'unknown', why: whyWords.reversalDue, next: `Send it: ${SEND}` };
  if (isUnread(sale))
    return { amount, place: 'unknown', why: whyWords.newerVersion, next: 'Start the newer version of this program.' };
  if (places[name].place !== 'unknown') return undefined;
  const asked = `Look it up, then: npm run till -- resolve ${intent.receipt} --charged (or --not-charged) --reason … --evidence …`;
  const why = sale.differs ?? sale.why ?? whyWords.nobodySaid;
  return {
    amount,
    place: 'unknown',
    why,
    next: sale.forPerson ? asked : `Ask about it: npm run till -- resolve ${intent.receipt}`,
  };
};
