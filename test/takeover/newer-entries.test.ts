/** Entries and messages of a newer version: ignorable ones are skipped, and the others make their sale untouchable. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { FROM_NEWER } from '../../src/base/open-messages.ts';
import { publicKeyOf } from '../../src/folder/keys/till-signer.ts';
import { setNewerAside } from '../../src/ledger/sale-indexes.ts';
import { queueRows } from '../../src/recovery/queue-view.ts';
import { provenIn, type UnsentDocument } from '../../src/takeover/unsent-file.ts';
import { entryOf, eventIn } from '../../src/till/machine/event-text.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import { marksOf, unreadIn } from '../../src/till/machine/unread.ts';
import { twoTills } from '../journal/two-tills.ts';
import { addKeys, changeFile, entryOfFuture, journalOfFuture, writeEntries } from '../support/future/future.ts';

let shop: ReturnType<typeof twoTills>;
beforeEach(() => {
  shop = twoTills(31);
});
afterEach(() => shop.remove());

const folder = () => shop.folderOf('a');
const life = <T>(work: (till: RunningTill) => Promise<T> | T): Promise<T> => shop.life('a', work);
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'nothing';
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
};
const ask = (statement: string): unknown => {
  const database = new Database(join(folder(), 'journal.db'), { readonly: true });
  try {
    return database.prepare(statement).raw().all();
  } finally {
    database.close();
  }
};
const messages = ({ journal }: RunningTill) =>
  journal.sql.all('SELECT kind, state, note, attempts FROM message ORDER BY rowid').map((row) => Object.values(row));

/** Two approved sales, and two that are stored until the line is up. */
const soldBefore = () =>
  life(async (till): Promise<EndedSale[]> => {
    const online = [await shop.sell(till, 1_000n), await shop.sell(till, 2_000n)];
    shop.line.up = false;
    const stored = [await shop.sell(till, 3_000n), await shop.sell(till, 4_000n)];
    shop.line.up = true;
    return [...online, ...stored];
  });

const idOf = (sale: EndedSale | undefined): string => sale?.intent.sale ?? '';

test('an ignorable entry is skipped, and a critical one stops its own sale and no other', async () => {
  const [readable, newer, stored, newerStored] = await soldBefore();
  writeEntries(folder(), [
    entryOfFuture(idOf(readable), 'loyaltyNoted', { ignorable: true, points: 5 }),
    entryOfFuture(idOf(newer), 'surchargeAdded', { amount: { minor: '120', currency: 'EUR' } }),
    // A further entry of the newer version on a sale that this version cannot read.
    entryOfFuture(idOf(newer), 'personSaid', {
      charged: true,
      by: { who: 'A', role: 'm', reason: 'r', evidence: 'e' },
    }),
    entryOfFuture(idOf(newerStored), 'asked', { critical: ['lane'], lane: 4, ignorable: true }),
  ]);
  await life(async (till) => {
    const length = till.journal.length;
    expect(till.till.findSale(idOf(readable))).toMatchObject({ ending: 'approved', reason: 'approved' });
    expect(till.till.findSale(idOf(newer))).toMatchObject({
      ...{ ending: 'unknown', reason: 'newerVersion', why: 'surchargeAdded' },
      intent: { amount: { minor: 2_000n } },
    });
    expect(till.recovered).toEqual([]);
    const { receipt } = newer?.intent ?? { receipt: 0 };
    for (const operation of ['refund', 'void', 'completion', 'increment', 'release'] as const)
      expect(codeOf(() => till.till.follow({ receipt, operation }, () => {}))).toBe('sale.newer');
    expect(till.till.mayFollow(receipt)).toEqual([]);
    const by = { who: 'Ana', role: 'manager', reason: 'looked', evidence: 'book' };
    expect(codeOf(() => till.resolver.force(receipt, { charged: true, by }))).toBe('sale.newer');
    expect(await shop.faultOf(till.resolver.run(till.till.find(receipt)))).toBe('sale.newer');
    expect(till.resolver.open().map(({ sale, state, next }) => [sale.intent.receipt, state, next])).toEqual([
      [2, 'person', 'Nothing happens until the newer version is started: it continues this sale.'],
      [3, 'waiting', expect.anything()],
      [4, 'person', 'Nothing happens until the newer version is started: it continues this sale.'],
    ]);
    // The ledger itself refuses any event on such a sale.
    expect(codeOf(() => till.ledger.record(idOf(newer), { on: 'restarted' }))).toBe('sale.newer');
    expect(till.journal.length).toBe(length);
    // None of these is sent.
    await shop.forward(till);
    expect(till.ledger.isQueued(idOf(stored))).toBe(false);
    expect(messages(till)).toEqual([
      ['forward', 'done', '', 1],
      ['forward', 'parked', FROM_NEWER, 0],
    ]);
    expect(till.outbox.unpark(shop.clock.now())).toBe(0);
    till.outbox.renew(shop.clock.now());
    await shop.forward(till);
    expect(messages(till)).toEqual([
      ['forward', 'done', '', 1],
      ['forward', 'parked', FROM_NEWER, 0],
    ]);
    // Everything else can be sold, and the skipped entries do no harm.
    expect(await shop.sell(till, 500n)).toMatchObject({ ending: 'approved' });
    const refund = till.till.refund({ receipt: readable?.intent.receipt ?? 0 }, () => {});
    expect(await shop.clock.until(refund.done)).toMatchObject({ ending: 'approved' });
    expect(till.journal.about(idOf(newer)).at(-1)?.kind).toBe('personSaid');
    // Wherever a message of such a sale comes from.
    const message = { kind: 'forward', sale: idOf(newerStored), key: 'k', body: '{}' } as const;
    expect(await till.till.deliver(message)).toEqual({ means: 'refused', note: FROM_NEWER });
  });
});

test('a close names the amounts of such sales, including a sale of an unknown operation', async () => {
  const [, newer] = await soldBefore();
  const [row] = ask("SELECT body FROM entry WHERE kind = 'intended' LIMIT 1") as [[string]];
  const { intent } = JSON.parse(row[0]) as { intent: Record<string, unknown> };
  const teleport = {
    ...intent,
    sale: 'f'.repeat(32),
    key: 'e'.repeat(32),
    operation: 'teleport',
    receipt: 5,
    sequence: 5,
  };
  writeEntries(folder(), [
    entryOfFuture(idOf(newer), 'surchargeAdded'),
    entryOfFuture('f'.repeat(32), 'intended', { intent: teleport }),
    entryOfFuture('f'.repeat(32), 'teleported'),
  ]);
  await life(async (till) => {
    await shop.forward(till);
    const open = await shop.clock.until(till.books.open());
    expect(open.map(({ receipt, amount, place, why }) => [receipt, amount, place, why])).toEqual([
      [2, '20.00 EUR', 'unknown', 'a newer version of this program has written what this one cannot read'],
      [5, '10.00 EUR', 'unknown', 'a newer version of this program has written what this one cannot read'],
    ]);
    const refused = await shop.clock.until(
      till.books.close().then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    expect(refused).toMatchObject({ code: 'books.openMoney' });
    expect(String(refused)).toMatch(/20\.00 EUR/);
    expect(till.books.sumsAgree()).toBe(true);
  });
});

test('a message of an unknown kind is parked, never sent, and continues with a version that knows it', async () => {
  const [readable, , , stored] = await soldBefore();
  writeEntries(folder(), [entryOfFuture(idOf(stored), 'laneChanged')]);
  changeFile(join(folder(), 'journal.db'), [
    `INSERT INTO message SELECT 'x1', 'loyalty', '${idOf(readable)}', 'x1', '{}', NULL, NULL, 'waiting', 0, 0, 0, 0, '', 1,
     NULL, 0, 0`,
    `INSERT INTO message SELECT 'x2', 'telemetry', '', 'x2', '{}', NULL, NULL, 'waiting', 0, 0, 0, 0, '', 1, NULL, 0, 0`,
  ]);
  const parkedRows = ['forward', 'loyalty', 'telemetry'].map((kind) => [kind, 'parked', FROM_NEWER, 0]);
  await life(async (till) => {
    await shop.forward(till);
    expect(messages(till)).toEqual([['forward', 'done', '', 1], ...parkedRows]);
    const rows = queueRows({ ...till, sql: till.journal.sql, clock: shop.clock });
    expect(rows.map(({ kind, state, receipt, toDo }) => [kind, state, receipt, toDo])).toEqual([
      ['loyalty', 'parked', 1, 'Start the newer version: it sends it automatically'],
      ['forward', 'parked', 4, 'Start the newer version: it sends it automatically'],
    ]);
    // A version that knows the entry finds no such sale; the kinds of messages stay unknown to this one.
    till.journal.sql.run('DELETE FROM unread_sale');
    setNewerAside(till.journal.sql, shop.clock);
    expect(messages(till)).toEqual([['forward', 'done', '', 1], ['forward', 'waiting', '', 0], ...parkedRows.slice(1)]);
  });
});

test('the chain of such a journal is intact for the till and for the independent verifier', async () => {
  const [readable, newer] = await soldBefore();
  writeEntries(folder(), [
    entryOfFuture(idOf(readable), 'loyaltyNoted', { ignorable: true }),
    entryOfFuture(idOf(newer), 'surchargeAdded'),
    entryOfFuture('moon', 'phase'),
  ]);
  journalOfFuture(folder());
  addKeys(folder(), 'till.json', (config) => ({ ...config, kiosk: true }));
  await life((till) => expect(till.journal.length).toBeGreaterThan(10));
  const verifier = join(import.meta.dirname, '../../src/journal/verifier/main.ts');
  const { status, stdout } = spawnSync(process.execPath, [verifier, join(folder(), 'journal.db')], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/all in order: 4 sales with receipts 1 to 4/);
  expect(status).toBe(0);
});

test('unsent sales leave a folder and enter another only completely', async () => {
  const [, , stored] = await soldBefore();
  const file = join(shop.root, 'out.unsent');
  const whole = await shop.exportFrom('a', file);
  expect(whole.messages).toHaveLength(2);
  shop.takeBack('a');
  writeEntries(folder(), [entryOfFuture(idOf(stored), 'laneChanged')]);
  expect(await shop.faultOf(shop.exportFrom('a', join(shop.root, 'other.unsent')))).toBe('export.newer');
  expect(existsSync(join(shop.root, 'other.unsent'))).toBe(false);
  // An export by the newer version.
  const unsent = await life((till): UnsentDocument => {
    till.journal.seal();
    const proven = provenIn(till.journal, new Set([idOf(stored)]), folder());
    return { id: 'd'.repeat(32), at: shop.clock.now(), mode: 'test', ...proven, messages: [] };
  });
  const publicKey = publicKeyOf(folder()) ?? '';
  await shop.life('b', async (till) => {
    expect(await shop.faultOf(till.takenOver.take({ unsent, publicKey }, ['Ana', 'Ben']))).toBe('export.newer');
    expect(till.takenOver.sales()).toEqual([]);
  });
});

test('an entry says whether it is ignorable, and is read accordingly', () => {
  const received = { said: 'silent' };
  const request = { on: 'asked', whom: 'gateway', what: 'search', heard: received } as const;
  const { kind, body } = entryOf(request);
  expect([kind, JSON.parse(body)]).toEqual(['asked', { ...request, ignorable: true }]);
  expect(eventIn(body)).toEqual(request);
  expect(JSON.parse(entryOf({ on: 'restarted' }).body)).toEqual({ on: 'restarted' });
});

test('an added critical field is named in each entry that has it', () => {
  const fields = { cardRead: ['card.lane'] };
  const event = { on: 'cardRead', card: { lane: 3 }, decision: 'goOnline', offline: { kind: 'refused' } } as const;
  const { card: _, ...withoutCard } = event;
  expect(marksOf(event, fields)).toEqual({ critical: ['card.lane'] });
  expect(marksOf(withoutCard, fields)).toEqual({});
  const written = { ...event, ...marksOf(event, fields) };
  expect(unreadIn(written, fields)).toBeUndefined();
  expect(unreadIn(written)).toEqual({ what: 'cardRead.card.lane', isCritical: true });
  expect(unreadIn(event)).toBeUndefined();
});

test.each<[string, object, object]>([
  ['an ignorable kind', { on: 'x', ignorable: true }, { on: 'unread', what: 'x', isCritical: false }],
  ['a critical kind', { on: 'x' }, { on: 'unread', what: 'x', isCritical: true }],
  ['a kind named like a built-in property', { on: 'toString' }, { on: 'unread', what: 'toString', isCritical: true }],
  ['an ignorable field', { on: 'restarted', y: 1 }, { on: 'restarted', y: 1 }],
  [
    'a critical field',
    { on: 'restarted', y: 1, critical: ['y'] },
    { on: 'unread', what: 'restarted.y', isCritical: true },
  ],
  ['an invalid mark', { on: 'restarted', critical: 7 }, { on: 'unread', what: 'restarted.critical', isCritical: true }],
  ['a value that decides', { on: 'reversed', how: 'halved' }, { on: 'unread', what: 'reversed.how', isCritical: true }],
])('%s', (_, written, read) => expect(eventIn(JSON.stringify(written))).toEqual(read));
