/** The tables of settlement: due payments, batches, records. */
import { type Kysely, sql as raw, type Selectable } from 'kysely';
import { toPayment } from '../../payments/store/payments.ts';
import type { Connection } from '../../store/engine.ts';
import { compileQuery, manyKeys, manyRows, placesOf, query } from '../../store/query.ts';
import type {
  DueTable,
  SettlementRecordTable,
  SettlementSumTable,
  SettlementTable,
  Tables,
} from '../../store/schema.ts';
import type {
  RecordPage,
  Settlement,
  SettlementSession,
  SettlementSum,
  StoredSettlementRecord,
} from '../../store/settlement-store.ts';
import { createAsideQueries } from './settlement-aside.ts';
import { settlementRow, toSettlement, toSum } from './settlement-rows.ts';

export type Settlements = { on(db: Connection): SettlementSession };

export const settlements = (sql: Kysely<Tables>): Settlements => {
  const reading = createReadStatements(sql);
  const writing = createWriteStatements(sql);
  const aside = createAsideQueries(sql);
  return { on: (db) => ({ ...createReader(db, sql, reading), ...createWriter(db, writing), ...aside(db) }) };
};

type SettlementRange = { entityId: string; from: bigint; before: bigint; limit: number };

const createReadStatements = (sql: Kysely<Tables>) => {
  const batches = sql.selectFrom('settlement').selectAll();
  const due = sql.selectFrom('settlement_due');
  return {
    due: query((key: SettlementRange) =>
      due
        .innerJoin('payment', 'payment.id', 'settlement_due.payment_id')
        .selectAll('payment')
        .where('settlement_due.entity_id', '=', key.entityId)
        .where('settlement_due.at', '>=', key.from)
        .where('settlement_due.at', '<', key.before)
        .orderBy('settlement_due.at')
        .orderBy('settlement_due.payment_id')
        .limit(key.limit),
    ),
    oldest: query((key: { entityId: string }) =>
      due.select('at').where('entity_id', '=', key.entityId).orderBy('at').orderBy('payment_id').limit(raw<number>`1`),
    ),
    byId: query((key: { id: string }) => batches.where('id', '=', key.id)),
    ofDay: query((key: { entityId: string; day: string }) =>
      batches.where('entity_id', '=', key.entityId).where('day', '=', key.day),
    ),
    list: query((key: { entityId: string; limit: number }) =>
      batches.where('entity_id', '=', key.entityId).orderBy('day', 'desc').limit(key.limit),
    ),
    ...sumStatements(sql),
    linesAfter: query((key: { settlementId: string; number: bigint; limit: number }) =>
      sql
        .selectFrom('settlement_record')
        .select(['number', 'line'])
        .where('settlement_id', '=', key.settlementId)
        .where('number', '>', key.number)
        .where('line', 'is not', null)
        .orderBy('number')
        .limit(key.limit),
    ),
    record: query((key: { key: string }) =>
      sql.selectFrom('settlement_record').select('line').where('key', '=', key.key),
    ),
    byIds: manyKeys((ids) => sql.selectFrom('payment').selectAll().where('id', 'in', ids)),
    reversals: manyKeys((ids) =>
      sql
        .selectFrom('payment')
        .select(['referenced_id', 'amount_minor', 'result_code'])
        .where('referenced_id', 'in', ids)
        .where('payment_type', '=', raw<string>`'RV'`)
        .where('state', '=', raw<'done'>`'done'`),
    ),
  };
};

const sumStatements = (sql: Kysely<Tables>) => ({
  sums: query((key: { entityId: string; from: string; to: string }) =>
    sql
      .selectFrom('settlement_sum')
      .innerJoin('settlement', 'settlement.id', 'settlement_sum.settlement_id')
      .selectAll('settlement_sum')
      .select('settlement.day')
      .where('entity_id', '=', key.entityId)
      .where('day', '>=', key.from)
      .where('day', '<=', key.to)
      .where('closed_at', 'is not', null)
      .orderBy('day')
      .orderBy('currency')
      .orderBy('test_mode'),
  ),
  sum: query((key: { id: string }) => sql.selectFrom('settlement_sum').selectAll().where('id', '=', key.id)),
  sumsOf: query((key: { id: string }) =>
    sql
      .selectFrom('settlement_sum')
      .selectAll()
      .where('settlement_id', '=', key.id)
      .orderBy('currency')
      .orderBy('test_mode'),
  ),
});

const createReader = (db: Connection, sql: Kysely<Tables>, statements: ReturnType<typeof createReadStatements>) => ({
  due: async ({ from, before, ...of }: { entityId: string; from: number; before: number; limit: number }) =>
    (await db.rows(statements.due, { ...of, from: BigInt(from), before: BigInt(before) })).map(toPayment),
  async oldestDue(entityId: string) {
    const row = await db.row(statements.oldest, { entityId });
    return row === undefined ? undefined : Number(row.at);
  },
  async byId(id: string) {
    const row = await db.row(statements.byId, { id });
    return row === undefined ? undefined : toSettlement(row);
  },
  async ofDay(entityId: string, day: string) {
    const row = await db.row(statements.ofDay, { entityId, day });
    return row === undefined ? undefined : toSettlement(row);
  },
  list: async (entityId: string, limit: number) =>
    (await db.rows(statements.list, { entityId, limit })).map(toSettlement),
  sums: async (key: { entityId: string; from: string; to: string }) =>
    (await db.rows(statements.sums, key)).map((row) => ({ ...toSum(row), day: row.day })),
  async sum(id: string) {
    const row = await db.row(statements.sum, { id });
    return row === undefined ? undefined : toSum(row);
  },
  sumsOf: async (id: string) => (await db.rows(statements.sumsOf, { id })).map(toSum),
  recordLines: (page: RecordPage) => readLines(db, sql, page),
  recordLinesAfter: async ({ number, ...of }: { settlementId: string; number: number; limit: number }) =>
    (await db.rows(statements.linesAfter, { ...of, number: BigInt(number) })).map((row) => ({
      number: Number(row.number),
      line: row.line ?? '',
    })),
  async byIds(ids: readonly string[]) {
    const rows = [];
    for (const [statement, portion] of statements.byIds.portions(ids))
      rows.push(...(await db.rows(statement, portion)));
    return new Map(rows.map((row) => [row.id, toPayment(row)]));
  },
  async reversalsOf(ids: readonly string[]) {
    const rows = [];
    for (const [statement, portion] of statements.reversals.portions(ids))
      rows.push(...(await db.rows(statement, portion)));
    return rows.map((row) => ({
      of: row.referenced_id ?? '',
      minor: row.amount_minor,
      resultCode: row.result_code ?? '',
    }));
  },
  async record(key: string) {
    const row = await db.row(statements.record, { key });
    return row === undefined ? undefined : { hasLine: row.line !== null };
  },
});

const readLines = async (db: Connection, sql: Kysely<Tables>, page: RecordPage) => {
  const { sumId, recordType, limit, offset, descending } = page;
  const allRecords = sql.selectFrom('settlement_record').where('sum_id', '=', sumId);
  const matching = recordType === undefined ? allRecords : allRecords.where('record_type', '=', recordType);
  const pageQuery = matching
    .select('line')
    .orderBy('number', descending ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset);
  const rows = await db.rows(compileQuery<null, { line: string | null }>(pageQuery), null);
  const counting = matching.select((row) => row.fn.countAll<bigint>().as('total'));
  const totalRow = await db.row(compileQuery<null, { total: bigint }>(counting), null);
  return { lines: rows.map(({ line }) => line ?? ''), total: Number(totalRow?.total ?? 0n) };
};

const recordColumns = ['settlement_id', 'number', 'key', 'sum_id', 'record_type', 'line'] as const;

const summed = ['records', 'paid_minor', 'taken_minor', 'fee_minor'] as const;

const createWriteStatements = (sql: Kysely<Tables>) => ({
  add: query((key: Selectable<SettlementTable>) =>
    sql.insertInto('settlement').values(placesOf(key, ['id', 'entity_id', 'day', 'made_at', 'closed_at', 'records'])),
  ),
  change: query((key: { id: string; closed_at: bigint | null; records: bigint }) =>
    sql.updateTable('settlement').set({ closed_at: key.closed_at, records: key.records }).where('id', '=', key.id),
  ),
  records: manyRows<SettlementRecordTable, unknown>(recordColumns, (rows) =>
    sql.insertInto('settlement_record').values(rows),
  ),
  sum: query((of: SettlementSumTable) =>
    sql
      .insertInto('settlement_sum')
      .values(placesOf(of, ['id', 'settlement_id', 'currency', 'settlement_currency', 'test_mode', ...summed]))
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(
              summed.map((name) => [name, raw<bigint>`${ref(`settlement_sum.${name}`)} + ${ref(`excluded.${name}`)}`]),
            ),
          ),
      ),
  ),
  removeDue: manyRows<DueTable, unknown>(['entity_id', 'at', 'payment_id'], (rows) =>
    sql
      .deleteFrom('settlement_due')
      .where((row) =>
        row.or(
          rows.map((each) =>
            row.and([
              row('entity_id', '=', each.entity_id),
              row('at', '=', each.at),
              row('payment_id', '=', each.payment_id),
            ]),
          ),
        ),
      ),
  ),
});

const createWriter = (db: Connection, statements: ReturnType<typeof createWriteStatements>) => ({
  async addSettlement(settlement: Settlement) {
    await db.change(statements.add, settlementRow(settlement));
  },
  async changeSettlement(settlement: Settlement) {
    await db.change(statements.change, settlementRow(settlement));
  },
  async addRecords(settlementId: string, records: readonly StoredSettlementRecord[]) {
    const rows = records.map(({ number, key, written }) => ({
      settlement_id: settlementId,
      number: BigInt(number),
      key,
      sum_id: written?.sumId ?? null,
      record_type: written?.recordType ?? null,
      line: written?.line ?? null,
    }));
    for (const [statement, portion] of statements.records.portions(rows)) await db.change(statement, portion);
  },
  async addToSum(sum: SettlementSum) {
    await db.change(statements.sum, {
      id: sum.id,
      settlement_id: sum.settlementId,
      currency: sum.currency,
      settlement_currency: sum.settlementCurrency,
      test_mode: sum.testMode,
      records: BigInt(sum.records),
      paid_minor: sum.paidMinor,
      taken_minor: sum.takenMinor,
      fee_minor: sum.feeMinor,
    });
  },
  async removeDue(payments: readonly { entityId: string; at: number; id: string }[]) {
    const rows = payments.map(({ entityId, at, id }) => ({ entity_id: entityId, at: BigInt(at), payment_id: id }));
    for (const [statement, portion] of statements.removeDue.portions(rows)) await db.change(statement, portion);
  },
});
