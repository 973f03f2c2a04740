/** A bill that several payments pay: what was planned, and which part comes next. Minor units throughout. */
import type { SaleDetail } from '../../api/ports/selling.ts';
import { minorOf } from './amount.ts';

export type SplitBill = {
  total: bigint;
  /** Planned parts in order; what they leave open comes last. */
  parts: readonly bigint[];
  /** Receipt of its first payment, once one was begun. */
  first?: number;
};

export type BillSums = { paid: bigint; left: bigint; unknown: bigint };

/** What the books say of the bill; nothing paid as long as it has no payment. */
export const sumsOf = ({ total }: SplitBill, detail: SaleDetail | undefined): BillSums => {
  const found = detail?.bill;
  if (found === undefined) return { paid: 0n, left: total, unknown: 0n };
  return { paid: minorOf(found.paid.amount), left: minorOf(found.left.amount), unknown: minorOf(found.unknown.amount) };
};

/** The next part: up to the border that was planned behind what is paid, and never more than what is left. */
export const nextPart = ({ parts }: SplitBill, { paid, left }: BillSums): bigint => {
  let border = 0n;
  for (const part of parts) {
    border += part;
    if (border > paid) return border - paid < left ? border - paid : left;
  }
  return left;
};

const PLACE = 'tillgate.bill';

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The bill that this page is at, also over a reload. */
export const billOn = (shelf: Shelf) => ({
  get(): SplitBill | undefined {
    try {
      const { total, parts, first } = JSON.parse(shelf.getItem(PLACE) ?? '') as Record<
        'total' | 'parts' | 'first',
        never
      >;
      const planned = (parts as string[]).map(BigInt);
      return { total: BigInt(total), parts: planned, first: first && Number(first) };
    } catch {
      return undefined;
    }
  },
  set(bill: SplitBill | undefined): void {
    if (bill === undefined) shelf.removeItem(PLACE);
    else shelf.setItem(PLACE, JSON.stringify({ ...bill, total: String(bill.total), parts: bill.parts.map(String) }));
  },
});
