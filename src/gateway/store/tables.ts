/** The store's queries, the same for every engine. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { money } from '../../base/money.ts';
import type { AcquirerMemory } from '../acquirers/acquirer.ts';
import type { PaymentTable, Tables } from './schema.ts';
import type { Ending, Payment, Reader, Session, Store } from './store.ts';

/** A store on a database whose tables stand. Closing it closes the database. */
export const storeOn = (database: Kysely<Tables>): Store => ({
  ...reader(database),
  atomically: (work) => database.transaction().execute((transaction) => work(session(transaction))),
  async finish(id, ending) {
    if (ending.frees === undefined) await end(database, id, ending);
    else await database.transaction().execute((transaction) => endAndFree(transaction, id, ending));
  },
  async unfinished() {
    const rows = database.selectFrom('payment').selectAll().where('state', '=', 'processing').orderBy('sequence');
    return (await rows.execute()).map(toPayment);
  },
  async withReference({ entityId, merchantTransactionId, limit }) {
    const rows = database
      .selectFrom('payment')
      .selectAll()
      .where('entity_id', '=', entityId)
      .where('merchant_transaction_id', '=', merchantTransactionId)
      .orderBy('sequence')
      .limit(limit);
    return (await rows.execute()).map(toPayment);
  },
  memory: memoryOn(database),
  close: () => database.destroy(),
});

/** Whether it was this that ended it. */
const end = async (on: Kysely<Tables>, id: string, { resultCode, facts }: Ending): Promise<boolean> => {
  const { numUpdatedRows } = await on
    .updateTable('payment')
    .set({ state: 'done', result_code: resultCode, facts: JSON.stringify(facts) })
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

const endAndFree = async (transaction: Transaction<Tables>, id: string, ending: Ending): Promise<void> => {
  if (await end(transaction, id, ending)) {
    await transaction.deleteFrom('claim').where('payment_id', '=', id).execute();
  }
};

const reader = (database: Kysely<Tables> | Transaction<Tables>): Reader => ({
  async payment(id) {
    const row = await database.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : toPayment(row);
  },
  async followersOf(id) {
    const rows = database.selectFrom('payment').selectAll().where('referenced_id', '=', id).orderBy('sequence');
    return (await rows.execute()).map(toPayment);
  },
});

const session = (transaction: Transaction<Tables>): Session => ({
  ...reader(transaction),
  async claimed(key) {
    const row = await transaction.selectFrom('claim').selectAll().where('key', '=', key).executeTakeFirst();
    return row === undefined ? undefined : { fingerprint: row.fingerprint, paymentId: row.payment_id };
  },
  async add(payment, claims) {
    await transaction.insertInto('payment').values(toRow(payment)).execute();
    for (const { key, fingerprint } of claims) {
      await transaction.insertInto('claim').values({ key, fingerprint, payment_id: payment.id }).execute();
    }
  },
});

const memoryOn = (database: Kysely<Tables>): AcquirerMemory => ({
  async get(key) {
    const row = await database.selectFrom('acquirer_memory').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value;
  },
  set: (entries) =>
    database.transaction().execute(async (transaction) => {
      for (const [key, value] of Object.entries(entries)) {
        await transaction
          .insertInto('acquirer_memory')
          .values({ key, value })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
          .execute();
      }
    }),
});

const toRow = (payment: Payment) => ({
  id: payment.id,
  entity_id: payment.entityId,
  payment_type: payment.paymentType,
  amount_minor: payment.amount.minor,
  currency: payment.amount.currency,
  at: BigInt(payment.at),
  merchant_transaction_id: payment.merchantTransactionId ?? null,
  referenced_id: payment.referencedId ?? null,
  state: payment.state,
  result_code: payment.state === 'done' ? payment.resultCode : null,
  facts: JSON.stringify(payment.facts),
});

// Rows are trusted: the tables' own checks let nothing else in.
const toPayment = (row: Selectable<PaymentTable>): Payment => ({
  id: row.id,
  entityId: row.entity_id,
  paymentType: row.payment_type as Payment['paymentType'],
  amount: money(row.amount_minor, row.currency),
  at: Number(row.at),
  ...(row.merchant_transaction_id === null ? {} : { merchantTransactionId: row.merchant_transaction_id }),
  ...(row.referenced_id === null ? {} : { referencedId: row.referenced_id }),
  facts: JSON.parse(row.facts) as Payment['facts'],
  ...(row.state === 'done' && row.result_code !== null
    ? { state: 'done', resultCode: row.result_code }
    : { state: 'processing' }),
});
