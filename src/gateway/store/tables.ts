/** The store on an engine: which queries make up each of its works. */
import { claims } from './claims.ts';
import { documents } from './documents.ts';
import type { Connection, Engine } from './engine.ts';
import { ownSession } from './own-session.ts';
import { payments } from './payments.ts';
import { registrations } from './registrations.ts';
import { sightings } from './sightings.ts';
import type { Ending, Session, Store } from './store.ts';

/** A store on a database whose tables stand. Closing it closes the database. */
export const storeOn = (engine: Engine): Store => {
  const tables = tablesOf(engine);
  const { refuse, within } = ownSession();
  const read = async <T>(work: (on: Connection) => Promise<T>): Promise<T> => {
    refuse();
    return engine.read(work);
  };
  return {
    shared: engine.shared,
    payment: (id) => read((on) => tables.payments.byId(on, id)),
    followersOf: (id) => read((on) => tables.payments.followersOf(on, id)),
    registration: (id) => read((on) => tables.registrations.byId(on, id)),
    async atomically(names, work) {
      refuse();
      const own = within((on: Connection) => work(session(tables.held, on)));
      return engine.transact(names, own);
    },
    async finish(id, ending) {
      refuse();
      return finish(engine, tables, { id, ending });
    },
    async note(id, facts) {
      refuse();
      const { query, values } = tables.payments.noting(id, facts);
      await engine.single(query, values);
    },
    unfinished: (before) => read((on) => tables.payments.unfinished(on, before)),
    search: (wanted) => read((on) => tables.payments.search(on, wanted)),
    registrationsOf: (of) => read((on) => tables.registrations.withHash(on, of)),
    sealedUnderOther: (keyId, limit) => read((on) => tables.registrations.underOther(on, { keyId, limit })),
    expiredRegistrations: (until, limit) =>
      read((on) => tables.registrations.expired(on, { until: BigInt(until), limit })),
    fact: (name) => read((on) => tables.documents.fact(on, name)),
    async keepFact(name, value) {
      refuse();
      await engine.single(tables.documents.keeping, { name, value });
      return (await engine.read((on) => tables.documents.fact(on, name))) ?? value;
    },
    memory: {
      get: (key) => read((on) => tables.documents.get(on, key)),
      async exclusively(names, work) {
        refuse();
        const own = within((on: Connection) => work(tables.documents.within(on)));
        return engine.transact(names.map(turnOf), own);
      },
    },
    async ping() {
      refuse();
      await engine.ping();
    },
    close: () => engine.close(),
  };
};

/** What the acquirer's works name, beside all other names. */
const turnOf = (name: string): string => `acquirer ${name}`;

type TablesOf = ReturnType<typeof tablesOf>;

/** Read outside a work nothing is locked; read within one, what others could change meanwhile is. */
const tablesOf = ({ sql, shared }: Engine) => {
  const keyed = { claims: claims(sql), sightings: sightings(sql), documents: documents(sql) };
  const reading = { payments: payments(sql, { lock: false }), registrations: registrations(sql, { lock: false }) };
  const held = shared
    ? { payments: payments(sql, { lock: true }), registrations: registrations(sql, { lock: true }) }
    : reading;
  return { ...keyed, ...reading, held: { ...keyed, ...held } };
};

const session = (tables: TablesOf['held'], on: Connection): Session => ({
  payment: (id) => tables.payments.byId(on, id),
  followersOf: (id) => tables.payments.followersOf(on, id),
  registration: (id) => tables.registrations.byId(on, id),
  claimed: (keys) => tables.claims.first(on, keys),
  async add(payment, made) {
    await tables.payments.add(on, payment);
    await tables.claims.forPayment(on, made, payment.id);
  },
  addAnswer: (answer, made) => tables.claims.forAnswer(on, made, answer),
  addRegistration: (registration) => tables.registrations.add(on, registration),
  changeRegistration: (registration) => tables.registrations.change(on, registration),
  addSightings: (seen) => tables.sightings.add(on, seen),
  sightings: (of) => tables.sightings.sum(on, of),
  documents: {
    ...tables.documents.within(on),
    hold: async (names) => on.lock?.(names.map(turnOf)),
  },
});

type Finish = { id: string; ending: Ending };

/** Whether it was this that ended it. */
const finish = async (engine: Engine, tables: TablesOf, { id, ending }: Finish): Promise<boolean> => {
  const { query, values } = tables.payments.ending(id, ending);
  const { frees, registration } = ending;
  if (frees === undefined && registration === undefined) return (await engine.single(query, values)) > 0;
  const work = async (on: Connection) => {
    if ((await on.change(query, values)) === 0) return false;
    if (frees !== undefined) await tables.claims.free(on, id);
    if (registration !== undefined) await tables.registrations.add(on, registration);
    return true;
  };
  return engine.transact([], work);
};
