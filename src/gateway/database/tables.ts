/** The store on an engine: the queries behind each of its operations. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '../../base/fault.ts';
import { checkoutReader, checkouts } from '../checkout/store/checkouts.ts';
import { claims } from '../payments/store/claims.ts';
import { payments } from '../payments/store/payments.ts';
import { registrations } from '../registrations/store/registrations.ts';
import { settlements } from '../reports/store/settlements.ts';
import { sightings } from '../risk/sightings.ts';
import { scheduleReader, schedules } from '../schedules/store/tables.ts';
import { type AcquirerMemory, documents, turnOf } from '../store/documents.ts';
import type { Connection, Engine } from '../store/engine.ts';
import { query } from '../store/query.ts';
import type { Payment, Registration } from '../store/records.ts';
import type { FactTable } from '../store/schema.ts';
import type { SettlementReader } from '../store/settlement-store.ts';
import type { KeyedRequest, PaymentEnding, Session, Sighting, Store } from '../store/store.ts';
import { notificationReader, notifications } from '../webhooks/store/notifications.ts';
import { webhooksOn } from '../webhooks/store/tables.ts';

/** A store on a database whose tables exist. Closing it closes the database. */
export const storeOn = (engine: Engine): Store => {
  const tables = tablesOf(engine);
  const { refuse, refused, within } = ownSession();
  const tryWrite = trialWriteOn(engine);
  const read = <T>(work: (db: Connection) => Promise<T>): Promise<T> => refused() ?? engine.read(work);
  return {
    shared: engine.shared,
    payment: (id) => read((db) => tables.payments.byId(db, id)),
    followersOf: (id) => read((db) => tables.payments.followersOf(db, id)),
    registration: (id) => read((db) => tables.registrations.byId(db, id)),
    atomically: (names, work) =>
      refused() ??
      engine.transact(
        names,
        within((db: Connection) => work(new OpenSession(tables.held, db))),
      ),
    finish: (id, ending) => refused() ?? finish(engine, tables, { id, ending }),
    async note(id, facts) {
      refuse();
      const { query, values } = tables.payments.noting(id, facts);
      await engine.single(query, values);
    },
    unfinished: (before) => read((db) => tables.payments.unfinished(db, before)),
    search: (query) => read((db) => tables.payments.search(db, query)),
    registrationsOf: (key) => read((db) => tables.registrations.withHash(db, key)),
    sealedUnderOther: (keyId, limit) => read((db) => tables.registrations.underOther(db, { keyId, limit })),
    expiredRegistrations: (until, limit) =>
      read((db) => tables.registrations.expired(db, { until: BigInt(until), limit })),
    fact: (name) => read((db) => tables.documents.fact(db, name)),
    async keepFact(name, value) {
      refuse();
      await engine.single(tables.documents.keeping, { name, value });
      return (await engine.read((db) => tables.documents.fact(db, name))) ?? value;
    },
    memory: memoryOn(engine, tables, { read, refused, within }),
    checkouts: checkoutReader(engine, refuse, tables.checkouts),
    notifications: notificationReader(engine, refuse, tables.notifications),
    schedules: scheduleReader(read, tables.schedules),
    settlements: settlementReader(read, tables),
    webhooks: webhooksOn(engine, guarded(engine, { read, refused, within })),
    ping: () => refused() ?? engine.ping(),
    tryWrite: () => refused() ?? tryWrite(),
    close: () => engine.close(),
  };
};

type Guards = Omit<OwnSession, 'refuse'> & { read: Engine['read'] };

/** The engine's calls, which a transaction of the store must not make directly. */
const guarded = (engine: Engine, { read, refused, within }: Guards): Pick<Engine, 'read' | 'single' | 'transact'> => ({
  read,
  single: (request, values) => refused() ?? engine.single(request, values),
  transact: (names, work) => refused() ?? engine.transact(names, within(work)),
});

const memoryOn = (engine: Engine, { documents }: TablesOf, { read, refused, within }: Guards): AcquirerMemory => ({
  get: (key) => read((db) => documents.get(db, key)),
  exclusively(names, work) {
    const own = within((db: Connection) => work(documents.within(db)));
    return refused() ?? engine.transact(names.map(turnOf), own);
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
  const areas = (lock: boolean) => ({
    checkouts: checkouts(sql, { lock }),
    payments: payments(sql, { lock }),
    registrations: registrations(sql, { lock }),
    schedules: schedules(sql, { lock }),
  });
  const reading = areas(false);
  const held = shared ? areas(true) : reading;
  return { ...keyed, ...reading, held: { ...keyed, ...held } };
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
  claimed(keys: readonly string[]) {
    return this.#tables.claims.first(this.#on, keys);
  }
  async add(payment: Payment, made: readonly KeyedRequest[]) {
    await this.#tables.payments.add(this.#on, payment);
    if (made.length > 0) await this.#tables.claims.forPayment(this.#on, made, payment.id);
  }
  addAnswer(answer: { status: number; body: string }, made: readonly KeyedRequest[]) {
    return this.#tables.claims.forAnswer(this.#on, made, answer);
  }
  addRegistration(registration: Registration) {
    return this.#tables.registrations.add(this.#on, registration);
  }
  changeRegistration(registration: Registration) {
    return this.#tables.registrations.change(this.#on, registration);
  }
  addSightings(seen: readonly Sighting[]) {
    return this.#tables.sightings.add(this.#on, seen);
  }
  sightings(key: { entityId: string; subject: string; since: number }) {
    return this.#tables.sightings.sum(this.#on, key);
  }
  get documents() {
    return this.#tables.documents.within(this.#on);
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
  const { query, values } = tables.payments.ending(id, ending);
  const { frees, registration } = ending;
  if (frees === undefined && registration === undefined) return (await engine.single(query, values)) > 0;
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
const settlementReader = (read: Read, { settlements: of }: TablesOf): SettlementReader => ({
  due: (wanted) => read((db) => of.on(db).due(wanted)),
  settles: (entityId) => read((db) => of.on(db).settles(entityId)),
  oldestDue: (entityId) => read((db) => of.on(db).oldestDue(entityId)),
  byId: (id) => read((db) => of.on(db).byId(id)),
  ofDay: (entityId, day) => read((db) => of.on(db).ofDay(entityId, day)),
  list: (entityId, limit) => read((db) => of.on(db).list(entityId, limit)),
  undelivered: (wanted) => read((db) => of.on(db).undelivered(wanted)),
  sums: (wanted) => read((db) => of.on(db).sums(wanted)),
  sum: (id) => read((db) => of.on(db).sum(id)),
  sumsOf: (id) => read((db) => of.on(db).sumsOf(id)),
  lines: (page) => read((db) => of.on(db).lines(page)),
  linesAfter: (wanted) => read((db) => of.on(db).linesAfter(wanted)),
  notice: (entityId, id) => read((db) => of.on(db).notice(entityId, id)),
  notices: (wanted) => read((db) => of.on(db).notices(wanted)),
  dueNotices: (wanted) => read((db) => of.on(db).dueNotices(wanted)),
  noticeOfChargeback: (entityId, id) => read((db) => of.on(db).noticeOfChargeback(entityId, id)),
  deliveries: (id) => read((db) => of.on(db).deliveries(id)),
  byIds: (ids) => read((db) => of.on(db).byIds(ids)),
  reversalsOf: (ids) => read((db) => of.on(db).reversalsOf(ids)),
  record: (key) => read((db) => of.on(db).record(key)),
});

// A transaction that called the store itself would wait for its own end: the call is refused instead.

interface OwnSession {
  /** Throws `gateway.state` when called from within an unfinished transaction. */
  refuse(): void;
  /** The same as a rejected promise; undefined if the call is allowed. */
  refused(): Promise<never> | undefined;
  /** Wraps `work`, so that everything it starts is recognised as part of it until it is over. */
  within<A, T>(work: (input: A) => Promise<T>): (input: A) => Promise<T>;
}

const ownSession = (): OwnSession => {
  const inside = new AsyncLocalStorage<{ over: boolean }>();
  const refusal = (): Fault | undefined => {
    if (inside.getStore()?.over !== false) return undefined;
    return new Fault('gateway.state', { why: 'a transaction called the store instead of its own session' });
  };
  return {
    refuse() {
      const fault = refusal();
      if (fault !== undefined) throw fault;
    },
    refused() {
      const fault = refusal();
      return fault && Promise.reject(fault);
    },
    within: (work) => async (input) => {
      const turn = { over: false };
      try {
        return await inside.run(turn, work, input);
      } finally {
        turn.over = true;
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
  const keeping = query((of: FactTable) =>
    sql
      .insertInto('store_fact')
      .values({ name: of.name, value: of.value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') }))),
  );
  const removing = query((key: { name: string }) => sql.deleteFrom('store_fact').where('name', '=', key.name));
  let [stored, next] = [FIRST, SECOND];
  const own = async (): Promise<void> => {
    if (engine.shared) {
      await engine.single(keeping, { name: FIRST, value: FILLER });
      return;
    }
    const [removed, added] = [stored, next];
    await engine.transact([], async (db) => {
      await db.change(keeping, { name: added, value: FILLER });
      await db.change(removing, { name: removed });
    });
    // Not before the row is committed: overwriting an existing row would need no new page.
    [stored, next] = [added, removed];
  };
  return () =>
    new Promise((resolve, reject) => {
      const stop = engine.writes.listen(resolve);
      own().then(resolve, reject).finally(stop);
    });
};
