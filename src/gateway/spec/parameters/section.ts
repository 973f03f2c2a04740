/** A section of the spec: rows under one prefix. Their wire names are the only names they have. */
import type { ParameterRow, Rows } from './row.ts';

type Named<P extends string, R extends Rows> = {
  readonly [K in keyof R & string as P extends '' ? K : `${P}.${K}`]: R[K];
};

/** The rows under their full, flat wire names: `section('card', { number })` gives `{ 'card.number' }`. */
export const section = <const P extends string, R extends Rows>(prefix: P, rows: R): Named<P, R> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [prefix === '' ? name : `${prefix}.${name}`, row]),
  ) as Named<P, R>;

/** The same rows with some marks changed: customer data that a lenient channel lets pass, copies that are optional. */
export const marked = <R extends Rows>(
  rows: R,
  marks: Partial<Pick<ParameterRow, 'req' | 'lenient' | 'echo' | 'secret'>>,
): R => Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, ...marks }])) as R;
