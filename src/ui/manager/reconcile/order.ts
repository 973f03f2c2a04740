/** Which differences come first: those that nobody has resolved, the largest sum of money on top. */
import type { DifferenceRow } from '../../../api/ports/books.ts';
import { difference, heightOf } from '../cents.ts';

const sizeOf = ({ till, settled }: DifferenceRow): number => {
  const off = difference(settled, till);
  return off === undefined ? Number.POSITIVE_INFINITY : Math.abs(heightOf(off.amount));
};

export const ordered = (rows: readonly DifferenceRow[]): DifferenceRow[] =>
  rows.toSorted(
    (left, right) =>
      Number(left.resolution !== undefined) - Number(right.resolution !== undefined) ||
      sizeOf(right) - sizeOf(left) ||
      left.n - right.n,
  );
