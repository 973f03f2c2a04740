/** Claims: the identity of a request that was used, and its outcome. */
import type { Kysely, Selectable } from 'kysely';
import type { Connection } from '../../store/engine.ts';
import { manyKeys, manyRows, query } from '../../store/query.ts';
import type { ClaimTable, Tables } from '../../store/schema.ts';
import type { EarlierRequest, KeyedRequest } from '../../store/store.ts';

type Row = Selectable<ClaimTable>;
type Owner = Pick<Row, 'payment_id' | 'status' | 'body'>;

export interface Claims {
  /** The first of these keys that was used, in this order. */
  findFirst(db: Connection, keys: readonly string[]): Promise<EarlierRequest | undefined>;
  /** Throws `gateway.state` if a key is taken, by whichever payment. */
  addForPayment(db: Connection, claims: readonly KeyedRequest[], paymentId: string): Promise<void>;
  addForAnswer(
    db: Connection,
    claims: readonly KeyedRequest[],
    answer: { status: number; body: string },
  ): Promise<void>;
  free(db: Connection, paymentId: string): Promise<void>;
}

export const claims = (sql: Kysely<Tables>): Claims => {
  const byKeys = manyKeys((keys) => sql.selectFrom('claim').selectAll().where('key', 'in', keys));
  const deleteClaims = query((key: { id: string }) => sql.deleteFrom('claim').where('payment_id', '=', key.id));
  const insertClaims = manyRows<Row, unknown>(['key', 'fingerprint', 'payment_id', 'status', 'body'], (rows) =>
    sql.insertInto('claim').values(rows),
  );
  const add = async (db: Connection, newClaims: readonly KeyedRequest[], owner: Owner) => {
    const rows = newClaims.map(({ key, fingerprint }) => ({ key, fingerprint, ...owner }));
    for (const [statement, portion] of insertClaims.portions(rows)) await db.change(statement, portion);
  };
  return {
    async findFirst(db, keys) {
      for (const [statement, portion] of byKeys.portions(keys)) {
        const rows = await db.rows(statement, portion);
        const existing = portion.map((key) => rows.find((row) => row.key === key)).find((row) => row !== undefined);
        if (existing !== undefined) return toClaimed(existing);
      }
      return undefined;
    },
    addForPayment: (db, newClaims, paymentId) =>
      add(db, newClaims, { payment_id: paymentId, status: null, body: null }),
    addForAnswer: (db, newClaims, { status, body }) =>
      add(db, newClaims, { payment_id: null, status: BigInt(status), body }),
    async free(db, paymentId) {
      await db.change(deleteClaims, { id: paymentId });
    },
  };
};

const toClaimed = ({ fingerprint, payment_id: paymentId, status, body }: Row): EarlierRequest =>
  paymentId === null
    ? { fingerprint, kind: 'answer', status: Number(status), body: body ?? '' }
    : { fingerprint, kind: 'payment', paymentId };
