/** Settlement data apart from batches: settled channels, chargeback notices, deliveries. */
import { type Kysely, sql as raw } from 'kysely';
import type { Connection } from '../../store/engine.ts';
import { excludedColumns, placesOf, query } from '../../store/query.ts';
import type { ChargebackNoticeTable, SettlementDeliveryTable, Tables } from '../../store/schema.ts';
import type { ChargebackNotice, DeliveryTarget, SettlementDelivery } from '../../store/settlement-store.ts';
import { deliveryRow, noticeRow, toDelivery, toNotice, toSettlement } from './settlement-rows.ts';

type AwaitedDelivery = { entityId: string; target: DeliveryTarget; now: bigint };

export const createAsideQueries = (sql: Kysely<Tables>) => {
  const statements = statementsOf(sql);
  return (db: Connection) => ({
    isSettling: async (entityId: string) => (await db.rows(statements.channel, { entityId })).length > 0,
    async addChannel(entityId: string) {
      await db.change(statements.addChannel, { entityId });
    },
    async notice(entityId: string, id: string) {
      const row = await db.row(statements.notice, { entityId, id });
      return row === undefined ? undefined : toNotice(row);
    },
    notices: async (key: { entityId: string; limit: number }) => (await db.rows(statements.notices, key)).map(toNotice),
    dueNotices: async ({ before, ...of }: { entityId: string; before: number; limit: number }) =>
      (await db.rows(statements.due, { ...of, before: BigInt(before) })).map(toNotice),
    async noticeOfChargeback(entityId: string, chargebackId: string) {
      const row = await db.row(statements.ofChargeback, { entityId, chargebackId });
      return row === undefined ? undefined : toNotice(row);
    },
    async keepNotice(notice: ChargebackNotice) {
      await db.change(statements.keepNotice, noticeRow(notice));
    },
    deliveries: async (id: string) => (await db.rows(statements.deliveries, { id })).map(toDelivery),
    undelivered: async ({ now, ...of }: { entityId: string; target: DeliveryTarget; now: number }) =>
      (await db.rows(statements.undelivered, { ...of, now: BigInt(now) })).map(toSettlement),
    async keepDelivery(delivery: SettlementDelivery) {
      await db.change(statements.keepDelivery, deliveryRow(delivery));
    },
  });
};

const statementsOf = (sql: Kysely<Tables>) => {
  const notices = sql.selectFrom('chargeback_notice').selectAll();
  return {
    channel: query((key: { entityId: string }) =>
      sql.selectFrom('settlement_channel').selectAll().where('entity_id', '=', key.entityId),
    ),
    addChannel: query((key: { entityId: string }) =>
      sql
        .insertInto('settlement_channel')
        .values({ entity_id: key.entityId })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    notice: query((key: { entityId: string; id: string }) =>
      notices.where('entity_id', '=', key.entityId).where('id', '=', key.id),
    ),
    notices: query((key: { entityId: string; limit: number }) =>
      notices.where('entity_id', '=', key.entityId).orderBy('at', 'desc').orderBy('id').limit(key.limit),
    ),
    due: query((key: { entityId: string; before: bigint; limit: number }) =>
      notices
        .where('state', '=', raw<'due'>`'due'`)
        .where('chargeback_id', 'is', null)
        // While MATCHED it is being booked as the gateway's own chargeback, which is settled instead.
        .where('status', '<>', raw<'MATCHED'>`'MATCHED'`)
        .where('entity_id', '=', key.entityId)
        .where('at', '<', key.before)
        .orderBy('at')
        .orderBy('id')
        .limit(key.limit),
    ),
    ofChargeback: query((key: { entityId: string; chargebackId: string }) =>
      notices.where('entity_id', '=', key.entityId).where('chargeback_id', '=', key.chargebackId),
    ),
    keepNotice: query((of: ChargebackNoticeTable) =>
      sql
        .insertInto('chargeback_notice')
        .values(placesOf(of, ['entity_id', 'id', 'at', 'status', 'chargeback_id', 'state', 'facts']))
        .onConflict((conflict) =>
          conflict
            .columns(['entity_id', 'id'])
            .doUpdateSet(excludedColumns('status', 'chargeback_id', 'state', 'facts')),
        ),
    ),
    ...deliveryStatements(sql),
  };
};

const delivered = ['tries', 'next_at', 'done_at', 'bytes', 'hash', 'why'] as const;

const deliveryStatements = (sql: Kysely<Tables>) => ({
  deliveries: query((key: { id: string }) =>
    sql.selectFrom('settlement_delivery').selectAll().where('settlement_id', '=', key.id).orderBy('target'),
  ),
  undelivered: query((of: AwaitedDelivery) =>
    sql
      .selectFrom('settlement')
      .selectAll('settlement')
      .leftJoin('settlement_delivery', (join) =>
        join
          .onRef('settlement_delivery.settlement_id', '=', 'settlement.id')
          .on('settlement_delivery.target', '=', of.target),
      )
      .where('settlement.entity_id', '=', of.entityId)
      .where('settlement.closed_at', 'is not', null)
      .where('settlement_delivery.done_at', 'is', null)
      .where((row) =>
        row.or([row('settlement_delivery.next_at', 'is', null), row('settlement_delivery.next_at', '<=', of.now)]),
      )
      .orderBy('settlement.day')
      .limit(raw<number>`100`),
  ),
  keepDelivery: query((of: SettlementDeliveryTable) =>
    sql
      .insertInto('settlement_delivery')
      .values(placesOf(of, ['settlement_id', 'target', ...delivered]))
      .onConflict((conflict) =>
        conflict.columns(['settlement_id', 'target']).doUpdateSet(excludedColumns(...delivered)),
      ),
  ),
});
