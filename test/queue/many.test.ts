/** The cost of a sale when very many sales are stored: their secrets stay sealed until they are sent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Journal, journalIn } from '../../src/journal/journal.ts';
import type { Sql, SqlValue } from '../../src/journal/sql.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { cpuTimeMs } from '../support/work/cpu-time.ts';

const STORED = 10_000;

let folder = '';
let journal: Journal;
const clock = virtualClock();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'many-'));
  const path = join(folder, 'journal.db');
  journal = journalIn(openSqlUnsynced(path), path, { clock });
});
afterAll(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const fill = () => {
  const seal = sealer(new Uint8Array(32), (length) => new Uint8Array(length).fill(7));
  const counts = { opened: 0 };
  const outbox = openOutbox(journal.sql, {
    seal: seal.seal,
    open(id, record) {
      counts.opened += 1;
      return seal.open(id, record);
    },
  });
  const message = {
    kind: 'forward' as const,
    body: JSON.stringify({ minor: '100', currency: 'EUR' }),
    secret: 'x'.repeat(1_200),
  };
  journal.write([], () => {
    for (let n = 0; n < STORED; n++) outbox.put({ id: `m${n}`, sale: `s${n}`, key: `k${n}`, ...message }, clock.now());
  });
  return { outbox, seen: counts };
};

/** The best of several runs, for when the machine does nothing else. */
const tookMs = (work: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const start = cpuTimeMs();
      work();
      return cpuTimeMs() - start;
    }),
  );

describe(`${STORED} stored sales`, () => {
  let filled: ReturnType<typeof fill>;
  beforeAll(() => {
    filled = fill();
  });

  test('the next turn and the due messages are known without opening a sealed message', () => {
    const { outbox, seen: counts } = filled;
    expect(outbox.nextAt()).toBe(clock.now());
    expect(outbox.due(clock.now(), 'unknown')).toEqual([]);
    expect(outbox.due(clock.now())).toHaveLength(10_000);
    expect(counts.opened).toBe(0);
  });

  test("a sale's queries of the queue take less time than its own write is allowed to take", () => {
    const { outbox } = filled;
    const request = {
      unknown: tookMs(() => outbox.due(clock.now(), 'unknown')),
      nextAt: tookMs(() => outbox.nextAt()),
    };
    for (const [what, ms] of Object.entries(request)) expect(ms, what).toBeLessThan(50);
  });
});

test('a sale’s queries do not search all settled messages', () => {
  const real = journal.sql;
  const plans: string[] = [];
  const explain = (text: string, values: SqlValue[]): void => {
    const steps = real.all(`EXPLAIN QUERY PLAN ${text}`, ...values);
    if (text.includes('message')) plans.push(...steps.map(({ detail }) => `${detail}: ${text}`));
  };
  const sql: Sql = {
    ...real,
    get(text, ...values) {
      explain(text, values);
      return real.get(text, ...values);
    },
    all(text, ...values) {
      explain(text, values);
      return real.all(text, ...values);
    },
  };
  const zeros = (length: number) => new Uint8Array(length);
  const outbox = openOutbox(sql, sealer(zeros(32), zeros));
  const ledger = openLedger({ journal, outbox, clock });
  ledger.isQueued('s');
  outbox.nextAt();
  outbox.due(clock.now());
  outbox.due(clock.now(), 'unknown');
  expect(plans.length).toBeGreaterThan(4);
  expect(plans.filter((plan) => plan.startsWith('SCAN message:'))).toEqual([]);
});
