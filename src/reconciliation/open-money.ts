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
