/** Registrations: stored accounts, their secret part encrypted. */
import type { Kysely, Selectable } from 'kysely';
import type { Connection } from '../../store/engine.ts';
import { factsText } from '../../store/facts-text.ts';
import { placesOf, query } from '../../store/query.ts';
import type { Registration, RegistrationFacts } from '../../store/records.ts';
import type { RegistrationTable, Tables } from '../../store/schema.ts';

type Row = Selectable<RegistrationTable>;
type NewRow = Omit<Row, 'sequence'>;
type OtherKeyQuery = { keyId: string; limit: number };

export interface Registrations {
  byId(db: Connection, id: string): Promise<Registration | undefined>;
  add(db: Connection, registration: Registration): Promise<void>;
  /** Overwrites state, keptUntil, sealed and facts. */
  change(db: Connection, registration: Registration): Promise<void>;
  withHash(db: Connection, key: { entityId: string; accountHash: string }): Promise<readonly Registration[]>;
  underOther(db: Connection, of: OtherKeyQuery): Promise<readonly Registration[]>;
  expired(db: Connection, of: Expired): Promise<readonly Registration[]>;
}

type Expired = { until: bigint; limit: number };

/**
 * `lock` keeps a registration that was read unchanged until the transaction ends, where others could change it
 * meanwhile.
 */
export const registrations = (sql: Kysely<Tables>, { lock }: { lock: boolean }): Registrations => {
  const { byId, add, change, withHash, below, above, expired } = prepared(sql, lock);
  return {
    async byId(db, id) {
      const row = await db.row(byId, { id });
      return row === undefined ? undefined : toRegistration(row);
    },
    async add(db, registration) {
      await db.change(add, toRow(registration));
    },
    async change(db, registration) {
      await db.change(change, toRow(registration));
    },
    async withHash(db, key) {
      return (await db.rows(withHash, key)).map(toRegistration);
    },
    async underOther(db, of) {
      // Below and above, not unequal: the index then skips all that are already wrapped anew.
      const found = await db.rows(below, of);
      const rest = { ...of, limit: of.limit - found.length };
      return [...found, ...(rest.limit > 0 ? await db.rows(above, rest) : [])].map(toRegistration);
    },
    async expired(db, of) {
      return (await db.rows(expired, of)).map(toRegistration);
    },
  };
};

const prepared = (sql: Kysely<Tables>, lock: boolean) => {
  const all = sql.selectFrom('registration').selectAll();
  const active = all.where('state', '=', 'active');
  // Locked as its change will need it: two transactions that shared the lock and then both changed the row would
  // deadlock.
  const held = lock ? all.forNoKeyUpdate() : all;
  return {
    byId: query((key: { id: string }) => held.where('id', '=', key.id)),
    add: query((row: NewRow) => sql.insertInto('registration').values(placesOf(row, [...fixed, ...changing]))),
    change: query((of: NewRow) => sql.updateTable('registration').set(placesOf(of, changing)).where('id', '=', of.id)),
    withHash: query((key: { entityId: string; accountHash: string }) =>
      active.where('entity_id', '=', key.entityId).where('account_hash', '=', key.accountHash).orderBy('sequence'),
    ),
    below: query((of: OtherKeyQuery) => active.where('key_id', '<', of.keyId).orderBy('key_id').limit(of.limit)),
    expired: query((of: Expired) => active.where('kept_until', '<=', of.until).orderBy('kept_until').limit(of.limit)),
    above: query((of: OtherKeyQuery) => active.where('key_id', '>', of.keyId).orderBy('key_id').limit(of.limit)),
  };
};

const changing = ['state', 'kept_until', 'key_id', 'wrapped_key', 'box', 'facts'] as const;
const fixed = ['id', 'entity_id', 'payment_method', 'payment_brand', 'at', 'account_hash'] as const;

const toRow = (registration: Registration): NewRow => ({
  id: registration.id,
  entity_id: registration.entityId,
  payment_method: registration.paymentMethod,
  payment_brand: registration.paymentBrand,
  at: BigInt(registration.at),
  kept_until: BigInt(registration.keptUntil),
  state: registration.state,
  key_id: registration.sealed?.keyId ?? null,
  wrapped_key: registration.sealed?.wrappedKey ?? null,
  box: registration.sealed?.box ?? null,
  account_hash: registration.accountHash,
  facts: factsText(registration.facts),
});

const toRegistration = (row: Row): Registration => ({
  id: row.id,
  entityId: row.entity_id,
  paymentMethod: row.payment_method as Registration['paymentMethod'],
  paymentBrand: row.payment_brand,
  at: Number(row.at),
  keptUntil: Number(row.kept_until),
  state: row.state,
  sealed:
    row.key_id === null || row.wrapped_key === null || row.box === null
      ? undefined
      : { keyId: row.key_id, wrappedKey: row.wrapped_key, box: row.box },
  accountHash: row.account_hash,
  facts: JSON.parse(row.facts) as RegistrationFacts,
});
