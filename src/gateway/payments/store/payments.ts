/** The store of payments: insert, find, end. */
import { type Expression, type ExpressionBuilder, type Kysely, sql as raw, type Selectable } from 'kysely';
import { money } from '../../../base/money.ts';
import { codeGroups } from '../../../base/result-codes.ts';
import type { Connection } from '../../store/engine.ts';
import { factsText } from '../../store/facts-text.ts';
import { compileQuery, type Query, query } from '../../store/query.ts';
import type { Payment, PaymentFacts } from '../../store/records.ts';
import type { PaymentTable, Tables } from '../../store/schema.ts';
import type { PaymentEnding, PaymentQuery } from '../../store/store.ts';
import { idRangesOf } from '../short-id.ts';

type Row = Selectable<PaymentTable>;
type NewRow = Omit<Row, 'sequence'>;
type Ended = { id: string; result_code: string; facts: string };
type Registered = Ended & { registration_id: string };
type PartialChange = { amount_minor: bigint };
type Change<P> = { query: Query<P, unknown>; values: P };

export interface Payments {
  byId(db: Connection, id: string): Promise<Payment | undefined>;
  followersOf(db: Connection, id: string): Promise<readonly Payment[]>;
  add(db: Connection, payment: Payment): Promise<unknown>;
  /** Ends it if it is processing: the first ending counts. Changes one row, or none. */
  endingChange(
    id: string,
    ending: PaymentEnding,
  ): Change<Ended> | Change<Registered> | Change<Ended & PartialChange> | Change<Registered & PartialChange>;
  factsChange(id: string, facts: PaymentFacts): Change<{ id: string; facts: string }>;
  unfinished(db: Connection, before: number): Promise<readonly Payment[]>;
  search(db: Connection, query: PaymentQuery): Promise<{ payments: readonly Payment[]; total: number }>;
}

/**
 * `lock` keeps payments that were read unchanged until the transaction ends, where others could change them meanwhile.
 */
export const payments = (sql: Kysely<Tables>, { lock }: { lock: boolean }): Payments => {
  const statements = prepareStatements(sql, lock);
  return {
    async byId(db, id) {
      const row = await db.row(statements.byId, { id });
      return row === undefined ? undefined : toPayment(row);
    },
    async followersOf(db, id) {
      return (await db.rows(statements.followers, { id })).map(toPayment);
    },
    add: (db, payment) => db.change(statements.add, toRow(payment)),
    endingChange(id, { resultCode, facts, amount, registration }) {
      const values = { id, result_code: resultCode, facts: factsText(facts) };
      if (registration === undefined) {
        if (amount === undefined) return { query: statements.end, values };
        return { query: statements.endInPart, values: { ...values, amount_minor: amount.minor } };
      }
      const registered = { ...values, registration_id: registration.id };
      if (amount === undefined) return { query: statements.endRegistered, values: registered };
      return { query: statements.endRegisteredInPart, values: { ...registered, amount_minor: amount.minor } };
    },
    factsChange: (id, facts) => ({ query: statements.note, values: { id, facts: factsText(facts) } }),
    async unfinished(db, before) {
      return (await db.rows(statements.unfinished, { before: BigInt(before) })).map(toPayment);
    },
    search: (db, query) => search(sql, db, query),
  };
};

const prepareStatements = (sql: Kysely<Tables>, lock: boolean) => {
  const allRows = sql.selectFrom('payment').selectAll();
  const lockedRows = lock ? allRows.forShare() : allRows;
  const processingRows = sql.updateTable('payment').where('state', '=', 'processing');
  return {
    byId: query((key: { id: string }) => lockedRows.where('id', '=', key.id)),
    followers: query((key: { id: string }) =>
      lockedRows
        .where('referenced_id', '=', key.id)
        .where((row) => row.or([row('result_code', 'is', null), row.and(isCountable(row))]))
        .orderBy('sequence'),
    ),
    add: query((row: NewRow) => sql.insertInto('payment').values(placesOf(row))),
    end: query((of: Ended) => processingRows.set(endedColumns(of)).where('id', '=', of.id)),
    endRegistered: query((of: Registered) =>
      processingRows.set({ ...endedColumns(of), registration_id: of.registration_id }).where('id', '=', of.id),
    ),
    endInPart: query((of: Ended & PartialChange) =>
      processingRows.set({ ...endedColumns(of), amount_minor: of.amount_minor }).where('id', '=', of.id),
    ),
    endRegisteredInPart: query((of: Registered & PartialChange) =>
      processingRows
        .set({ ...endedColumns(of), registration_id: of.registration_id, amount_minor: of.amount_minor })
        .where('id', '=', of.id),
    ),
    note: query((key: { id: string; facts: string }) =>
      processingRows.set({ facts: key.facts }).where('id', '=', key.id),
    ),
    unfinished: query((key: { before: bigint }) =>
      allRows.where('state', '=', 'processing').where('at', '<', key.before).orderBy('sequence'),
    ),
  };
};

const endedColumns = ({ result_code, facts }: Ended) => ({ state: 'done' as const, result_code, facts });

/**
 * Prefixes of codes for payments that certainly did not happen: refused as a follow-up, without an amount, declined by
 * a bank. They are left out of what later attempts read, so that many failed attempts do not slow down the next one.
 */
export const neverHappened = [codeGroups.followUps, codeGroups.amounts, codeGroups.declines] as const;

const isCountable = (row: ExpressionBuilder<Tables, 'payment'>) =>
  neverHappened.map((code) => row('result_code', 'not like', `${code}%`));

const search = async (sql: Kysely<Tables>, db: Connection, query: PaymentQuery) => {
  const { limit, offset = 0, shortId } = query;
  const ids = shortId === undefined ? undefined : await idsOfShort(sql, db, shortId);
  const matching = sql.selectFrom('payment').where((row) => row.and(filtersFor(row, query, ids)));
  // A period can contain many payments: they are read newest first, so that a limit cuts off the oldest ones. A
  // reference has few payments, sorted by their sequence.
  const sorted = isPeriodOnly(query)
    ? matching.orderBy('at', 'desc').orderBy('sequence', 'desc')
    : matching.orderBy('sequence');
  const page = sorted.selectAll().limit(limit).offset(offset);
  const found = (await db.rows(compileQuery<null, Row>(page), null)).map(toPayment);
  const seenCount = offset + found.length;
  if (found.length < limit && (found.length > 0 || offset === 0)) return { payments: found, total: seenCount };
  const count = matching.select((row) => row.fn.countAll<bigint>().as('total'));
  const row = await db.row(compileQuery<null, { total: bigint }>(count), null);
  // A payment that arrived between the two queries must not make the total smaller than the number found.
  return { payments: found, total: Math.max(Number(row?.total ?? 0n), found.length === 0 ? 0 : seenCount) };
};

const isPeriodOnly = (query: PaymentQuery): boolean =>
  query.merchantTransactionId === undefined && query.shortId === undefined && query.rootId === undefined;

/** One engine accepts at most a thousand values in an expression, and a wrong clock can lead to many ranges. */
const RANGES_AT_ONCE = 400;

const idsOfShort = async (sql: Kysely<Tables>, db: Connection, shortId: string): Promise<readonly string[]> => {
  const ids = sql.selectFrom('payment').select('id');
  const firstRow = await db.row(compileQuery<null, { id: string }>(ids.orderBy('id').limit(1)), null);
  const lastRow = await db.row(compileQuery<null, { id: string }>(ids.orderBy('id', 'desc').limit(1)), null);
  const ranges = firstRow === undefined || lastRow === undefined ? [] : idRangesOf(shortId, firstRow.id, lastRow.id);
  const found: string[] = [];
  for (let i = 0; i < ranges.length; i += RANGES_AT_ONCE) {
    const chunk = ranges.slice(i, i + RANGES_AT_ONCE);
    const matching = ids.where((row) =>
      row.and([
        row('short_id', '=', shortId),
        row.or(chunk.map(([start, to]) => row.and([row('id', '>=', start), row('id', '<', to)]))),
      ]),
    );
    for (const { id } of await db.rows(compileQuery<null, { id: string }>(matching), null)) found.push(id);
  }
  return found;
};

const filtersFor = (
  row: ExpressionBuilder<Tables, 'payment'>,
  query: PaymentQuery,
  ids: readonly string[] | undefined,
) => {
  const { entityId, merchantTransactionId, rootId, from, to, paymentTypes, paymentMethods } = query;
  // If there is a narrower condition, the index of periods must not be used: expressions hide its columns.
  const byPeriod = isPeriodOnly(query);
  const byEntity = byPeriod || merchantTransactionId !== undefined;
  const at = byPeriod ? row.ref('at') : raw<bigint>`at + 0`;
  return [
    isOfEntity(row, byEntity ? row.ref('entity_id') : raw<string>`coalesce(entity_id, '')`, entityId),
    ...(merchantTransactionId === undefined ? [] : [row('merchant_transaction_id', '=', merchantTransactionId)]),
    ...(ids === undefined ? [] : [isOneOf(row, 'id', ids)]),
    ...(rootId === undefined ? [] : [isInChain(row, rootId)]),
    ...(from === undefined ? [] : [row(at, '>=', BigInt(from))]),
    ...(to === undefined ? [] : [row(at, '<=', BigInt(to))]),
    ...(paymentTypes === undefined ? [] : [isOneOf(row, 'payment_type', paymentTypes)]),
    ...(paymentMethods === undefined ? [] : [isOneOf(row, 'payment_method', paymentMethods)]),
  ];
};

const isOfEntity = (
  row: ExpressionBuilder<Tables, 'payment'>,
  column: Expression<string>,
  entityId: PaymentQuery['entityId'],
) => (typeof entityId === 'string' ? row(column, '=', entityId) : row(column, 'in', [...entityId]));

/** An empty list matches nothing; it is not valid SQL on every engine. */
const isOneOf = (
  row: ExpressionBuilder<Tables, 'payment'>,
  column: 'id' | 'payment_type' | 'payment_method',
  values: readonly string[],
) => (values.length === 0 ? row('id', 'is', null) : row(column, 'in', [...values]));

/** The index of chains omits their starts: most payments have no follow-up, and so cost it nothing. */
const isInChain = (row: ExpressionBuilder<Tables, 'payment'>, rootId: string) =>
  row.or([
    row.and([row('id', '=', rootId), row('root_id', '=', rootId)]),
    row.and([row('root_id', '=', rootId), row('root_id', '<>', row.ref('id'))]),
  ]);

const placesOf = (row: NewRow): NewRow => ({
  id: row.id,
  entity_id: row.entity_id,
  payment_type: row.payment_type,
  payment_method: row.payment_method,
  amount_minor: row.amount_minor,
  currency: row.currency,
  at: row.at,
  short_id: row.short_id,
  merchant_transaction_id: row.merchant_transaction_id,
  referenced_id: row.referenced_id,
  root_id: row.root_id,
  registration_id: row.registration_id,
  state: row.state,
  result_code: row.result_code,
  facts: row.facts,
});

const toRow = (payment: Payment): NewRow => ({
  id: payment.id,
  entity_id: payment.entityId,
  payment_type: payment.paymentType,
  payment_method: payment.paymentMethod,
  amount_minor: payment.amount.minor,
  currency: payment.amount.currency,
  at: BigInt(payment.at),
  short_id: payment.shortId,
  merchant_transaction_id: payment.merchantTransactionId ?? null,
  referenced_id: payment.referencedId ?? null,
  root_id: payment.rootId,
  registration_id: payment.registrationId ?? null,
  state: payment.state,
  result_code: payment.state === 'done' ? payment.resultCode : null,
  facts: factsText(payment.facts),
});

// Rows are trusted: the tables' own checks accept nothing else.
export const toPayment = (row: Row): Payment => ({
  id: row.id,
  entityId: row.entity_id,
  paymentType: row.payment_type as Payment['paymentType'],
  paymentMethod: row.payment_method as Payment['paymentMethod'],
  amount: money(row.amount_minor, row.currency),
  at: Number(row.at),
  shortId: row.short_id,
  merchantTransactionId: row.merchant_transaction_id ?? undefined,
  referencedId: row.referenced_id ?? undefined,
  rootId: row.root_id,
  registrationId: row.registration_id ?? undefined,
  facts: JSON.parse(row.facts) as PaymentFacts,
  ...(row.state === 'done' && row.result_code !== null
    ? { state: 'done', resultCode: row.result_code }
    : { state: 'processing' }),
});
