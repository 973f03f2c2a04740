/** Lists that are made from the rows of every section: what may be logged, kept, hashed. */
import type * as z from 'zod';
import { hidden, printable } from '../../base/mask.ts';
import { authentication } from './authentication.ts';
import { card } from './card.ts';
import { customParameters } from './custom-parameters.ts';
import { forex } from './forex.ts';
import { marksOf } from './kinds.ts';
import { overridePaymentType, payment } from './payment.ts';
import { pointOfSale } from './point-of-sale.ts';
import { query } from './query.ts';

export const sections = {
  authentication,
  payment,
  overridePaymentType,
  forex,
  query,
  card,
  customParameters,
  pointOfSale,
};

const rows: readonly (readonly [string, z.ZodType])[] = Object.values(sections).flatMap((rows) =>
  Object.entries(rows as Readonly<Record<string, z.ZodType>>),
);

const names = (keep: (row: z.ZodType) => boolean): ReadonlySet<string> =>
  new Set(rows.filter(([, row]) => keep(row)).map(([name]) => name));

/** Names whose values may stand in a log. */
const harmless = names((row) => marksOf(row).secret === undefined);

/** Names whose values are kept with the payment and given back. */
export const echoed = names((row) => marksOf(row).echo === true);

/** Names that must leave no trace, not even in a fingerprint of the request. */
export const traceless = names((row) => marksOf(row).secret === 'authentication');

/** Names whose values are never kept. */
export const unkept = names((row) => ['account', 'authentication'].includes(marksOf(row).secret ?? ''));

/** Parameters as they may be logged: secrets and strangers hidden, the rest made printable. */
export const loggable = (sent: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [printable(name, 128), harmless.has(name) ? printable(value) : hidden]),
  );
