/** Tills of older programs continue under this one: sales end as before, and stored ones go out under their keys. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTill } from '../../src/app/start-till.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { eventIn } from '../../src/till/machine/event-text.ts';
import { replay } from '../../src/till/machine/sale.ts';
import { bookkeepingHost } from '../support/till/bookkeeping-host.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { chipCard } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'older-till-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const common = [
  '1 sale approved approved',
  '2 refund approved refunded',
  '3 sale approved approvedOffline',
  '4 sale approved approvedOffline',
  '5 sale declined chipRefusedApproval, reversal due',
  '6 sale unknown unanswered',
];
const expected: Record<string, string[]> = {
  'first-card-sale': [...common, '7 sale authorising'],
  'host-api': [...common, '7 sale authorising'],
  terminals: [...common, '7 sale approved approved', '8 sale authorising'],
};

/** Every sale of a journal file, from its entries alone. */
const salesIn = (file: string): string[] => {
  const journal = openJournal(file, virtualClock());
  const ids = journal.sql.all("SELECT subject FROM entry WHERE kind = 'intended' ORDER BY entry");
  const sales = ids.map(({ subject }) => {
    const sale = replay(journal.about(String(subject)).map(({ body }) => eventIn(body)));
    if (sale === undefined) return 'no sale';
    const { receipt, operation } = sale.intent;
    if (sale.at !== 'ended') return `${receipt} ${operation} ${sale.at}`;
    const { ending, reason, reversal } = sale;
    return `${receipt} ${operation} ${ending} ${reason}${reversal === undefined ? '' : `, reversal ${reversal}`}`;
  });
  journal.close();
  return sales;
};

const storedIn = (file: string) => {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare("SELECT sale, key FROM message WHERE kind = 'forward' ORDER BY put_at").all();
  database.close();
  return rows as { sale: string; key: string }[];
};

test.each(Object.entries(expected))('%s', async (name, sales) => {
  cpSync(join(import.meta.dirname, 'fixtures', name), folder, { recursive: true });
  const file = join(folder, 'journal.db');
  const stored = storedIn(file);
  expect(stored).toHaveLength(2);
  expect(salesIn(file)).toEqual(sales);

  const clock = virtualClock(Date.UTC(2026, 0, 3, 9, 0, 0));
  const twin = bookkeepingHost({
    mode: name === 'terminals' ? 'live' : 'test',
    clock,
    fate: () => 'answered',
    approves: () => true,
    takesMs: () => 10,
    timeoutMs: 15_000,
    requestLifeMs: 30_000,
  });
  const keys: string[] = [];
  const terminal = scriptedTerminal(clock, {
    card: () => chipCard,
    read: () => 'goOnline',
    complete: () => 'approved',
    takesMs: () => 10,
  });
  const running = await startTill({
    dataDir: folder,
    clock,
    gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
    around: {
      host: () => ({
        ...twin,
        pay(parameters, key) {
          keys.push(key);
          return twin.pay(parameters, key);
        },
      }),
      terminals: () => ({ get: async () => terminal, drop: async () => {} }),
    },
  });
  try {
    const ended = sales.filter((sale) => !sale.endsWith('authorising')).length;
    for (let receipt = 1; receipt <= ended; receipt++) {
      const sale = running.till.find(receipt);
      expect(sale.at === 'ended' && sales[receipt - 1]).toContain(sale.at === 'ended' ? sale.ending : '');
    }
    expect(running.recovered.map(({ intent }) => intent.receipt)).toEqual([sales.length]);
    running.outbox.unpark(clock.now());
    await clock.advance(60_000);
    await clock.until(running.forwarder.drain('all'));
    await clock.until(running.forwarder.drain('all'));
    expect(keys.toSorted()).toEqual(stored.map(({ key }) => key).toSorted());
    for (const { sale } of stored) {
      expect(running.till.findSale(sale)).toMatchObject({ ending: 'approved', forwarded: { approved: true } });
      expect(twin.books.filter(({ merchantTransactionId }) => merchantTransactionId === sale)).toHaveLength(1);
    }
    expect(running.outbox.bodies('forward')).toEqual([]);
    const next = await clock.until(running.till.sell({ amount: { minor: 500n, currency: 'EUR' } }, () => {}).done);
    expect([next.intent.receipt, next.ending]).toEqual([sales.length + 1, 'approved']);
  } finally {
    await running.close();
  }
});
