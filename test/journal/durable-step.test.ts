/**
 * An event and the message that it requires are one durable step: wherever the till dies, the disk holds both or
 * neither. An event without its message is money that nobody refunds; a message without its event is money that nobody
 * asked for.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { journalIn } from '../../src/journal/journal.ts';
import type { Sql } from '../../src/journal/sql.ts';
import { type FullLedger, openLedger } from '../../src/ledger/ledger.ts';
import { type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import type { Intent } from '../../src/till/machine/facts.ts';
import type { OutgoingMessage } from '../../src/till/ports.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { toldSql } from './counted-sql.ts';

const clock = virtualClock();
const zeros = (length: number) => new Uint8Array(length);

const FILE = 'journal.db';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'step-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Till = { ledger: FullLedger; outbox: Outbox; close(): void };

const open = (around: (sql: Sql) => Sql = (sql) => sql): Till => {
  const path = join(folder, FILE);
  const sql = openSqlUnsynced(path);
  const journal = journalIn(around(sql), path, { clock });
  const outbox = openOutbox(journal.sql, sealer(zeros(32), zeros));
  return { ledger: openLedger({ journal, outbox, clock }), outbox, close: () => sql.close() };
};

const intentOf = (n: number): Intent => ({
  ...{ sale: `s${n}`, operation: 'sale', amount: { minor: 700n, currency: 'EUR' }, terminalId: '1' },
  ...{ sequence: n, receipt: n, key: `k${n}`, at: clock.now(), gateway: 'twin' },
});
const startEvent = (n: number) => ({ on: 'intended', intent: intentOf(n) }) as const;
const restarted = { on: 'restarted' } as const;
const messageOf = (n: number, kind: OutgoingMessage['kind'] = 'reversal'): OutgoingMessage => ({
  ...{ kind, sale: `s${n}`, key: `m${n}`, body: '{}' },
  secret: kind === 'forward' ? '{"pos.encryptedSred.data":"00"}' : undefined,
});

type Step = {
  name: string;
  before?(till: Till): void;
  act(till: Till): void;
  /** Whether the journal and the queue show the step. */
  shows(till: Till): { journal: boolean; queue: boolean }[];
};

const says = ({ ledger }: Till, n: number, on: string): boolean =>
  ledger.events(`s${n}`).some((event) => event.on === on);

const steps: Step[] = [
  {
    name: 'a new reversal',
    before: ({ ledger }) => ledger.record('s1', startEvent(1)),
    act: ({ ledger }) => ledger.record('s1', restarted, messageOf(1)),
    shows: (till) => [{ journal: says(till, 1, 'restarted'), queue: till.outbox.holds('s1') }],
  },
  {
    name: 'an offline sale with its sealed card data',
    act: ({ ledger }) => ledger.record('s1', startEvent(1), messageOf(1, 'forward')),
    shows: (till) => [{ journal: says(till, 1, 'intended'), queue: till.outbox.open('m1') !== undefined }],
  },
  {
    name: 'several sales that are resumed together',
    act: ({ ledger }) =>
      ledger.recordAll([1, 2, 3].map((n) => ({ sale: `s${n}`, event: startEvent(n), message: messageOf(n) }))),
    shows: (till) => [1, 2, 3].map((n) => ({ journal: says(till, n, 'intended'), queue: till.outbox.holds(`s${n}`) })),
  },
  {
    name: 'an answer that settles a message',
    before: ({ ledger }) => ledger.record('s1', startEvent(1), messageOf(1, 'forward')),
    act: ({ ledger }) => ledger.settle('m1', 's1', restarted),
    shows: (till) => [{ journal: says(till, 1, 'restarted'), queue: !till.outbox.holds('s1') }],
  },
  {
    name: 'a void that takes a stored sale out of the queue',
    before: ({ ledger }) => ledger.record('s1', startEvent(1), messageOf(1, 'forward')),
    act: ({ ledger }) => ledger.recordAll([{ sale: 's1', event: restarted, withdraw: 'm1' }]),
    shows: (till) => [{ journal: says(till, 1, 'restarted'), queue: till.outbox.untried('s1') === undefined }],
  },
];

const DIED = 'the till died';

/** Runs the step in a till that dies for good at the n-th statement. Returns whether it completed. */
const dyingAt = (n: number, after: boolean, act: (till: Till) => void): boolean => {
  let counting = false;
  let from = 0;
  let isDead = false;
  const notify = (at: number, isAfter: boolean): void => {
    if (!counting) from = at;
    else if (at - from === n && isAfter === after) isDead = true;
    if (isDead) throw new Error(DIED);
  };
  const till = open((sql) => toldSql(sql, notify).sql);
  counting = true;
  try {
    act(till);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringContaining(DIED) });
    return false;
  } finally {
    till.close();
  }
};

describe.each(steps.map((step) => [step.name, step] as const))('%s', (_, { before, act, shows }) => {
  test.each([
    ['before', false],
    ['after', true],
  ])('the till dies %s each statement: journal and queue agree', (_when, after) => {
    const first = open();
    before?.(first);
    first.close();
    const snapshot = readFileSync(join(folder, FILE));
    const outcomes: boolean[] = [];
    for (let n = 1, isWhole = false; !isWhole; n += 1) {
      writeFileSync(join(folder, FILE), snapshot);
      isWhole = dyingAt(n, after, act);
      const next = open();
      const shownBefore = shows(next).flatMap(({ journal, queue }) => [journal, queue]);
      next.close();
      expect(new Set(shownBefore).size, `died ${after ? 'after' : 'before'} statement ${n}: ${shownBefore}`).toBe(1);
      outcomes.push(shownBefore.includes(true));
    }
    // Some deaths came too early for the step; after others the whole step was present.
    expect([outcomes.length > 3, outcomes.includes(false), outcomes.at(-1)]).toEqual([true, true, true]);
  });
});
