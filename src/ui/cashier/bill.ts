/** A bill that is paid with several payments: the planned parts, and which one comes next. Minor units throughout. */
import type { SaleDetail } from '../../api/contract/sales.ts';
import { minorOf } from './amount.ts';

export type SplitBill = {
  total: bigint;
  /** The planned parts in order; a part for any remainder comes last. */
  parts: readonly bigint[];
  /** The receipt of its first payment, once one began. */
  first?: number;
};

export type BillSums = { paid: bigint; left: bigint; unknown: bigint };

/** The bill's sums from the books; nothing is paid until it has a payment. */
export const sumsOf = ({ total }: SplitBill, detail: SaleDetail | undefined): BillSums => {
  const found = detail?.bill;
  if (found === undefined) return { paid: 0n, left: total, unknown: 0n };
  return { paid: minorOf(found.paid.amount), left: minorOf(found.left.amount), unknown: minorOf(found.unknown.amount) };
};

/** The next part: up to the planned boundary after what is paid, and never more than what is left. */
export const nextPart = ({ parts }: SplitBill, { paid, left }: BillSums): bigint => {
  let border = 0n;
  for (const part of parts) {
    border += part;
    if (border > paid) return border - paid < left ? border - paid : left;
  }
  return left;
};

const KEY = 'tillgate.bill';

type BillStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The bill being split on this page, kept across reloads. */
export const billStore = (storage: BillStorage) => ({
  get(): SplitBill | undefined {
    try {
      const { total, parts, first } = JSON.parse(storage.getItem(KEY) ?? '') as Record<
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
    if (bill === undefined) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify({ ...bill, total: String(bill.total), parts: bill.parts.map(String) }));
  },
});
