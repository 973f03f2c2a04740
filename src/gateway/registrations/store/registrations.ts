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
  byHash(db: Connection, key: { entityId: string; accountHash: string }): Promise<readonly Registration[]>;
  sealedUnderOther(db: Connection, of: OtherKeyQuery): Promise<readonly Registration[]>;
  expiredUntil(db: Connection, of: Expired): Promise<readonly Registration[]>;
}

type Expired = { until: bigint; limit: number };

/**
 * `lock` keeps a registration that was read unchanged until the transaction ends, where others could change it
 * meanwhile.
 */
export const registrations = (sql: Kysely<Tables>, { lock }: { lock: boolean }): Registrations => {
  const { byId, add, change, withHash: byHash, below, above, expired } = prepareStatements(sql, lock);
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
    async byHash(db, key) {
      return (await db.rows(byHash, key)).map(toRegistration);
    },
    async sealedUnderOther(db, of) {
      // Two ranges instead of an inequality, so that the index skips the rows already wrapped under the current key.
      const lower = await db.rows(below, of);
      const remaining = { ...of, limit: of.limit - lower.length };
      return [...lower, ...(remaining.limit > 0 ? await db.rows(above, remaining) : [])].map(toRegistration);
    },
    async expiredUntil(db, of) {
      return (await db.rows(expired, of)).map(toRegistration);
    },
  };
};

const prepareStatements = (sql: Kysely<Tables>, lock: boolean) => {
  const allRows = sql.selectFrom('registration').selectAll();
  const active = allRows.where('state', '=', 'active');
  // Locked as its change will need it: two transactions that shared the lock and then both changed the row would
  // deadlock.
  const lockedRows = lock ? allRows.forNoKeyUpdate() : allRows;
  return {
    byId: query((key: { id: string }) => lockedRows.where('id', '=', key.id)),
    add: query((row: NewRow) =>
      sql.insertInto('registration').values(placesOf(row, [...fixedColumns, ...changedColumns])),
    ),
    change: query((of: NewRow) =>
      sql.updateTable('registration').set(placesOf(of, changedColumns)).where('id', '=', of.id),
    ),
    withHash: query((key: { entityId: string; accountHash: string }) =>
      active.where('entity_id', '=', key.entityId).where('account_hash', '=', key.accountHash).orderBy('sequence'),
    ),
    below: query((of: OtherKeyQuery) => active.where('key_id', '<', of.keyId).orderBy('key_id').limit(of.limit)),
    expired: query((of: Expired) => active.where('kept_until', '<=', of.until).orderBy('kept_until').limit(of.limit)),
    above: query((of: OtherKeyQuery) => active.where('key_id', '>', of.keyId).orderBy('key_id').limit(of.limit)),
  };
};

const changedColumns = ['state', 'kept_until', 'key_id', 'wrapped_key', 'box', 'facts'] as const;
const fixedColumns = ['id', 'entity_id', 'payment_method', 'payment_brand', 'at', 'account_hash'] as const;

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
