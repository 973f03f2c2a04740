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
  first(db: Connection, keys: readonly string[]): Promise<EarlierRequest | undefined>;
  /** Throws `gateway.state` if a key is taken, by whichever payment. */
  forPayment(db: Connection, claims: readonly KeyedRequest[], paymentId: string): Promise<void>;
  forAnswer(db: Connection, claims: readonly KeyedRequest[], answer: { status: number; body: string }): Promise<void>;
  free(db: Connection, paymentId: string): Promise<void>;
}

export const claims = (sql: Kysely<Tables>): Claims => {
  const byKeys = manyKeys((keys) => sql.selectFrom('claim').selectAll().where('key', 'in', keys));
  const freeing = query((key: { id: string }) => sql.deleteFrom('claim').where('payment_id', '=', key.id));
  const adding = manyRows<Row, unknown>(['key', 'fingerprint', 'payment_id', 'status', 'body'], (rows) =>
    sql.insertInto('claim').values(rows),
  );
  const add = async (db: Connection, made: readonly KeyedRequest[], owner: Owner) => {
    const rows = made.map(({ key, fingerprint }) => ({ key, fingerprint, ...owner }));
    for (const [statement, portion] of adding.portions(rows)) await db.change(statement, portion);
  };
  return {
    async first(db, keys) {
      for (const [statement, portion] of byKeys.portions(keys)) {
        const rows = await db.rows(statement, portion);
        const used = portion.map((key) => rows.find((row) => row.key === key)).find((row) => row !== undefined);
        if (used !== undefined) return toClaimed(used);
      }
      return undefined;
    },
    forPayment: (db, made, paymentId) => add(db, made, { payment_id: paymentId, status: null, body: null }),
    forAnswer: (db, made, { status, body }) => add(db, made, { payment_id: null, status: BigInt(status), body }),
    async free(db, paymentId) {
      await db.change(freeing, { id: paymentId });
    },
  };
};

const toClaimed = ({ fingerprint, payment_id: paymentId, status, body }: Row): EarlierRequest =>
  paymentId === null
    ? { fingerprint, kind: 'answer', status: Number(status), body: body ?? '' }
    : { fingerprint, kind: 'payment', paymentId };
