/** Money of a batch that is unknown or unsent: what a close is refused for, and what an override names. */
export type OpenMoney = {
  readonly sale: string;
  readonly receipt: number;
  /** As people write it: `12.50 EUR`. */
  readonly amount: string;
  readonly place: 'unknown' | 'notSent';
  readonly why: string;
  readonly next: string;
};

/** A line of the books, as far as it may be open. */
type MaybeOpen = Pick<OpenMoney, 'sale' | 'receipt'> & { readonly open?: Omit<OpenMoney, 'sale' | 'receipt'> };

/** In the order of their receipts. Sales that were proved never to have been sent are at an end. */
export const openMoneyOf = (lines: readonly MaybeOpen[]): OpenMoney[] =>
  lines.flatMap(({ sale, receipt, open }) => (open === undefined ? [] : [{ sale, receipt, ...open }]));

/** What an override does not name, or names with another amount or another place. */
export const notNamed = (open: readonly OpenMoney[], named: readonly OpenMoney[]): OpenMoney[] =>
  open.filter(
    ({ sale, amount, place }) =>
      !named.some((one) => one.sale === sale && one.amount === amount && one.place === place),
  );

// Money of sales that were taken offline and are not paid, as X and Z reports name it. Whatever batch they are in.

/** declined: when it was sent. part: approved for less. expired: never sent in time. givenUp: by a person. */
export type UnpaidWhy = 'declined' | 'part' | 'expired' | 'givenUp';

export type UnpaidMoney = {
  readonly sale: string;
  readonly receipt: number;
  /** The batch of the sale. */
  readonly batch: number;
  /** What is missing, as people write it: `12.50 EUR`. */
  readonly amount: string;
  readonly why: UnpaidWhy;
};

/** One that was unpaid and is at its end. */
export type UnpaidOver = {
  readonly receipt: number;
  readonly batch: number;
  /** What had not come at first. */
  readonly amount: string;
  readonly how: 'chargedAgain' | 'settledOtherwise' | 'writtenOff';
  /** Receipts of the sales that brought it, or a part of it. */
  readonly again?: readonly number[];
  /** Who answered for what was missing then, and why. */
  readonly by?: string;
  readonly reason?: string;
};

/** What a Z report says of them, where there is any. */
export type ReportedUnpaid = { readonly unpaid?: readonly UnpaidMoney[]; readonly unpaidOver?: readonly UnpaidOver[] };

/** Without those whose end was the last that an earlier report told of them. Reports in their order. */
export const unreportedEnds = (over: readonly UnpaidOver[], reports: Iterable<ReportedUnpaid>): UnpaidOver[] => {
  const ended = new Set<number>();
  for (const { unpaid = [], unpaidOver = [] } of reports) {
    for (const { receipt } of unpaid) ended.delete(receipt);
    for (const { receipt } of unpaidOver) ended.add(receipt);
  }
  return over.filter(({ receipt }) => !ended.has(receipt));
};
