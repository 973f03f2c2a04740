/** Calls of notificationUrl (spec 2.31), from their payment until they are accepted. */
import type { Kysely, Selectable } from 'kysely';
import type { Connection, Engine } from '../../store/engine.ts';
import type { HeldNotifications, NotificationCall, Notifications } from '../../store/notification-store.ts';
import { placesOf, type Query, query } from '../../store/query.ts';
import type { NotificationCallTable, Tables } from '../../store/schema.ts';

type Row = Selectable<NotificationCallTable>;

export const notifications = (sql: Kysely<Tables>) => {
  const insertCall = query((key: Row) =>
    sql
      .insertInto('notification_call')
      .values(placesOf(key, ['id', 'entity_id', 'url', 'payment_id', 'due_at', 'gives_up_at', 'attempts']))
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  return {
    within: (db: Connection): HeldNotifications => ({
      add: async (call) => void (await db.change(insertCall, rowOf(call))),
    }),
    due: query((key: { now: bigint; limit: number }) =>
      sql
        .selectFrom('notification_call')
        .leftJoin('payment', 'payment.id', 'notification_call.payment_id')
        .selectAll('notification_call')
        .where('notification_call.due_at', '<=', key.now)
        .where((row) => row.or([row('notification_call.payment_id', 'is', null), row('payment.state', '=', 'done')]))
        .orderBy('notification_call.due_at')
        .limit(key.limit),
    ),
    leasing: query((key: { id: string; due_at: bigint; until: bigint; attempts: bigint }) =>
      sql
        .updateTable('notification_call')
        .set({ due_at: key.until, attempts: key.attempts })
        .where('id', '=', key.id)
        .where('due_at', '=', key.due_at),
    ),
    waiting: query((key: { id: string; due_at: bigint }) =>
      sql.updateTable('notification_call').set({ due_at: key.due_at }).where('id', '=', key.id),
    ),
    removing: query((key: { id: string }) => sql.deleteFrom('notification_call').where('id', '=', key.id)),
    next: query((key: { now: bigint }) =>
      sql.selectFrom('notification_call').select('due_at').where('due_at', '>', key.now).orderBy('due_at').limit(1),
    ),
    awaiting: query((key: { now: bigint }) =>
      sql.selectFrom('notification_call').select('id').where('due_at', '<=', key.now).limit(1),
    ),
  };
};

const rowOf = ({ id, entityId, url, paymentId, dueAt, givesUpAt, attempts }: NotificationCall): Row => ({
  id,
  entity_id: entityId,
  url,
  payment_id: paymentId ?? null,
  due_at: BigInt(dueAt),
  gives_up_at: BigInt(givesUpAt),
  attempts: BigInt(attempts),
});

const toCall = (row: Row): NotificationCall => ({
  id: row.id,
  entityId: row.entity_id,
  url: row.url,
  paymentId: row.payment_id ?? undefined,
  dueAt: Number(row.due_at),
  givesUpAt: Number(row.gives_up_at),
  attempts: Number(row.attempts),
});

/** Every read, and every write that stands alone, outside of any transaction; `refuse` throws inside one. */
export const notificationReader = (
  engine: Engine,
  refuse: () => void,
  key: ReturnType<typeof notifications>,
): Notifications => {
  const changeRows = async <P>(statement: Query<P, unknown>, values: P): Promise<number> => {
    refuse();
    return engine.changeOnce(statement, values);
  };
  return {
    async due({ now, limit }) {
      refuse();
      return (await engine.read((db) => db.rows(key.due, { now: BigInt(now), limit }))).map(toCall);
    },
    lease: async ({ id, dueAt, attempts }, until) =>
      (await changeRows(key.leasing, {
        id,
        due_at: BigInt(dueAt),
        until: BigInt(until),
        attempts: BigInt(attempts + 1),
      })) > 0,
    retryAt: async (id, dueAt) => void (await changeRows(key.waiting, { id, due_at: BigInt(dueAt) })),
    remove: async (id) => void (await changeRows(key.removing, { id })),
    async next(now) {
      refuse();
      const row = await engine.read((db) => db.row(key.next, { now: BigInt(now) }));
      return row === undefined ? undefined : Number(row.due_at);
    },
    async isAwaitingPayment(now) {
      refuse();
      return (await engine.read((db) => db.rows(key.awaiting, { now: BigInt(now) }))).length > 0;
    },
  };
};
