/**
 * Running sums of where the money is, updated in the transaction of each event. After each step, the intended amounts
 * equal the sum of all places. A step that would lose or double a cent is refused, and none of it is written. What the
 * journal already contains is never refused: the difference is recorded, and a new step must not increase it.
 */
import { Fault } from '../base/fault.ts';
import { printMoney } from '../base/money.ts';
import type { Sql, SqlRow } from '../journal/sql.ts';
import {
  accountOf,
  type Buckets,
  buckets,
  computeWhereabouts,
  countsAtParent,
  type IntentMoney,
  intentMoneyOf,
  type LedgerAccount,
  magnitude,
  offBy,
  sum,
  type Whereabouts,
} from '../reconciliation/whereabouts.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { LedgerIndex } from './ledger-index.ts';

const columns = buckets.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ');

const schema = [
  `CREATE TABLE IF NOT EXISTS conservation (sale TEXT PRIMARY KEY, follows TEXT, operation TEXT NOT NULL,
   currency TEXT NOT NULL, intended INTEGER NOT NULL, place TEXT NOT NULL, moved INTEGER NOT NULL,
   beyond INTEGER NOT NULL DEFAULT 0, ${columns}, final INTEGER NOT NULL DEFAULT 0) STRICT`,
  'CREATE INDEX IF NOT EXISTS conservation_follows ON conservation (follows) WHERE follows IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS conservation_sum (currency TEXT NOT NULL, account TEXT NOT NULL,
   intended INTEGER NOT NULL DEFAULT 0, beyond INTEGER NOT NULL DEFAULT 0, ${columns},
   PRIMARY KEY (currency, account)) STRICT`,
  'CREATE TABLE IF NOT EXISTS imbalance (sale TEXT PRIMARY KEY, minor INTEGER NOT NULL) STRICT',
];

export type AccountSum = {
  currency: string;
  account: LedgerAccount;
  intended: bigint;
  beyond: bigint;
  buckets: Buckets;
};

/** Tests replace `compute` to plant an error. */
export const conservationIndex = (sql: Sql, compute: typeof computeWhereabouts = computeWhereabouts): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  const has = sql.all('PRAGMA table_info(conservation)').map(({ name }) => name);
  // Tables made by the first version lack this column.
  if (!has.includes('final')) sql.run('ALTER TABLE conservation ADD COLUMN final INTEGER NOT NULL DEFAULT 0');

  const { place: updatePlaces, begin, change } = createSums(sql, compute);
  return {
    version: 'conservation-2',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM conservation')?.['n']) === sales,
    clear() {
      sql.run('DELETE FROM conservation');
      sql.run('DELETE FROM conservation_sum');
      sql.run('DELETE FROM imbalance');
    },
    apply({ event, before, after, isWritten }) {
      const { sale, follows } = after.intent;
      const isFinal = isWritten ?? (hasHappened(event) ? true : undefined);
      const own = intentMoneyOf(after);
      // Most steps of a sale move no money: then there is nothing to calculate and no page to write.
      if (before !== undefined && isSameMoney(intentMoneyOf(before), own)) return;
      const parent = follows && sql.get('SELECT sale FROM conservation WHERE sale = ?', follows.sale);
      const knownImbalances = isFinal ? [] : offIn(sql, own.currency);
      if (before === undefined) begin(after, own);
      else change(sale, own);
      if (parent !== undefined) updatePlaces(follows?.sale ?? '', isFinal);
      if (parent === undefined || !countsAtParent(own.operation)) updatePlaces(sale, isFinal);
      if (isFinal === undefined) refuseUnbalanced(sql, own.currency, knownImbalances);
    },
  };
};

/** The money has already moved and nothing here can undo it. Not recording it would only hide it. */
const hasHappened = ({ on }: ReadEvent): boolean =>
  on === 'personSaid' || on === 'terminalApproved' || on === 'terminalReversed' || on === 'approvedLate';

/** The operation and the currency of a sale never change. */
const isSameMoney = (one: IntentMoney, other: IntentMoney): boolean =>
  one.place === other.place && one.intended === other.intended && one.approved === other.approved;

/** Writes the tables: a row for each sale, and the sums of all. */
const createSums = (sql: Sql, compute: typeof computeWhereabouts) => {
  /** Recalculates the places of a sale and moves the sums by the difference. */
  const updatePlaces = (id: string, isFinal?: true): void => {
    const row = sql.get('SELECT * FROM conservation WHERE sale = ?', id);
    if (row === undefined) return;
    const followers = sql.all('SELECT * FROM conservation WHERE follows = ?', id).map(intentMoneyIn);
    const own = intentMoneyIn(row);
    const now = compute(own, followers);
    const difference = offBy(own, followers, now);
    const before = toBigInt(sql.get('SELECT minor FROM imbalance WHERE sale = ?', id)?.['minor'] ?? 0);
    if (isFinal === undefined && difference > before) throw brokenFault(own, imbalanceReason(own, now));
    if (difference > 0n) sql.run('INSERT OR REPLACE INTO imbalance (sale, minor) VALUES (?, ?)', id, difference);
    else if (before > 0n) sql.run('DELETE FROM imbalance WHERE sale = ?', id);
    const values = [now.beyond, ...buckets.map((name) => now.buckets[name])];
    sql.run(`UPDATE conservation SET beyond = ?, ${set} WHERE sale = ?`, ...values, id);
    const account = accountOf[own.operation];
    const differences = [
      now.beyond - toBigInt(row['beyond']),
      ...buckets.map((name) => now.buckets[name] - toBigInt(row[name])),
    ];
    const bound = [...differences, own.currency, account];
    sql.run(`UPDATE conservation_sum SET beyond = beyond + ?, ${grow} WHERE currency = ? AND account = ?`, ...bound);
  };

  /** A sale that began without an amount gets it later. */
  const change = (id: string, { operation, currency, intended, place: at, approved }: IntentMoney): void => {
    const before = toBigInt(sql.get('SELECT intended FROM conservation WHERE sale = ?', id)?.['intended'] ?? 0);
    sql.run('UPDATE conservation SET intended = ?, place = ?, moved = ? WHERE sale = ?', intended, at, approved, id);
    if (before !== intended)
      sql.run(
        'UPDATE conservation_sum SET intended = intended + ? WHERE currency = ? AND account = ?',
        intended - before,
        currency,
        accountOf[operation],
      );
  };

  const begin = ({ intent: { sale, follows } }: Sale, own: IntentMoney): void => {
    const { operation, currency, intended, place: at, approved, final } = own;
    const row = [sale, follows?.sale ?? null, operation, currency, intended, at, approved, Number(final)];
    sql.run(
      `INSERT INTO conservation (sale, follows, operation, currency, intended, place, moved, final)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...row,
    );
    const newRow = [currency, accountOf[operation], intended];
    sql.run(
      `INSERT INTO conservation_sum (currency, account, intended) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET intended = intended + excluded.intended`,
      ...newRow,
    );
  };

  return { place: updatePlaces, begin, change };
};

const imbalanceReason = ({ currency }: IntentMoney, { missing, buckets: all }: Whereabouts): string => {
  const printed = (minor: bigint): string => printMoney({ minor, currency });
  if (missing > 0n) return `${printed(missing)} more would be given back than there is`;
  const held = printed(sum(buckets.map((name) => all[name])));
  return `its places hold ${held}, of which refunds gave back ${printed(all.refunded)}`;
};

type AccountOff = { readonly account: LedgerAccount; readonly minor: bigint };

/** How much the places of each account exceed the intended amounts. Anything but 0 comes from an error in the past. */
const offIn = (sql: Sql, currency: string): AccountOff[] =>
  sumsOf(sql, currency).map(({ account, intended, beyond, buckets: all }) => ({
    account,
    minor: sum(buckets.map((name) => all[name])) - intended - beyond,
  }));

/** Throws `books.unbalanced` if an account is now off by more than before. */
const refuseUnbalanced = (sql: Sql, currency: string, held: readonly AccountOff[]): void => {
  for (const { account, minor } of offIn(sql, currency)) {
    const before = held.find((one) => one.account === account)?.minor ?? 0n;
    if (magnitude(minor) > magnitude(before)) throw unbalancedFault({ account, currency, minor });
  }
};

const brokenFault = ({ intended, currency }: IntentMoney, reason: string): Fault =>
  new Fault('books.unbalanced', { amount: printMoney({ minor: intended, currency }), why: reason });

const unbalancedFault = ({ account, currency, minor }: AccountOff & { currency: string }): Fault =>
  new Fault('books.unbalanced', {
    amount: printMoney({ minor: magnitude(minor), currency }),
    why: `the ${account} do not add up by it`,
  });

/** A sale for which the journal shows more given back than charged, and by how much, in minor units of `currency`. */
export type Imbalance = { readonly sale: string; readonly currency: string; readonly minor: bigint };

/** Oldest first. Empty unless an older version, or something other than the till, wrote the journal. */
export const imbalancesOf = (sql: Sql): Imbalance[] =>
  sql
    .all(
      `SELECT imbalance.sale, imbalance.minor, conservation.currency FROM imbalance
       JOIN conservation USING (sale) ORDER BY conservation.rowid`,
    )
    .map(({ sale, currency, minor }) => ({ sale: String(sale), currency: String(currency), minor: toBigInt(minor) }));

/** The sums of one currency, or of all. */
export const sumsOf = (sql: Sql, currency?: string): AccountSum[] =>
  (currency === undefined
    ? sql.all('SELECT * FROM conservation_sum ORDER BY currency, account')
    : sql.all('SELECT * FROM conservation_sum WHERE currency = ?', currency)
  ).map((row) => ({
    currency: String(row['currency']),
    account: String(row['account']) as LedgerAccount,
    intended: toBigInt(row['intended']),
    beyond: toBigInt(row['beyond']),
    buckets: bucketsIn(row),
  }));

/** Whether the sums match the rows. Checked at each close, because it reads all rows. */
export const sumsAgree = (sql: Sql): boolean => {
  const sumColumns = ['intended', 'beyond', ...buckets]
    .map((name) => `coalesce(sum(${name}), 0) AS ${name}`)
    .join(', ');
  const rows = sql.get(`SELECT ${sumColumns} FROM conservation`) ?? {};
  const sums = sql.get(`SELECT ${sumColumns} FROM conservation_sum`) ?? {};
  return ['intended', 'beyond', ...buckets].every((name) => rows[name] === sums[name]);
};

const set = buckets.map((name) => `${name} = ?`).join(', ');
const grow = buckets.map((name) => `${name} = ${name} + ?`).join(', ');

const toBigInt = (value: unknown): bigint => BigInt(value as number);

const bucketsIn = (row: SqlRow): Buckets =>
  Object.fromEntries(buckets.map((name) => [name, toBigInt(row[name])])) as Buckets;

// `moved` wrote this row, so its values are of these types.
const intentMoneyIn = (row: SqlRow): IntentMoney => ({
  operation: String(row['operation']) as IntentMoney['operation'],
  currency: String(row['currency']),
  intended: toBigInt(row['intended']),
  place: String(row['place']) as IntentMoney['place'],
  approved: toBigInt(row['moved']),
  final: Number(row['final']) === 1,
});
