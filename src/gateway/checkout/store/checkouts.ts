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
import { excluded, placesOf, type Query, query } from '../../store/query.ts';
import type { CheckoutTable, Tables } from '../../store/schema.ts';

type Row = Selectable<CheckoutTable>;
type CallKey = { checkout_id: string; kind: CallKind };

export const checkouts = (sql: Kysely<Tables>, { lock }: { lock: boolean }) => {
  const all = sql.selectFrom('checkout').selectAll();
  const held = lock ? all.forNoKeyUpdate() : all;
  const unclaimed = sql.selectFrom('checkout_call').where('claimed_at', 'is', null);
  const byId = query((of: { id: string }) => all.where('id', '=', of.id));
  const heldById = query((of: { id: string }) => held.where('id', '=', of.id));
  const found = async (on: Connection, statement: typeof byId, id: string) => {
    const row = await on.row(statement, { id });
    return row === undefined ? undefined : toCheckout(row);
  };
  const adding = query((of: Row) => sql.insertInto('checkout').values(placesOf(of, columns)));
  const change = query((of: Row) => sql.updateTable('checkout').set(placesOf(of, changing)).where('id', '=', of.id));
  const calling = callWrites(sql);
  const due = dueQueries(sql);
  const awaiting = query((_: object) => unclaimed.select('kind').where('kind', '=', 'notification').limit(1));
  const next = query((_: object) => unclaimed.select('due_at').orderBy('due_at').limit(1));
  const { open, oldest, forgetting, dropping } = checkoutTimes(sql);
  return {
    byId: (on: Connection, id: string) => found(on, byId, id),
    within: (on: Connection): HeldCheckouts => ({
      byId: (id) => found(on, heldById, id),
      add: async (checkout) => void (await on.change(adding, toRow(checkout))),
      change: async (checkout) => void (await on.change(change, toRow(checkout))),
      async oldestOfFull({ entityId, since, most }) {
        const of = { entityId, since: BigInt(since) };
        if ((await on.row(open, { ...of, offset: most - 1 })) === undefined) return undefined;
        return numberOf((await on.row(open, { ...of, offset: 0 }))?.at);
      },
      addCall: async (call) => void (await on.change(calling.add, callRow(call))),
    }),
    fetching: query((of: { id: string; attempts: string; fetched_at: bigint }) =>
      sql
        .updateTable('checkout')
        .set({ fetched_at: of.fetched_at })
        .where('id', '=', of.id)
        .where('attempts', '=', of.attempts)
        .where('fetched_at', 'is', null),
    ),
    claiming: calling.claim,
    async due(on: Connection, { now, limit }: { now: number; limit: number }): Promise<readonly DueCall[]> {
      const timed = await on.rows(due.timed, { now: BigInt(now), limit });
      const awaited = await on.rows(due.awaited, { limit });
      return [...timed, ...awaited].map(toDue);
    },
    awaits: async (on: Connection) => (await on.rows(awaiting, {})).length > 0,
    next: async (on: Connection) => numberOf((await on.row(next, {}))?.due_at),
    forgetting,
    dropping,
    oldest: async (on: Connection) => numberOf((await on.row(oldest, {}))?.at),
  };
};

const callWrites = (sql: Kysely<Tables>) => ({
  add: query((of: ReturnType<typeof callRow>) =>
    sql
      .insertInto('checkout_call')
      .values(placesOf(of, ['checkout_id', 'kind', 'url', 'due_at', 'payment_id', 'claimed_at']))
      .onConflict((conflict) =>
        conflict
          .columns(['checkout_id', 'kind'])
          .doUpdateSet(excluded('url', 'payment_id'))
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
  const unclaimed = sql
    .selectFrom('checkout_call')
    .innerJoin('checkout', 'checkout.id', 'checkout_call.checkout_id')
    .select(['checkout_call.checkout_id', 'checkout_call.kind', 'checkout_call.url', 'checkout_call.due_at'])
    .select('checkout.fetched_at')
    .where('checkout_call.claimed_at', 'is', null);
  return {
    timed: query((of: { now: bigint; limit: number }) =>
      unclaimed
        .leftJoin('payment', 'payment.id', 'checkout_call.payment_id')
        .select('payment.result_code')
        .where('checkout_call.due_at', '<=', of.now)
        // A call that waits for a payment's ending keeps waiting, however late it is.
        .where((row) =>
          row.or([
            row('checkout_call.kind', '<>', 'notification'),
            row('checkout_call.payment_id', 'is', null),
            row('payment.result_code', 'is not', null),
          ]),
        )
        .orderBy('checkout_call.due_at')
        .limit(of.limit),
    ),
    awaited: query((of: { limit: number }) =>
      unclaimed
        .innerJoin('payment', 'payment.id', 'checkout_call.payment_id')
        .select('payment.result_code')
        .where('checkout_call.kind', '=', 'notification')
        .where('payment.result_code', 'like', `${codeGroups.successes}%`)
        .orderBy('checkout_call.due_at')
        .limit(of.limit),
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

const changing = ['key_id', 'wrapped_key', 'box', 'attempts', 'fetched_at'] as const;
const columns = ['id', 'entity_id', 'kind', 'at', ...changing] as const;

const callRow = ({ checkoutId, kind, url, dueAt, paymentId }: CheckoutCall) => ({
  checkout_id: checkoutId,
  kind,
  url,
  due_at: BigInt(dueAt),
  payment_id: paymentId ?? null,
  claimed_at: null,
});

/** As stored in the table. */
const attemptsText = ({ attempts }: Pick<Checkout, 'attempts'>): string => JSON.stringify(attempts);

const toRow = (checkout: Checkout): Row => ({
  id: checkout.id,
  entity_id: checkout.entityId,
  kind: checkout.kind,
  at: BigInt(checkout.at),
  key_id: checkout.sealed?.keyId ?? null,
  wrapped_key: checkout.sealed?.wrappedKey ?? null,
  box: checkout.sealed?.box ?? null,
  attempts: attemptsText(checkout),
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
export const checkoutReader = (engine: Engine, refuse: () => void, of: ReturnType<typeof checkouts>): Checkouts => {
  const read = async <T>(work: (on: Connection) => Promise<T>): Promise<T> => {
    refuse();
    return engine.read(work);
  };
  const single = async <P>(statement: Query<P, unknown>, values: P): Promise<number> => {
    refuse();
    return engine.single(statement, values);
  };
  return {
    byId: (id) => read((on) => of.byId(on, id)),
    async fetched(checkout, at) {
      await single(of.fetching, { id: checkout.id, attempts: attemptsText(checkout), fetched_at: BigInt(at) });
    },
    dueCalls: (now, limit) => read((on) => of.due(on, { now, limit })),
    async claim({ checkoutId, kind }, at) {
      return (await single(of.claiming, { checkout_id: checkoutId, kind, claimed_at: BigInt(at) })) > 0;
    },
    awaitsPayment: () => read((on) => of.awaits(on)),
    nextCall: () => read((on) => of.next(on)),
    dropAbandoned: ({ until, limit }) => single(of.dropping, { until: BigInt(until), limit }),
    forget: (until) => single(of.forgetting, { until: BigInt(until) }),
    oldestKept: () => read((on) => of.oldest(on)),
  };
};

/** As stored in its partial index. */
const NEVER_SUBMITTED = '[]';

const checkoutTimes = (sql: Kysely<Tables>) => ({
  // From an index alone, without making a row of the skipped ones: a channel may have many.
  open: query((of: { entityId: string; since: bigint; offset: number }) =>
    sql
      .selectFrom('checkout')
      .select('at')
      .where('entity_id', '=', of.entityId)
      .where('at', '>', of.since)
      .orderBy('at')
      .limit(1)
      .offset(of.offset),
  ),
  oldest: query((_: object) =>
    sql.selectFrom('checkout').select('at').where('box', 'is not', null).orderBy('at').limit(1),
  ),
  forgetting: query((of: { until: bigint }) =>
    sql
      .updateTable('checkout')
      .set({ key_id: null, wrapped_key: null, box: null })
      .where('box', 'is not', null)
      .where('at', '<=', of.until),
  ),
  dropping: query((of: { until: bigint; limit: number }) => {
    const abandoned = sql
      .selectFrom('checkout')
      .select('id')
      .where('attempts', '=', raw.lit(NEVER_SUBMITTED))
      .where('box', 'is', null)
      .where('at', '<=', of.until)
      .limit(of.limit);
    return sql.deleteFrom('checkout').where('id', 'in', abandoned);
  }),
});
