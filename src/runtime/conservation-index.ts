/**
 * The running sums of where the money is, kept in the transaction of each event. After every step what was intended is
 * the sum of all places; a step that would lose or double a cent is refused, and nothing of it is written.
 */
import { Fault } from '../base/fault.ts';
import { printMoney } from '../base/money.ts';
import type { Sql, SqlRow } from '../journal/sql.ts';
import {
  type Account,
  accountOf,
  type Buckets,
  buckets,
  countsAtParent,
  isWhole,
  reckon,
  type Standing,
  standingOf,
  sum,
} from '../reconciliation/whereabouts.ts';
import type { Sale } from '../till/sale.ts';
import type { LedgerIndex } from './ledger-index.ts';

const columns = buckets.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ');

const schema = [
  `CREATE TABLE IF NOT EXISTS conservation (sale TEXT PRIMARY KEY, follows TEXT, operation TEXT NOT NULL,
   currency TEXT NOT NULL, intended INTEGER NOT NULL, place TEXT NOT NULL, moved INTEGER NOT NULL,
   beyond INTEGER NOT NULL DEFAULT 0, ${columns}) STRICT`,
  'CREATE INDEX IF NOT EXISTS conservation_follows ON conservation (follows) WHERE follows IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS conservation_sum (currency TEXT NOT NULL, account TEXT NOT NULL,
   intended INTEGER NOT NULL DEFAULT 0, beyond INTEGER NOT NULL DEFAULT 0, ${columns},
   PRIMARY KEY (currency, account)) STRICT`,
];

export type AccountSum = { currency: string; account: Account; intended: bigint; beyond: bigint; buckets: Buckets };

/** `reckoned` is replaced by tests that plant an error. */
export const conservationIndex = (sql: Sql, reckoned: typeof reckon = reckon): LedgerIndex => {
  for (const statement of schema) sql.run(statement);

  const { place, begin, change, refuseBroken } = sumsKept(sql, reckoned);
  return {
    version: 'conservation-1',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM conservation')?.['n']) === sales,
    clear() {
      sql.run('DELETE FROM conservation');
      sql.run('DELETE FROM conservation_sum');
    },
    moved({ before, after }) {
      const { sale, follows } = after.intent;
      const own = standingOf(after);
      const parent = follows && sql.get('SELECT sale FROM conservation WHERE sale = ?', follows.sale);
      if (before === undefined) begin(after, own);
      else change(sale, own);
      if (parent !== undefined) place(follows?.sale ?? '');
      if (parent === undefined || !countsAtParent(own.operation)) place(sale);
      refuseBroken(own);
    },
  };
};

/** What is done to the tables: a row for each sale, and the sums of all. */
const sumsKept = (sql: Sql, reckoned: typeof reckon) => {
  /** The sale's places are reckoned anew, and the sums moved by the difference. */
  const place = (id: string): void => {
    const row = sql.get('SELECT * FROM conservation WHERE sale = ?', id);
    if (row === undefined) return;
    const followers = sql.all('SELECT * FROM conservation WHERE follows = ?', id).map(standingIn);
    const own = standingIn(row);
    const now = reckoned(own, followers);
    if (!isWhole(now)) throw broken(own, `its places hold ${sum(buckets.map((name) => now.buckets[name]))}`);
    refuseOtherRefunds(own, { followers, refunded: now.buckets.refunded });
    const values = [now.beyond, ...buckets.map((name) => now.buckets[name])];
    sql.run(`UPDATE conservation SET beyond = ?, ${set} WHERE sale = ?`, ...values, id);
    const account = accountOf[own.operation];
    const differences = [now.beyond - big(row['beyond']), ...buckets.map((name) => now.buckets[name] - big(row[name]))];
    sql.run(
      `UPDATE conservation_sum SET beyond = beyond + ?, ${grow} WHERE currency = ? AND account = ?`,
      ...[...differences, own.currency, account],
    );
  };

  /** The amount of a sale that began without one is known later. */
  const change = (id: string, { operation, currency, intended, place: at, approved }: Standing): void => {
    const before = big(sql.get('SELECT intended FROM conservation WHERE sale = ?', id)?.['intended'] ?? 0);
    sql.run('UPDATE conservation SET intended = ?, place = ?, moved = ? WHERE sale = ?', intended, at, approved, id);
    if (before !== intended)
      sql.run(
        'UPDATE conservation_sum SET intended = intended + ? WHERE currency = ? AND account = ?',
        ...[intended - before, currency, accountOf[operation]],
      );
  };

  const refuseBroken = ({ currency }: Standing): void => {
    for (const account of sumsOf(sql, currency)) {
      const there = sum(buckets.map((name) => account.buckets[name]));
      if (there !== account.intended + account.beyond) throw unbalanced(account, there);
    }
  };

  const begin = ({ intent: { sale, follows } }: Sale, own: Standing): void => {
    const { operation, currency, intended, place: at, approved } = own;
    sql.run(
      `INSERT INTO conservation (sale, follows, operation, currency, intended, place, moved)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[sale, follows?.sale ?? null, operation, currency, intended, at, approved],
    );
    sql.run(
      `INSERT INTO conservation_sum (currency, account, intended) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET intended = intended + excluded.intended`,
      ...[currency, accountOf[operation], intended],
    );
  };

  return { place, begin, change, refuseBroken };
};

/** By another way than the places were reckoned: what refunds gave back is what their sale says was given back. */
const refuseOtherRefunds = (
  own: Standing,
  { followers, refunded }: { followers: readonly Standing[]; refunded: bigint },
): void => {
  if (accountOf[own.operation] === 'holds') return;
  const given = sum(followers.map(({ operation, approved }) => (operation === 'refund' ? approved : 0n)));
  if (given !== refunded) throw broken(own, `refunds gave back ${given}, and the sale counts ${refunded}`);
};

const broken = ({ intended, currency }: Standing, why: string): Fault =>
  new Fault('books.unbalanced', { amount: printMoney({ minor: intended, currency }), why });

const unbalanced = ({ account, intended, currency }: AccountSum, there: bigint): Fault =>
  new Fault('books.unbalanced', {
    amount: printMoney({ minor: intended, currency }),
    why: `the ${account} hold ${printMoney({ minor: there, currency })}`,
  });

/** The sums of a currency, or of all. */
export const sumsOf = (sql: Sql, currency?: string): AccountSum[] =>
  (currency === undefined
    ? sql.all('SELECT * FROM conservation_sum ORDER BY currency, account')
    : sql.all('SELECT * FROM conservation_sum WHERE currency = ?', currency)
  ).map((row) => ({
    currency: String(row['currency']),
    account: String(row['account']) as Account,
    intended: big(row['intended']),
    beyond: big(row['beyond']),
    buckets: bucketsIn(row),
  }));

/** Whether the sums are those of the rows: asked at each close, because it reads them all. */
export const sumsAgree = (sql: Sql): boolean => {
  const added = ['intended', 'beyond', ...buckets].map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ');
  const rows = sql.get(`SELECT ${added} FROM conservation`) ?? {};
  const sums = sql.get(`SELECT ${added} FROM conservation_sum`) ?? {};
  return ['intended', 'beyond', ...buckets].every((name) => rows[name] === sums[name]);
};

const set = buckets.map((name) => `${name} = ?`).join(', ');
const grow = buckets.map((name) => `${name} = ${name} + ?`).join(', ');

const big = (value: unknown): bigint => BigInt(value as number);

const bucketsIn = (row: SqlRow): Buckets =>
  Object.fromEntries(buckets.map((name) => [name, big(row[name])])) as Buckets;

// What stands in the table was put there by `moved`.
const standingIn = (row: SqlRow): Standing => ({
  operation: String(row['operation']) as Standing['operation'],
  currency: String(row['currency']),
  intended: big(row['intended']),
  place: String(row['place']) as Standing['place'],
  approved: big(row['moved']),
});
