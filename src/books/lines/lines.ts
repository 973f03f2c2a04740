/** Makes the line of a sale in the books from the sale in the journal. */
import { printMoney } from '../../base/money.ts';
import { brandOfAid, brandOfPan } from '../../emv/brands.ts';
import { NO_CASHIER } from '../../locales/names.ts';
import { whyWords } from '../../locales/reports.ts';
import { caseOf, places } from '../../reconciliation/places.ts';
import { type BookLine, decimal } from '../../reconciliation/report.ts';
import { accountOf, empty, intentMoneyOf, whereabouts } from '../../reconciliation/whereabouts.ts';
import { isUnread, type Sale } from '../../till/machine/sale.ts';

/** What a line needs besides its sale. */
export type LineContext = {
  /** The operations that follow it, as far as they count here. */
  followers?: readonly Sale[];
  /** The sale that it follows, and the first sale of that chain: a refund uses the card of its sale. */
  parent?: Sale | undefined;
  origin?: Sale | undefined;
  /** Whether the sale is an increment that is counted at its pre-authorisation in the same books. */
  isCountedThere?: boolean;
};

export const bookLine = (
  sale: Sale,
  { followers = [], parent, origin = sale, isCountedThere }: LineContext = {},
): BookLine => {
  const { intent } = sale;
  const { intended, beyond, buckets } = isCountedThere ? noWhereabouts : whereabouts(sale, followers);
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
    program: intent.program,
    offline: sale.at === 'ended' && sale.offline !== undefined,
    ending: sale.at === 'ended' ? sale.ending : 'underWay',
    byTerminal: intent.by === 'terminal' || undefined,
    learned: intent.learned && true,
    open,
  };
};

const noWhereabouts = { intended: 0n, beyond: 0n, buckets: empty };

/** Undefined when no card was read. */
export const entryModeOf = ({ card, terminal, intent }: Sale): string | undefined =>
  card?.entryMode ?? terminal?.payment?.entryMode ?? (intent.giftCard && 'GIFTCARD');

/** The amount that a sale itself moved, in minor units. `followed` is the operation that it follows. */
export const movedBy = (sale: Sale, followed: Sale['intent']['operation'] | undefined): bigint => {
  const { operation, approved } = intentMoneyOf(sale);
  const account = accountOf[operation];
  // A void moves money in the opposite direction of the operation it voids.
  if (operation === 'void' && followed !== undefined && accountOf[followed] === 'returns') return approved;
  if (account === 'charges') return approved;
  return account === 'returns' ? -approved : 0n;
};

/** The brand's name in the host API. Undefined when neither the chip nor the number identifies it. */
export const brandOf = ({ card, chip, terminal, intent }: Sale): string | undefined => {
  if (intent.giftCard !== undefined) return 'GIFTCARD';
  const aid = chip?.aid ?? card?.aid ?? terminal?.payment?.aid;
  const pan = card?.maskedPan ?? terminal?.payment?.maskedPan;
  return (aid === undefined ? undefined : brandOfAid(aid)) ?? (pan === undefined ? undefined : brandOfPan(pan));
};

const SEND = 'npm run till -- queue --send';

/** Says why a sale is not finished, and what a person can do about it. */
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
  const reason = sale.differs ?? sale.why ?? whyWords.nobodySaid;
  return {
    amount,
    place: 'unknown',
    why: reason,
    next: sale.forPerson ? asked : `Ask about it: npm run till -- resolve ${intent.receipt}`,
  };
};

// The columns of a sale in a table, without its receipt, time and counter.

export type CardCells = { last4: string; brand?: string; entryMode?: string };

/** The card data that may be shown. Undefined when no card was read. */
export const cardOf = (sale: Sale): CardCells | undefined => {
  const { card, terminal, intent } = sale;
  const pan = card?.maskedPan ?? terminal?.payment?.maskedPan ?? intent.giftCard?.maskedNumber;
  const last4 = /(\d{4})$/.exec(pan ?? '')?.[1];
  if (last4 === undefined) return undefined;
  const entryMode = card?.entryMode ?? terminal?.payment?.entryMode;
  const brand = brandOf(sale);
  return { last4, brand, entryMode };
};

/** Whether the sale was taken without the bank's answer, which is still to come. */
export const isWaiting = (sale: Sale): boolean =>
  sale.at === 'ended' && sale.ending === 'approved' && sale.offline !== undefined && sale.forwarded === undefined;

/** The cells before and after the counter, whose name comes from the configuration. */
export type SaleCells = { readonly before: readonly Cell[]; readonly after: readonly Cell[] };
type Cell = string | number | null;

export const cellNames = {
  before: [
    'operation',
    'amount',
    'tip',
    'approved',
    'currency',
    'ending',
    'reason',
    'offline',
    'last4',
    'brand',
    'entryMode',
    'cashier',
  ],
  after: [
    'terminalId',
    'sequence',
    'authorisationCode',
    'paymentId',
    'merchantTransactionId',
    'followsReceipt',
    'keyMadeBy',
    'keyApprovedBy',
  ],
} as const;

/** `origin`: the first sale of the chain, whose card the following operations use. Amounts are signed decimals. */
export const saleCells = (sale: Sale, origin: Sale | undefined): SaleCells => {
  const { intent, answer, terminal } = sale;
  const { currency } = intent.amount;
  const approved = terminal?.payment?.amount ?? answer?.approved ?? intent.amount;
  const end = sale.at === 'ended' ? sale : undefined;
  const { last4, brand, entryMode } = cardOf(sale) ?? (origin && cardOf(origin)) ?? {};
  const offline = end?.offline;
  return {
    before: [
      intent.operation,
      decimal(intent.amount.minor, currency),
      intent.tip === undefined ? null : decimal(intent.tip.minor, currency),
      end?.ending === 'approved' ? decimal(approved.minor, currency) : '',
      currency,
      end?.ending ?? 'open',
      end?.reason ?? null,
      offline === undefined ? '' : isWaiting(sale) ? `${offline}, not sent` : offline,
      last4 ?? null,
      brand ?? null,
      entryMode ?? null,
      intent.cashier ?? null,
    ],
    after: [
      intent.terminalId,
      intent.sequence,
      answer?.authorisationCode ?? terminal?.payment?.authorisationCode ?? null,
      answer?.payment ?? null,
      intent.sale,
      intent.follows?.receipt ?? null,
      intent.program?.madeBy ?? null,
      intent.program?.approvedBy ?? null,
    ],
  };
};
