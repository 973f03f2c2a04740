/** The running sums on a real journal: they hold after every event, and a planted error is refused. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { conservationIndex, sumsAgree, sumsOf } from '../../src/ledger/conservation-index.ts';
import { type FullLedger, openLedger } from '../../src/ledger/ledger.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import {
  accountOf,
  addBuckets,
  computeWhereabouts,
  empty,
  sum,
  whereabouts,
} from '../../src/reconciliation/whereabouts.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import { isOpen, replay } from '../../src/till/machine/sale.ts';
import { cases, events, intent } from '../reconciliation/sale-cases.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conservation-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (compute?: typeof computeWhereabouts) => {
  const clock = virtualClock();
  const journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), dice(1).random));
  const ledger = openLedger({ journal, outbox, clock, indexes: [conservationIndex(journal.sql, compute)] });
  return { journal, ledger };
};

const id = (n: number): string => n.toString(16).padStart(32, '0');

/** Where the money is, calculated by reading the whole journal again. */
const readAgain = (ledger: FullLedger) => {
  const charges = [...ledger.all()].filter(({ intent: { operation } }) => accountOf[operation] === 'charges');
  return charges
    .map((sale) => {
      const followers = ledger.followersOf(sale.intent.sale).flatMap((one) => replay(ledger.events(one)) ?? []);
      return whereabouts(sale, followers).buckets;
    })
    .reduce(addBuckets, empty);
};

const endings: readonly SaleEvent[] = [
  ...Object.values(cases).flat(),
  { on: 'forwarded', approved: true, answer: events.answer },
  { on: 'forwarded', approved: false, answer: events.answer },
  { on: 'reversed', how: 'notFound' },
  { on: 'reversed', how: 'notApproved' },
  { on: 'approvedLate', answer: events.answer },
  { on: 'restarted' },
];

test('whatever happens to sales and refunds, the places add up to the intended amount, also after a restart', () => {
  const chance = dice(SEED);
  const { journal, ledger } = open();
  let intended = 0n;
  const left = new Map<string, bigint>();
  for (let n = 1; n <= 60; n += 1) {
    const minor = BigInt(chance.between(1, 5_000));
    const refundable = chance.percent(40) ? [...left].find(([, rest]) => rest > 0n) : undefined;
    const amount = refundable === undefined ? minor : (refundable[1] + 1n) / 2n;
    const more = { sale: id(n), receipt: n, sequence: n, amount: { minor: amount, currency: 'EUR' } };
    const follows = refundable && { sale: refundable[0], payment: 'c'.repeat(32), receipt: 1 };
    const request = intent({ ...more, ...(follows && { operation: 'refund', follows }) });
    ledger.record(id(n), { on: 'intended', intent: request });
    if (refundable === undefined) intended += amount;
    else left.set(refundable[0], refundable[1] - amount);
    for (let step = 0; step < 6; step += 1) {
      ledger.record(id(n), chance.one(endings as [SaleEvent, ...SaleEvent[]]));
      const charges = sumsOf(journal.sql, 'EUR').find(({ account }) => account === 'charges');
      expect(charges?.intended, `seed ${SEED}`).toBe(intended);
      expect(sum(Object.values(charges?.buckets ?? {})), `seed ${SEED}`).toBe(intended);
    }
    const sale = replay(ledger.events(id(n)));
    if (sale?.at === 'ended' && sale.ending === 'approved' && !isOpen(sale) && refundable === undefined)
      left.set(id(n), amount);
  }
  const before = sumsOf(journal.sql);
  expect(before.find(({ account }) => account === 'charges')?.buckets, `seed ${SEED}`).toEqual(readAgain(ledger));
  expect(sumsAgree(journal.sql)).toBe(true);
  journal.sql.run('DELETE FROM conservation WHERE sale = ?', id(1));
  journal.close();
  const reopened = open();
  expect(sumsOf(reopened.journal.sql)).toEqual(before);
  reopened.journal.close();
});

const planted: readonly (readonly [string, typeof computeWhereabouts])[] = [
  [
    'a cent lost',
    (own, followers) => {
      const found = computeWhereabouts(own, followers);
      const { approved } = found.buckets;
      return { ...found, buckets: { ...found.buckets, approved: approved > 0n ? approved - 1n : approved } };
    },
  ],
  [
    'an approval counted twice',
    (own, followers) => {
      const found = computeWhereabouts(own, followers);
      return { ...found, buckets: { ...found.buckets, refunded: found.buckets.approved } };
    },
  ],
  [
    'an approval that is counted nowhere',
    (own, followers) => {
      const found = computeWhereabouts(own, followers);
      return own.place === 'approved' ? { ...found, buckets: empty } : found;
    },
  ],
  [
    'an amount other than the intended one',
    (own, followers) =>
      computeWhereabouts(
        own.place === 'approved' ? { ...own, intended: own.intended - 1n, approved: own.approved - 1n } : own,
        followers,
      ),
  ],
];

test.each(planted)('a step with %s is refused, and none of it is written', (_, compute) => {
  const { journal, ledger } = open(compute);
  ledger.record(id(1), { on: 'intended', intent: intent({ sale: id(1) }) });
  ledger.record(id(1), events.read);
  const length = journal.length;
  expect(() => {
    ledger.record(id(1), events.approved);
    ledger.record(id(1), events.done);
  }).toThrow(expect.objectContaining({ code: 'books.unbalanced' }));
  expect(replay(ledger.events(id(1)))?.at).not.toBe('ended');
  expect(journal.length).toBeLessThanOrEqual(length + 1);
  journal.close();
});

const sell = (ledger: FullLedger): void => {
  ledger.record(id(1), { on: 'intended', intent: intent({ sale: id(1) }) });
  for (const event of cases.approved) ledger.record(id(1), event);
};

const refundOf = (n: number, minor: bigint): SaleEvent => ({
  on: 'intended',
  intent: intent({
    ...{ sale: id(n), receipt: n, sequence: n, operation: 'refund' },
    amount: { minor, currency: 'EUR' },
    follows: { sale: id(1), payment: 'c'.repeat(32), receipt: 1 },
  }),
});

test('a step that leaves out a refund, and a refund of too much, are refused', () => {
  const forgetful: typeof computeWhereabouts = (own, followers) =>
    computeWhereabouts(
      own,
      followers.filter(({ operation, place }) => operation !== 'refund' || place !== 'approved'),
    );
  const first = open(forgetful);
  sell(first.ledger);
  first.ledger.record(id(2), refundOf(2, 400n));
  expect(() => first.ledger.record(id(2), events.approved)).toThrow(/refunds gave back/);
  first.journal.close();

  const { journal, ledger } = open();
  ledger.record(id(2), events.approved);
  ledger.record(id(3), refundOf(3, 700n));
  expect(() => ledger.record(id(3), events.approved)).toThrow(expect.objectContaining({ code: 'books.unbalanced' }));
  const charges = sumsOf(journal.sql).find(({ account }) => account === 'charges');
  expect(charges?.buckets).toMatchObject({ approved: 0n, refunded: 400n, unknown: 600n });
  journal.close();
});

test('tampered sums are detected', () => {
  const { journal, ledger } = open();
  sell(ledger);
  expect(sumsAgree(journal.sql)).toBe(true);
  journal.sql.run('UPDATE conservation_sum SET approved = approved - 1, declined = declined + 1');
  expect(sumsAgree(journal.sql)).toBe(false);
  journal.close();
});
