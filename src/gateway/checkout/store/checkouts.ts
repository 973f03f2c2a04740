/** Checkouts, and the calls to the shop that are due later. */
import { type Kysely, sql as raw, type Selectable } from 'kysely';
import { codeGroups } from '../../../base/result-codes.ts';
import type {
  CallKind,
  Checkout,
  CheckoutAttempt,
  CheckoutCall,
  Checkouts,
  DueCall,
  HeldCheckouts,
} from '../../store/checkout-store.ts';
import type { Connection, Engine } from '../../store/engine.ts';
import { excludedColumns, placesOf, type Query, query } from '../../store/query.ts';
import type { CheckoutTable, Tables } from '../../store/schema.ts';

type Row = Selectable<CheckoutTable>;
type CallKey = { checkout_id: string; kind: CallKind };

export const createCheckoutQueries = (sql: Kysely<Tables>, { lock }: { lock: boolean }) => {
  const allRows = sql.selectFrom('checkout').selectAll();
  const lockedRows = lock ? allRows.forNoKeyUpdate() : allRows;
  const unclaimedCalls = sql.selectFrom('checkout_call').where('claimed_at', 'is', null);
  const byId = query((key: { id: string }) => allRows.where('id', '=', key.id));
  const heldById = query((key: { id: string }) => lockedRows.where('id', '=', key.id));
  const findCheckout = async (db: Connection, statement: typeof byId, id: string) => {
    const row = await db.row(statement, { id });
    return row === undefined ? undefined : toCheckout(row);
  };
  const insertCheckout = query((key: Row) => sql.insertInto('checkout').values(placesOf(key, columns)));
  const change = query((key: Row) =>
    sql.updateTable('checkout').set(placesOf(key, changedColumns)).where('id', '=', key.id),
  );
  const calling = callWrites(sql);
  const due = dueQueries(sql);
  const awaitingCalls = query((_: object) => unclaimedCalls.select('kind').where('kind', '=', 'notification').limit(1));
  const next = query((_: object) => unclaimedCalls.select('due_at').orderBy('due_at').limit(1));
  const { open, oldest, forgetting, dropping } = checkoutTimes(sql);
  return {
    byId: (db: Connection, id: string) => findCheckout(db, byId, id),
    within: (db: Connection): HeldCheckouts => ({
      byId: (id) => findCheckout(db, heldById, id),
      add: async (checkout) => void (await db.change(insertCheckout, toRow(checkout))),
      change: async (checkout) => void (await db.change(change, toRow(checkout))),
      async oldestWhenFull({ entityId, since, most }) {
        const key = { entityId, since: BigInt(since) };
        if ((await db.row(open, { ...key, offset: most - 1 })) === undefined) return undefined;
        return numberOf((await db.row(open, { ...key, offset: 0 }))?.at);
      },
      addCall: async (call) => void (await db.change(calling.add, callRow(call))),
    }),
    fetching: query((key: { id: string; attempts: string; fetched_at: bigint }) =>
      sql
        .updateTable('checkout')
        .set({ fetched_at: key.fetched_at })
        .where('id', '=', key.id)
        .where('attempts', '=', key.attempts)
        .where('fetched_at', 'is', null),
    ),
    claiming: calling.claim,
    async due(db: Connection, { now, limit }: { now: number; limit: number }): Promise<readonly DueCall[]> {
      const timed = await db.rows(due.timed, { now: BigInt(now), limit });
      const awaitedRows = await db.rows(due.awaited, { limit });
      return [...timed, ...awaitedRows].map(toDue);
    },
    awaits: async (db: Connection) => (await db.rows(awaitingCalls, {})).length > 0,
    next: async (db: Connection) => numberOf((await db.row(next, {}))?.due_at),
    forgetting,
    dropping,
    oldest: async (db: Connection) => numberOf((await db.row(oldest, {}))?.at),
  };
};

const callWrites = (sql: Kysely<Tables>) => ({
  add: query((key: ReturnType<typeof callRow>) =>
    sql
      .insertInto('checkout_call')
      .values(placesOf(key, ['checkout_id', 'kind', 'url', 'due_at', 'payment_id', 'claimed_at']))
      .onConflict((conflict) =>
        conflict
          .columns(['checkout_id', 'kind'])
          .doUpdateSet(excludedColumns('url', 'payment_id'))
          .where('checkout_call.claimed_at', 'is', null),
      ),
  ),
  claim: query((of: CallKey & { claimed_at: bigint }) =>
    sql
      .updateTable('checkout_call')
      .set({ claimed_at: of.claimed_at })
      .where('checkout_id', '=', of.checkout_id)
      .where('kind', '=', of.kind)
      .where('claimed_at', 'is', null),
  ),
});

/** Two queries: the calls found by an index of due times, and the few that wait for a payment. */
const dueQueries = (sql: Kysely<Tables>) => {
  const unclaimedCalls = sql
    .selectFrom('checkout_call')
    .innerJoin('checkout', 'checkout.id', 'checkout_call.checkout_id')
    .select(['checkout_call.checkout_id', 'checkout_call.kind', 'checkout_call.url', 'checkout_call.due_at'])
    .select('checkout.fetched_at')
    .where('checkout_call.claimed_at', 'is', null);
  return {
    timed: query((key: { now: bigint; limit: number }) =>
      unclaimedCalls
        .leftJoin('payment', 'payment.id', 'checkout_call.payment_id')
        .select('payment.result_code')
        .where('checkout_call.due_at', '<=', key.now)
        // A call that waits for a payment's ending keeps waiting, however late it is.
        .where((row) =>
          row.or([
            row('checkout_call.kind', '<>', 'notification'),
            row('checkout_call.payment_id', 'is', null),
            row('payment.result_code', 'is not', null),
          ]),
        )
        .orderBy('checkout_call.due_at')
        .limit(key.limit),
    ),
    awaited: query((key: { limit: number }) =>
      unclaimedCalls
        .innerJoin('payment', 'payment.id', 'checkout_call.payment_id')
        .select('payment.result_code')
        .where('checkout_call.kind', '=', 'notification')
        .where('payment.result_code', 'like', `${codeGroups.successes}%`)
        .orderBy('checkout_call.due_at')
        .limit(key.limit),
    ),
  };
};

type DueRow = CallKey & { url: string; due_at: bigint; fetched_at: bigint | null; result_code: string | null };

const toDue = (row: DueRow): DueCall => ({
  checkoutId: row.checkout_id,
  kind: row.kind,
  url: row.url,
  dueAt: Number(row.due_at),
  fetched: row.fetched_at !== null,
  resultCode: row.result_code ?? undefined,
});

const numberOf = (value: bigint | undefined): number | undefined => (value === undefined ? undefined : Number(value));

const changedColumns = ['key_id', 'wrapped_key', 'box', 'attempts', 'fetched_at'] as const;
const columns = ['id', 'entity_id', 'kind', 'at', ...changedColumns] as const;

const callRow = ({ checkoutId, kind, url, dueAt, paymentId }: CheckoutCall) => ({
  checkout_id: checkoutId,
  kind,
  url,
  due_at: BigInt(dueAt),
  payment_id: paymentId ?? null,
  claimed_at: null,
});

/** As stored in the table. */
const attemptsJson = ({ attempts }: Pick<Checkout, 'attempts'>): string => JSON.stringify(attempts);

const toRow = (checkout: Checkout): Row => ({
  id: checkout.id,
  entity_id: checkout.entityId,
  kind: checkout.kind,
  at: BigInt(checkout.at),
  key_id: checkout.sealed?.keyId ?? null,
  wrapped_key: checkout.sealed?.wrappedKey ?? null,
  box: checkout.sealed?.box ?? null,
  attempts: attemptsJson(checkout),
  fetched_at: checkout.fetchedAt === undefined ? null : BigInt(checkout.fetchedAt),
});

const toCheckout = (row: Row): Checkout => ({
  id: row.id,
  entityId: row.entity_id,
  kind: row.kind,
  at: Number(row.at),
  sealed:
    row.key_id === null || row.wrapped_key === null || row.box === null
      ? undefined
      : { keyId: row.key_id, wrappedKey: row.wrapped_key, box: row.box },
  attempts: JSON.parse(row.attempts) as readonly CheckoutAttempt[],
  fetchedAt: row.fetched_at === null ? undefined : Number(row.fetched_at),
});

/** Every read, and every write that stands alone, outside of any transaction; `refuse` throws inside one. */
export const checkoutReader = (
  engine: Engine,
  refuse: () => void,
  key: ReturnType<typeof createCheckoutQueries>,
): Checkouts => {
  const read = async <T>(work: (db: Connection) => Promise<T>): Promise<T> => {
    refuse();
    return engine.read(work);
  };
  const changeRows = async <P>(statement: Query<P, unknown>, values: P): Promise<number> => {
    refuse();
    return engine.changeOnce(statement, values);
  };
  return {
    byId: (id) => read((db) => key.byId(db, id)),
    async recordFetch(checkout, at) {
      await changeRows(key.fetching, { id: checkout.id, attempts: attemptsJson(checkout), fetched_at: BigInt(at) });
    },
    dueCalls: (now, limit) => read((db) => key.due(db, { now, limit })),
    async claim({ checkoutId, kind }, at) {
      return (await changeRows(key.claiming, { checkout_id: checkoutId, kind, claimed_at: BigInt(at) })) > 0;
    },
    isAwaitingPayment: () => read((db) => key.awaits(db)),
    nextCallAt: () => read((db) => key.next(db)),
    dropAbandoned: ({ until, limit }) => changeRows(key.dropping, { until: BigInt(until), limit }),
    forget: (until) => changeRows(key.forgetting, { until: BigInt(until) }),
    oldestStoredAt: () => read((db) => key.oldest(db)),
  };
};

/** As stored in its partial index. */
const NEVER_SUBMITTED = '[]';

const checkoutTimes = (sql: Kysely<Tables>) => ({
  // From an index alone, without making a row of the skipped ones: a channel may have many.
  open: query((key: { entityId: string; since: bigint; offset: number }) =>
    sql
      .selectFrom('checkout')
      .select('at')
      .where('entity_id', '=', key.entityId)
      .where('at', '>', key.since)
      .orderBy('at')
      .limit(1)
      .offset(key.offset),
  ),
  oldest: query((_: object) =>
    sql.selectFrom('checkout').select('at').where('box', 'is not', null).orderBy('at').limit(1),
  ),
  forgetting: query((key: { until: bigint }) =>
    sql
      .updateTable('checkout')
      .set({ key_id: null, wrapped_key: null, box: null })
      .where('box', 'is not', null)
      .where('at', '<=', key.until),
  ),
  dropping: query((key: { until: bigint; limit: number }) => {
    const abandoned = sql
      .selectFrom('checkout')
      .select('id')
      .where('attempts', '=', raw.lit(NEVER_SUBMITTED))
      .where('box', 'is', null)
      .where('at', '<=', key.until)
      .limit(key.limit);
    return sql.deleteFrom('checkout').where('id', 'in', abandoned);
  }),
});
