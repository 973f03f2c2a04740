/** The store on an engine: the queries behind each of its operations. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '../../base/fault.ts';
import { checkoutReader, createCheckoutQueries } from '../checkout/store/checkouts.ts';
import { claims } from '../payments/store/claims.ts';
import { payments } from '../payments/store/payments.ts';
import { registrations } from '../registrations/store/registrations.ts';
import { settlements } from '../reports/store/settlements.ts';
import { sightings } from '../risk/sightings.ts';
import { scheduleReader, schedules } from '../schedules/store/tables.ts';
import { type AcquirerMemory, documents, lockNameOf } from '../store/documents.ts';
import type { Connection, Engine } from '../store/engine.ts';
import { query } from '../store/query.ts';
import type { Payment, Registration } from '../store/records.ts';
import type { FactTable } from '../store/schema.ts';
import type { SettlementReader } from '../store/settlement-store.ts';
import type { KeyedRequest, PaymentEnding, Session, Sighting, Store } from '../store/store.ts';
import { notificationReader, notifications } from '../webhooks/store/notifications.ts';
import { webhooksOn } from '../webhooks/store/tables.ts';

/** A store on a database whose tables exist. Closing it closes the database. */
export const createStore = (engine: Engine): Store => {
  const tables = tablesOf(engine);
  const { refuse, rejection, trackWork } = trackOwnSession();
  const tryWrite = trialWriteOn(engine);
  const read = <T>(work: (db: Connection) => Promise<T>): Promise<T> => rejection() ?? engine.read(work);
  return {
    shared: engine.shared,
    payment: (id) => read((db) => tables.payments.byId(db, id)),
    followersOf: (id) => read((db) => tables.payments.followersOf(db, id)),
    registration: (id) => read((db) => tables.registrations.byId(db, id)),
    transact: (names, work) =>
      rejection() ??
      engine.transact(
        names,
        trackWork((db: Connection) => work(new OpenSession(tables.held, db))),
      ),
    finish: (id, ending) => rejection() ?? finish(engine, tables, { id, ending }),
    async note(id, facts) {
      refuse();
      const { query, values } = tables.payments.factsChange(id, facts);
      await engine.changeOnce(query, values);
    },
    unfinished: (before) => read((db) => tables.payments.unfinished(db, before)),
    search: (query) => read((db) => tables.payments.search(db, query)),
    registrationsOf: (key) => read((db) => tables.registrations.byHash(db, key)),
    sealedUnderOther: (keyId, limit) => read((db) => tables.registrations.sealedUnderOther(db, { keyId, limit })),
    expiredRegistrations: (until, limit) =>
      read((db) => tables.registrations.expiredUntil(db, { until: BigInt(until), limit })),
    fact: (name) => read((db) => tables.documents.fact(db, name)),
    async keepFact(name, value) {
      refuse();
      await engine.changeOnce(tables.documents.insertFact, { name, value });
      return (await engine.read((db) => tables.documents.fact(db, name))) ?? value;
    },
    memory: createAcquirerMemory(engine, tables, { read, rejection, trackWork }),
    checkouts: checkoutReader(engine, refuse, tables.checkouts),
    notifications: notificationReader(engine, refuse, tables.notifications),
    schedules: scheduleReader(read, tables.schedules),
    settlements: settlementReader(read, tables),
    webhooks: webhooksOn(engine, guardEngine(engine, { read, rejection, trackWork })),
    ping: () => rejection() ?? engine.ping(),
    tryWrite: () => rejection() ?? tryWrite(),
    close: () => engine.close(),
  };
};

type Guards = Omit<SessionGuard, 'refuse'> & { read: Engine['read'] };

/** The engine's calls, which a transaction of the store must not make directly. */
const guardEngine = (
  engine: Engine,
  { read, rejection, trackWork }: Guards,
): Pick<Engine, 'read' | 'changeOnce' | 'transact'> => ({
  read,
  changeOnce: (request, values) => rejection() ?? engine.changeOnce(request, values),
  transact: (names, work) => rejection() ?? engine.transact(names, trackWork(work)),
});

const createAcquirerMemory = (
  engine: Engine,
  { documents }: TablesOf,
  { read, rejection, trackWork }: Guards,
): AcquirerMemory => ({
  get: (key) => read((db) => documents.get(db, key)),
  withLocks(names, work) {
    const guardedWork = trackWork((db: Connection) => work(documents.inTransaction(db)));
    return rejection() ?? engine.transact(names.map(lockNameOf), guardedWork);
  },
});

type TablesOf = ReturnType<typeof tablesOf>;

/** Reads outside a transaction lock nothing; reads within one lock what others could change meanwhile. */
const tablesOf = ({ sql, shared }: Engine) => {
  const keyed = {
    claims: claims(sql),
    sightings: sightings(sql),
    documents: documents(sql),
    settlements: settlements(sql),
    notifications: notifications(sql),
  };
  const createTables = (lock: boolean) => ({
    checkouts: createCheckoutQueries(sql, { lock }),
    payments: payments(sql, { lock }),
    registrations: registrations(sql, { lock }),
    schedules: schedules(sql, { lock }),
  });
  const reading = createTables(false);
  const locked = shared ? createTables(true) : reading;
  return { ...keyed, ...reading, held: { ...keyed, ...locked } };
};

class OpenSession implements Session {
  readonly #tables: TablesOf['held'];
  readonly #on: Connection;

  constructor(tables: TablesOf['held'], db: Connection) {
    this.#tables = tables;
    this.#on = db;
  }

  payment(id: string) {
    return this.#tables.payments.byId(this.#on, id);
  }
  followersOf(id: string) {
    return this.#tables.payments.followersOf(this.#on, id);
  }
  registration(id: string) {
    return this.#tables.registrations.byId(this.#on, id);
  }
  findClaimed(keys: readonly string[]) {
    return this.#tables.claims.findFirst(this.#on, keys);
  }
  async add(payment: Payment, newClaims: readonly KeyedRequest[]) {
    await this.#tables.payments.add(this.#on, payment);
    if (newClaims.length > 0) await this.#tables.claims.addForPayment(this.#on, newClaims, payment.id);
  }
  addAnswer(answer: { status: number; body: string }, newClaims: readonly KeyedRequest[]) {
    return this.#tables.claims.addForAnswer(this.#on, newClaims, answer);
  }
  addRegistration(registration: Registration) {
    return this.#tables.registrations.add(this.#on, registration);
  }
  changeRegistration(registration: Registration) {
    return this.#tables.registrations.change(this.#on, registration);
  }
  addSightings(newSightings: readonly Sighting[]) {
    return this.#tables.sightings.add(this.#on, newSightings);
  }
  sightings(key: { entityId: string; subject: string; since: number }) {
    return this.#tables.sightings.sum(this.#on, key);
  }
  get documents() {
    return this.#tables.documents.inTransaction(this.#on);
  }
  get checkouts() {
    return this.#tables.checkouts.within(this.#on);
  }
  get schedules() {
    return this.#tables.schedules.writer(this.#on);
  }
  get notifications() {
    return this.#tables.notifications.within(this.#on);
  }
  get settlements() {
    return this.#tables.settlements.on(this.#on);
  }
}

type FinishValues = { id: string; ending: PaymentEnding };

const finish = async (engine: Engine, tables: TablesOf, { id, ending }: FinishValues): Promise<boolean> => {
  const { query, values } = tables.payments.endingChange(id, ending);
  const { releases: frees, registration } = ending;
  if (frees === undefined && registration === undefined) return (await engine.changeOnce(query, values)) > 0;
  const work = async (db: Connection) => {
    if ((await db.change(query, values)) === 0) return false;
    if (frees !== undefined) await tables.claims.free(db, id);
    if (registration !== undefined) await tables.registrations.add(db, registration);
    return true;
  };
  return engine.transact([], work);
};

type Read = <T>(work: (db: Connection) => Promise<T>) => Promise<T>;

/** Each query on its own, outside of any transaction. */
const settlementReader = (read: Read, { settlements: settlementTables }: TablesOf): SettlementReader => ({
  due: (wanted) => read((db) => settlementTables.on(db).due(wanted)),
  isSettling: (entityId) => read((db) => settlementTables.on(db).isSettling(entityId)),
  oldestDue: (entityId) => read((db) => settlementTables.on(db).oldestDue(entityId)),
  byId: (id) => read((db) => settlementTables.on(db).byId(id)),
  ofDay: (entityId, day) => read((db) => settlementTables.on(db).ofDay(entityId, day)),
  list: (entityId, limit) => read((db) => settlementTables.on(db).list(entityId, limit)),
  undelivered: (wanted) => read((db) => settlementTables.on(db).undelivered(wanted)),
  sums: (wanted) => read((db) => settlementTables.on(db).sums(wanted)),
  sum: (id) => read((db) => settlementTables.on(db).sum(id)),
  sumsOf: (id) => read((db) => settlementTables.on(db).sumsOf(id)),
  recordLines: (page) => read((db) => settlementTables.on(db).recordLines(page)),
  recordLinesAfter: (wanted) => read((db) => settlementTables.on(db).recordLinesAfter(wanted)),
  notice: (entityId, id) => read((db) => settlementTables.on(db).notice(entityId, id)),
  notices: (wanted) => read((db) => settlementTables.on(db).notices(wanted)),
  dueNotices: (wanted) => read((db) => settlementTables.on(db).dueNotices(wanted)),
  noticeOfChargeback: (entityId, id) => read((db) => settlementTables.on(db).noticeOfChargeback(entityId, id)),
  deliveries: (id) => read((db) => settlementTables.on(db).deliveries(id)),
  byIds: (ids) => read((db) => settlementTables.on(db).byIds(ids)),
  reversalsOf: (ids) => read((db) => settlementTables.on(db).reversalsOf(ids)),
  record: (key) => read((db) => settlementTables.on(db).record(key)),
});

// A transaction that called the store itself would wait for its own end: the call is refused instead.

interface SessionGuard {
  /** Throws `gateway.state` when called from within an unfinished transaction. */
  refuse(): void;
  /** The same as a rejected promise; undefined if the call is allowed. */
  rejection(): Promise<never> | undefined;
  /** Wraps `work`, so that everything it starts is recognised as part of it until it is over. */
  trackWork<A, T>(work: (input: A) => Promise<T>): (input: A) => Promise<T>;
}

const trackOwnSession = (): SessionGuard => {
  const inside = new AsyncLocalStorage<{ isFinished: boolean }>();
  const refusal = (): Fault | undefined => {
    if (inside.getStore()?.isFinished !== false) return undefined;
    return new Fault('gateway.state', { why: 'a transaction called the store instead of its own session' });
  };
  return {
    refuse() {
      const fault = refusal();
      if (fault !== undefined) throw fault;
    },
    rejection() {
      const fault = refusal();
      return fault && Promise.reject(fault);
    },
    trackWork: (work) => async (input) => {
      const scope = { isFinished: false };
      try {
        return await inside.run(scope, work, input);
      } finally {
        scope.isFinished = true;
      }
    },
  };
};

// Checks whether the store accepts writes now, by a write like a payment's that leaves no trace.

/** Two pages of SQLite: a full disk is noticed only when the file has to grow, as for a payment. */
const FILLER = '0'.repeat(8_000);
const FIRST = 'trial write';
const SECOND = 'trial write 2';

/**
 * Resolves when the store has made something durable since the call, even another transaction: in a busy store the
 * trial may have to wait for its turn, and is not needed. Throws `gateway.state`, with the `trouble` if it is known.
 *
 * In a store of one process the next row is added before the last one is deleted, so that new pages are needed. In a
 * shared store all gateways overwrite the same row in one statement each, so that none can block another.
 */
const trialWriteOn = (engine: Engine): (() => Promise<void>) => {
  const { sql } = engine;
  const upsertFact = query((settlementTables: FactTable) =>
    sql
      .insertInto('store_fact')
      .values({ name: settlementTables.name, value: settlementTables.value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') }))),
  );
  const deleteFact = query((key: { name: string }) => sql.deleteFrom('store_fact').where('name', '=', key.name));
  let [stored, next] = [FIRST, SECOND];
  const writeOnce = async (): Promise<void> => {
    if (engine.shared) {
      await engine.changeOnce(upsertFact, { name: FIRST, value: FILLER });
      return;
    }
    const [removed, added] = [stored, next];
    await engine.transact([], async (db) => {
      await db.change(upsertFact, { name: added, value: FILLER });
      await db.change(deleteFact, { name: removed });
    });
    // Not before the row is committed: overwriting an existing row would need no new page.
    [stored, next] = [added, removed];
  };
  return () =>
    new Promise((resolve, reject) => {
      const stopListening = engine.writes.listen(resolve);
      writeOnce().then(resolve, reject).finally(stopListening);
    });
};
