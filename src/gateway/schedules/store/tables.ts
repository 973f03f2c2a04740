/** The store of schedules and their runs: insert, claim, find. */
import { type Kysely, sql as raw, type Selectable } from 'kysely';
import { money } from '../../../base/money.ts';
import type { Connection } from '../../store/engine.ts';
import { factsText } from '../../store/facts-text.ts';
import { compileQuery, manyRows, placesOf, query } from '../../store/query.ts';
import type {
  Due,
  Schedule,
  ScheduleFacts,
  ScheduleReader,
  ScheduleRun,
  ScheduleWriter,
} from '../../store/schedule-store.ts';
import type { ScheduleRunTable, ScheduleTable, Tables } from '../../store/schema.ts';

/** `lock` keeps what was read unchanged until the transaction ends, where others could change it meanwhile. */
export const schedules = (sql: Kysely<Tables>, { lock }: { lock: boolean }) => {
  const statements = prepareStatements(sql, lock);
  const insertRuns = manyRows<NewRunRow, unknown>(runColumns, (rows) => sql.insertInto('schedule_run').values(rows));
  const listed = async (db: Connection, { registrationId, limit }: { registrationId?: string; limit: number }) =>
    registrationId === undefined
      ? db.rows(statements.newest, { limit })
      : db.rows(statements.ofRegistration, { registrationId, limit });
  return {
    reader: (db: Connection): ScheduleReader => ({
      schedule: async (id) => (await db.rows(statements.byId, { id })).map(toSchedule)[0],
      chain: async (rootId) => (await db.rows(statements.chain, { rootId })).map(toSchedule),
      schedules: async (key) => (await listed(db, key)).map(toSchedule),
      run: async (id, at) => (await db.rows(statements.run, { id, at: BigInt(at) })).map(toRun)[0],
      runs: async (key) => (await db.rows(statements.runs, key)).map(toRun),
      async nextWorkAt(entityIds) {
        if (entityIds.length === 0) return undefined;
        const row = await db.row(compileQuery<null, { at: bigint | null }>(nextWorkQuery(sql, entityIds)), null);
        return row === undefined || row.at === null ? undefined : Number(row.at);
      },
    }),
    writer(db: Connection): ScheduleWriter {
      return {
        ...this.reader(db),
        addSchedule: async (schedule) => void (await db.change(statements.add, scheduleRow(schedule))),
        changeSchedule: async (schedule) => void (await db.change(statements.change, scheduleRow(schedule))),
        async addRuns(runs) {
          for (const [statement, portion] of insertRuns.portions(runs.map(runRow))) await db.change(statement, portion);
        },
        changeRun: async (run) => void (await db.change(statements.changeRun, runRow(run))),
        due: async (of) =>
          (await db.rows(compileQuery<null, ScheduleTableRow>(dueQuery(sql, lock, of)), null)).map(toSchedule),
        neglected: async (of) =>
          (await db.rows(compileQuery<null, RunTableRow>(neglectedQuery(sql, lock, of)), null)).map(toRun),
      };
    },
  };
};

type ScheduleTableRow = Parameters<typeof toSchedule>[0];
type RunTableRow = Parameters<typeof toRun>[0];

const runColumns = [
  'schedule_id',
  'due_at',
  'root_id',
  'entity_id',
  'state',
  'look_at',
  'attempts',
  'missed',
  'payment_id',
  'result_code',
  'why',
] as const satisfies readonly (keyof ScheduleRunTable)[];

const scheduleColumns = [
  'id',
  'entity_id',
  'root_id',
  'registration_id',
  'payment_type',
  'amount_minor',
  'currency',
  'at',
  'state',
  'result_code',
  'next_at',
  'ends_at',
  'facts',
] as const satisfies readonly (keyof ScheduleTable)[];

const prepareStatements = (sql: Kysely<Tables>, lock: boolean) => {
  const allSchedules = sql.selectFrom('schedule').selectAll();
  const lockedSchedules = lock ? allSchedules.forNoKeyUpdate() : allSchedules;
  const runs = sql.selectFrom('schedule_run').selectAll();
  const heldRuns = lock ? runs.forNoKeyUpdate() : runs;
  const newest = allSchedules.orderBy('sequence', 'desc');
  return {
    byId: query((key: { id: string }) => lockedSchedules.where('id', '=', key.id)),
    chain: query((key: { rootId: string }) => lockedSchedules.where('root_id', '=', key.rootId).orderBy('sequence')),
    ofRegistration: query((key: { registrationId: string; limit: number }) =>
      newest.where('registration_id', '=', key.registrationId).limit(key.limit),
    ),
    newest: query((key: { limit: number }) => newest.limit(key.limit)),
    run: query((key: { id: string; at: bigint }) =>
      heldRuns.where('schedule_id', '=', key.id).where('due_at', '=', key.at),
    ),
    runs: query((key: { rootId: string; limit: number }) =>
      runs.where('root_id', '=', key.rootId).orderBy('due_at', 'desc').limit(key.limit),
    ),
    add: query((of: NewScheduleRow) => sql.insertInto('schedule').values(placesOf(of, scheduleColumns))),
    change: query((of: NewScheduleRow) =>
      sql
        .updateTable('schedule')
        .set(placesOf(of, ['state', 'result_code', 'next_at', 'ends_at', 'facts']))
        .where('id', '=', of.id),
    ),
    changeRun: query((key: NewRunRow) =>
      sql
        .updateTable('schedule_run')
        .set(placesOf(key, ['state', 'look_at', 'attempts', 'missed', 'payment_id', 'result_code', 'why']))
        .where('schedule_id', '=', key.schedule_id)
        .where('due_at', '=', key.due_at),
    ),
  };
};

/** Several gateways that look at the same time get different runs: each skips those locked by another. */
const dueQuery = (sql: Kysely<Tables>, lock: boolean, { until, entityIds, limit }: Due) => {
  const dueRows = sql
    .selectFrom('schedule')
    .selectAll()
    .where('state', '=', 'active')
    .where('next_at', '<=', BigInt(until))
    .where('entity_id', 'in', [...entityIds])
    .orderBy('next_at')
    .limit(limit);
  return lock ? dueRows.forNoKeyUpdate().skipLocked() : dueRows;
};

const neglectedQuery = (sql: Kysely<Tables>, lock: boolean, { until, entityIds, limit }: Due) => {
  const neglectedRows = sql
    .selectFrom('schedule_run')
    .selectAll()
    .where('look_at', '<=', BigInt(until))
    .where('entity_id', 'in', [...entityIds])
    .orderBy('look_at')
    .limit(limit);
  return lock ? neglectedRows.forNoKeyUpdate().skipLocked() : neglectedRows;
};

const nextWorkQuery = (sql: Kysely<Tables>, entityIds: readonly string[]) => {
  const nextDueAt = sql
    .selectFrom('schedule')
    .select('next_at as at')
    .where('state', '=', 'active')
    .where('entity_id', 'in', [...entityIds])
    .orderBy('next_at')
    .limit(1);
  const nextLookAt = sql
    .selectFrom('schedule_run')
    .select('look_at as at')
    .where('look_at', 'is not', null)
    .where('entity_id', 'in', [...entityIds])
    .orderBy('look_at')
    .limit(1);
  const eitherAt = sql
    .selectFrom(nextDueAt.as('next'))
    .select('at')
    .unionAll(sql.selectFrom(nextLookAt.as('look')).select('at'));
  return sql.selectFrom(eitherAt.as('work')).select(raw<bigint | null>`min(at)`.as('at'));
};

type Read = <T>(work: (db: Connection) => Promise<T>) => Promise<T>;

/** Each query on its own, outside of any transaction. */
export const scheduleReader = (read: Read, tables: ReturnType<typeof schedules>): ScheduleReader => ({
  schedule: (id) => read((db) => tables.reader(db).schedule(id)),
  chain: (rootId) => read((db) => tables.reader(db).chain(rootId)),
  schedules: (key) => read((db) => tables.reader(db).schedules(key)),
  run: (scheduleId, dueAt) => read((db) => tables.reader(db).run(scheduleId, dueAt)),
  runs: (key) => read((db) => tables.reader(db).runs(key)),
  nextWorkAt: (entityIds) => read((db) => tables.reader(db).nextWorkAt(entityIds)),
});

type ScheduleRow = Selectable<ScheduleTable>;
type NewScheduleRow = Omit<ScheduleRow, 'sequence'>;
type NewRunRow = Selectable<ScheduleRunTable>;

const scheduleRow = (schedule: Schedule): NewScheduleRow => ({
  id: schedule.id,
  entity_id: schedule.entityId,
  root_id: schedule.rootId,
  registration_id: schedule.registrationId,
  payment_type: schedule.paymentType,
  amount_minor: schedule.amount.minor,
  currency: schedule.amount.currency,
  at: BigInt(schedule.at),
  state: schedule.state,
  result_code: schedule.resultCode,
  next_at: schedule.state === 'active' ? BigInt(schedule.nextAt) : null,
  ends_at: schedule.endsAt === undefined ? null : BigInt(schedule.endsAt),
  facts: factsText(schedule.facts),
});

// Rows are trusted: the tables' own checks accept nothing else.
const toSchedule = (row: ScheduleRow): Schedule => ({
  id: row.id,
  entityId: row.entity_id,
  rootId: row.root_id,
  registrationId: row.registration_id,
  paymentType: row.payment_type as Schedule['paymentType'],
  amount: money(row.amount_minor, row.currency),
  at: Number(row.at),
  resultCode: row.result_code,
  endsAt: row.ends_at === null ? undefined : Number(row.ends_at),
  facts: factsOf(row.facts),
  ...(row.next_at === null ? { state: 'ended' } : { state: 'active', nextAt: Number(row.next_at) }),
});

/** One damaged plan must not keep all others from being read; it cannot run, and nothing of it is lost. */
const factsOf = (text: string): ScheduleFacts => {
  try {
    return JSON.parse(text) as ScheduleFacts;
  } catch {
    const emptyFacts = { requestId: '', expression: '', timeZone: '', startsAt: 0, request: {}, declines: 0 };
    return { ...emptyFacts, unreadable: text };
  }
};

const runRow = (run: ScheduleRun): NewRunRow => ({
  schedule_id: run.scheduleId,
  due_at: BigInt(run.dueAt),
  root_id: run.rootId,
  entity_id: run.entityId,
  state: run.state,
  look_at: 'lookAt' in run ? BigInt(run.lookAt) : null,
  attempts: BigInt(run.attempts),
  missed: BigInt(run.missed),
  payment_id: run.paymentId ?? null,
  result_code: run.resultCode ?? null,
  why: run.why ?? null,
});

const toRun = (row: NewRunRow): ScheduleRun => ({
  scheduleId: row.schedule_id,
  dueAt: Number(row.due_at),
  rootId: row.root_id,
  entityId: row.entity_id,
  attempts: Number(row.attempts),
  missed: Number(row.missed),
  paymentId: row.payment_id ?? undefined,
  resultCode: row.result_code ?? undefined,
  why: row.why ?? undefined,
  ...(row.look_at === null
    ? { state: row.state as 'done' | 'missed' }
    : { state: row.state as 'claimed' | 'waiting', lookAt: Number(row.look_at) }),
});
