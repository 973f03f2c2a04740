/**
 * Counts sales taken offline: by card, cashier and brand, in the last hour and today. An answered sale no longer counts
 * as waiting.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { type FullLedger, openLedger } from '../../src/ledger/ledger.ts';
import { type OfflineBook, offlineBook } from '../../src/offline/book.ts';
import { type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import type { CardFacts, HostAnswer, Intent } from '../../src/till/machine/facts.ts';
import type { Instant } from '../../src/till/machine/offline-facts.ts';
import type { Exposure, OfflineTry } from '../../src/till/offline/limits.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const HOUR = 3_600_000;
const QUARTER_MS = 900_000;
const NOON = Date.UTC(2026, 0, 2, 12, 0, 0);
const clock = virtualClock(NOON);
const zeros = (length: number) => new Uint8Array(length);

let folder = '';
let journal: Journal;
let outbox: Outbox;
let book: OfflineBook;
let ledger: FullLedger;
let sales = 0;

const open = (): void => {
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  outbox = openOutbox(journal.sql, sealer(zeros(32), zeros));
  book = offlineBook(journal.sql);
  ledger = openLedger({ journal, outbox, clock, indexes: [book] });
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'book-'));
  sales = 0;
  open();
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const visa: CardFacts = {
  entryMode: 'ICC',
  maskedPan: '476173******0010',
  aid: 'A0000000031010',
  tvr: '0000000000',
  verification: 'none',
};
const maestro: CardFacts = { ...visa, entryMode: 'NFC_ICC', maskedPan: '679999******0019', aid: 'A0000000043060' };
const answer: HostAnswer = { code: '000.100.110', description: 'done' };

type Taken = { card?: CardFacts; cashier?: string; minor?: bigint; at?: Instant };

const intentOf = ({ cashier, minor = 100n }: Taken): Intent => {
  sales += 1;
  return {
    sale: `s${sales}`,
    operation: 'sale',
    amount: { minor, currency: 'EUR' },
    terminalId: '1',
    sequence: sales,
    receipt: sales,
    key: `k${sales}`,
    at: NOON,
    gateway: 'twin',
    cashier,
  };
};

const instant = (ms = 0, boot = 'first'): Instant => ({ at: NOON + ms, boot, upMs: 10 * HOUR + ms });
const allowed = (at?: Instant) => ({ kind: 'allowed', chip: true, deferred: true, at }) as const;

/** The events of a sale that the chip approves offline. */
const takenByChip = (taken: Taken = {}): SaleEvent[] => [
  { on: 'intended', intent: intentOf(taken) },
  {
    on: 'cardRead',
    card: taken.card ?? visa,
    decision: 'approvedOffline',
    offline: allowed(taken.at ?? instant()),
  },
];

/** The events of a sale that goes offline because the gateway cannot be reached; `word`: the chip's last event. */
const eventsWithout = (word: SaleEvent, taken: Taken = {}): SaleEvent[] => [
  { on: 'intended', intent: intentOf(taken) },
  { on: 'cardRead', card: taken.card ?? visa, decision: 'goOnline', offline: allowed(instant(-HOUR * 9)) },
  { on: 'hostNotReached', why: 'no line', offline: allowed(taken.at ?? instant()) },
  word,
];

const write = (events: readonly SaleEvent[]): string => {
  const [first] = events;
  const sale = first?.on === 'intended' ? first.intent.sale : '';
  ledger.recordAll(events.map((event) => ({ sale, event })));
  return sale;
};

const ask = (card: CardFacts = visa, cashier?: string): OfflineTry => ({
  operation: 'sale',
  amount: { minor: 1n, currency: 'EUR' },
  card,
  cashier,
});
const exposure = (request = ask(), now = instant()): Exposure => book.exposure(request, now, NOON - 12 * HOUR);
const sum = (minor: bigint, count: number) => ({ minor, count });

test('an empty table counts nothing', () => {
  expect(exposure().chip).toMatchObject({ total: sum(0n, 0), hour: sum(0n, 0) });
});

test('each sale counts with its card, its cashier, its brand, its type and how it was presented', () => {
  write(takenByChip({ minor: 300n, cashier: 'anna' }));
  write(takenByChip({ minor: 200n, cashier: 'ben', card: { ...visa, panSequence: '1' } }));
  write(takenByChip({ minor: 50n, cashier: 'ben', card: maestro }));
  expect(exposure(ask(visa, 'ben')).chip).toEqual({
    total: sum(550n, 3),
    card: sum(300n, 1),
    cashier: sum(250n, 2),
    brand: sum(500n, 2),
    cardType: sum(500n, 2),
    entryMode: sum(500n, 2),
    hour: sum(550n, 3),
    day: sum(550n, 3),
  });
  expect(exposure(ask(maestro)).chip).toMatchObject({ card: sum(50n, 1), cashier: sum(0n, 0), cardType: sum(50n, 1) });
});

test.each([
  ['the chip approves', { on: 'chipApproved', chip: {} }, sum(100n, 1), sum(0n, 0)],
  ['the store takes the risk', { on: 'chipDeclined', chip: {} }, sum(0n, 0), sum(100n, 1)],
  ['the card is pulled', { on: 'chipGone', why: 'pulled' }, sum(0n, 0), sum(0n, 0)],
  ['the till is stopped', { on: 'restarted' }, sum(0n, 0), sum(0n, 0)],
] as const)('when %s, the sale counts as what it became', (_, word, chip, deferred) => {
  write(eventsWithout(word));
  const { chip: byChip, deferred: later } = exposure();
  expect([byChip.total, later.total, byChip.hour, later.hour]).toEqual([chip, deferred, chip, deferred]);
});

test('nothing counts until the chip has answered', () => {
  write(eventsWithout({ on: 'chipGone', why: '' }).slice(0, 3));
  expect(exposure().chip).toMatchObject({ total: sum(0n, 0), hour: sum(0n, 0) });
});

test('a sale that was sent and answered no longer waits, but still counts in the hour and the day', () => {
  const first = write(takenByChip());
  const second = write(takenByChip());
  for (const [sale, approved] of [
    [first, true],
    [second, false],
  ] as const)
    ledger.record(sale, { on: 'forwarded', approved, answer });
  expect(exposure().chip).toMatchObject({ total: sum(0n, 0), card: sum(0n, 0), hour: sum(200n, 2), day: sum(200n, 2) });
});

test('a sale voided before it was sent no longer counts', () => {
  ledger.record(write(takenByChip()), { on: 'withdrawn' });
  expect(exposure().chip).toMatchObject({ total: sum(0n, 0), hour: sum(0n, 0) });
});

test('refunds that wait behind an unsent sale count separately', () => {
  const paid = write(takenByChip({ minor: 900n }));
  const refund = write([
    {
      on: 'intended',
      intent: { ...intentOf({ minor: 400n }), operation: 'refund', follows: { sale: paid, payment: '', receipt: 1 } },
    },
  ]);
  expect(exposure()).toMatchObject({ chip: { total: sum(900n, 1) }, refunds: sum(400n, 1) });
  ledger.record(refund, { on: 'forwarded', approved: true, answer });
  expect(exposure().refunds).toEqual(sum(0n, 0));
});

describe('the last hour', () => {
  test.each([
    ['59 minutes ago', instant(-HOUR + 60_000), 1],
    ['an hour ago', instant(-HOUR), 0],
    ['in an earlier boot of the machine, by trusted time within the hour', instant(-HOUR + 1, 'before'), 1],
    ['in an earlier boot, before the hour', instant(-HOUR, 'before'), 0],
    ['at a time in the future', instant(9 * HOUR, 'before'), 1],
    // Within the same boot only the uptime counts.
    ['an hour ago, by a wall clock one year ahead', { ...instant(-HOUR), at: NOON + 8_760 * HOUR }, 0],
    ['a minute ago, by a wall clock one year behind', { ...instant(-60_000), at: NOON - 8_760 * HOUR }, 1],
  ] as const)('%s', (_, at, count) => {
    write(takenByChip({ at }));
    expect(exposure().chip.hour.count).toBe(count);
  });

  test('a journal without instants counts by the time of its entries', () => {
    const events = takenByChip().map((event) => (event.on === 'cardRead' ? { ...event, offline: allowed() } : event));
    write(events);
    expect(exposure().chip.hour.count).toBe(1);
  });
});

test('the day is the calendar day', () => {
  write(takenByChip({ at: instant(-12 * HOUR) }));
  write(takenByChip({ at: instant(-12 * HOUR - 1) }));
  expect(exposure().chip).toMatchObject({ total: sum(200n, 2), day: sum(100n, 1) });
});

test('rebuilt from the journal, the table is the same, whatever happened', () => {
  const chance = dice(SEED);
  for (let n = 0; n < 200; n++) {
    const takenFacts = {
      card: chance.one([visa, maestro, { ...visa, panSequence: '2' }]),
      cashier: chance.one(['anna', 'ben']),
      minor: BigInt(chance.between(1, 900)),
      at: instant(-chance.between(0, 3 * HOUR), chance.one(['first', 'before'])),
    };
    const word = chance.one<SaleEvent>([
      { on: 'chipApproved', chip: {} },
      { on: 'chipDeclined', chip: {} },
      { on: 'chipGone', why: '' },
    ]);
    const sale = write(chance.percent(50) ? takenByChip(takenFacts) : eventsWithout(word, takenFacts));
    if (chance.percent(40)) ledger.record(sale, { on: 'forwarded', approved: chance.percent(80), answer });
  }
  const requests = [ask(visa, 'anna'), ask(maestro, 'ben'), ask({ ...visa, panSequence: '2' })];
  const before = requests.map((request) => exposure(request));
  for (const table of ['offline_sale WHERE rowid % 2 = 0', "offline_quarter WHERE kind = 'chip'"]) {
    journal.sql.run(`DELETE FROM ${table}`);
    journal.close();
    open();
    expect(
      requests.map((request) => exposure(request)),
      `seed ${SEED}, without ${table}`,
    ).toEqual(before);
  }
  expect(before[0]?.chip.total.count).toBeGreaterThan(0);
});

test('the hour and the day always equal the sums of their single sales', () => {
  const chance = dice(SEED);
  const ms = (): number => chance.one([1, 60_000, QUARTER_MS]) * chance.between(-20, 20);
  for (let n = 0; n < 120; n++) {
    const at = { at: NOON + ms(), boot: chance.one(['first', 'before', '']), upMs: 10 * HOUR + ms() };
    const taken = { minor: BigInt(chance.between(1, 900)), at };
    const word = chance.one<SaleEvent>([
      { on: 'chipApproved', chip: {} },
      { on: 'chipDeclined', chip: {} },
      { on: 'chipGone', why: '' },
    ]);
    write(chance.percent(50) ? takenByChip(taken) : eventsWithout(word, taken));
  }
  const rows = journal.sql.all('SELECT * FROM offline_sale');
  const sumOf = (kind: string, counts: (row: Readonly<Record<'at' | 'up_ms', number>>, boot: unknown) => boolean) => {
    const own = rows.filter((row) => row['kind'] === kind && counts(row as never, row['boot']));
    return sum(BigInt(own.reduce((all, row) => all + Number(row['minor']), 0)), own.length);
  };
  for (let n = 0; n < 60; n++) {
    const now = { at: NOON + HOUR + ms(), boot: chance.one(['first', 'before', 'third']), upMs: 11 * HOUR + ms() };
    const startedAt = NOON + ms();
    const { chip, deferred } = book.exposure(ask(), now, startedAt);
    for (const [kind, found] of Object.entries({ chip, deferred }))
      expect([found.hour, found.day], `seed ${SEED}, ${JSON.stringify(now)}, ${startedAt}`).toEqual([
        sumOf(kind, (row, boot) => (boot === now.boot ? row.up_ms > now.upMs - HOUR : row.at > now.at - HOUR)),
        sumOf(kind, (row) => row.at >= startedAt),
      ]);
  }
});

test('ten thousand waiting sales are counted from one index, without reading a message', () => {
  for (let batch = 0; batch < 10; batch++) {
    const events = Array.from({ length: 1_000 }, () => takenByChip()).flatMap((each) => {
      const [first] = each;
      const sale = first?.on === 'intended' ? first.intent.sale : '';
      return each.map((event) => ({ sale, event }));
    });
    ledger.recordAll(events);
  }
  expect(exposure().chip).toMatchObject({ total: sum(1_000_000n, 10_000), hour: sum(1_000_000n, 10_000) });
  const plans: string[] = [];
  const countedBook = offlineBook({
    ...journal.sql,
    all(text, ...values) {
      plans.push(...journal.sql.all(`EXPLAIN QUERY PLAN ${text}`, ...values).map(({ detail }) => String(detail)));
      return journal.sql.all(text, ...values);
    },
  });
  countedBook.exposure(ask(), instant(), NOON);
  const reads = plans.filter((plan) => /^(SCAN|SEARCH) offline_sale/.test(plan));
  expect(reads.length).toBe(4);
  expect(reads.every((plan) => plan.includes('COVERING INDEX'))).toBe(true);
});
