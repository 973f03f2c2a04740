/** Money of a batch that is unresolved or unsent: it blocks a close, and an override lists it. */
export type OpenMoney = {
  readonly sale: string;
  readonly receipt: number;
  /** Formatted for people: `12.50 EUR`. */
  readonly amount: string;
  readonly place: 'unknown' | 'notSent';
  readonly why: string;
  readonly next: string;
};

type OpenCandidate = Pick<OpenMoney, 'sale' | 'receipt'> & { readonly open?: Omit<OpenMoney, 'sale' | 'receipt'> };

/** The open money of these sales, in receipt order. Sales that were provably never sent are finished. */
export const openMoneyOf = (lines: readonly OpenCandidate[]): OpenMoney[] =>
  lines.flatMap(({ sale, receipt, open }) => (open === undefined ? [] : [{ sale, receipt, ...open }]));

/** Open money that an override does not list, or lists with a different amount or place. */
export const withoutNamed = (open: readonly OpenMoney[], named: readonly OpenMoney[]): OpenMoney[] =>
  open.filter(
    ({ sale, amount, place }) =>
      !named.some((one) => one.sale === sale && one.amount === amount && one.place === place),
  );

// Unpaid offline sales as X and Z reports list them, whatever batch they are in.

/** declined: when it was sent. part: approved for less. expired: not sent in time. givenUp: by a person. */
export type UnpaidReason = 'declined' | 'part' | 'expired' | 'givenUp';

export type UnpaidMoney = {
  readonly sale: string;
  readonly receipt: number;
  readonly batch: number;
  /** What is missing, formatted for people: `12.50 EUR`. */
  readonly amount: string;
  readonly why: UnpaidReason;
};

export type SettledUnpaid = {
  readonly receipt: number;
  readonly batch: number;
  /** The amount that was missing at first. */
  readonly amount: string;
  readonly how: 'chargedAgain' | 'settledOtherwise' | 'writtenOff';
  /** Receipts of the sales that brought the money, or part of it. */
  readonly again?: readonly number[];
  /** Who took responsibility for the rest, and why. */
  readonly by?: string;
  readonly reason?: string;
};

/** What a Z report says about unpaid sales, if there are any. */
export type ReportedUnpaid = {
  readonly unpaid?: readonly UnpaidMoney[];
  readonly unpaidOver?: readonly SettledUnpaid[];
};

/**
 * Leaves out sales whose settlement was the last thing that an earlier report said about them. Takes reports in order.
 */
export const unreportedEnds = (
  settledSales: readonly SettledUnpaid[],
  reports: Iterable<ReportedUnpaid>,
): SettledUnpaid[] => {
  const ended = new Set<number>();
  for (const { unpaid = [], unpaidOver = [] } of reports) {
    for (const { receipt } of unpaid) ended.delete(receipt);
    for (const { receipt } of unpaidOver) ended.add(receipt);
  }
  return settledSales.filter(({ receipt }) => !ended.has(receipt));
};
