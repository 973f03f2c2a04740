/** Messages that follow a payment go out in their order: a refund after a completion, never beside or before it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pause } from '../../src/base/clock.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { createForwarder, type Forwarder } from '../../src/queue/forwarder.ts';
import { type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import type { TryOutcome } from '../../src/queue/policy.ts';
import { sealer } from '../../src/queue/seal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const zeros = (length: number) => new Uint8Array(length);

let folder = '';
let journal: Journal;
let outbox: Outbox;
let clock = virtualClock();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'followers-'));
  clock = virtualClock();
  journal = openJournal(join(folder, 'journal.db'), clock);
  outbox = openOutbox(journal.sql, sealer(zeros(32), zeros));
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (id: string, after?: string): void =>
  outbox.put(
    { id, kind: after === undefined ? 'forward' : 'follow', sale: id, key: id, body: '{}', after: after || undefined },
    clock.now(),
  );

/** Gives the listed answers, each after 100 ms, and logs what started and what ended, in order. */
const gateway = (answers: Record<string, TryOutcome[]> = {}): { log: string[]; sender: Forwarder } => {
  const log: string[] = [];
  const sender = createForwarder({
    outbox,
    clock,
    random: zeros,
    report: (error) => log.push(String(error)),
    async deliver({ id }) {
      log.push(id);
      await pause(clock, 100);
      log.push(`${id}.`);
      return { means: answers[id]?.shift() ?? 'approved', note: '', settle: () => outbox.settle(id) };
    },
  });
  return { log, sender };
};

const inOrder = ['completion', 'completion.', 'tip', 'tip.', 'refund', 'refund.'];

test('after a settled payment they go one by one, in their order', async () => {
  for (const id of ['completion', 'tip', 'refund']) put(id, 'paid');
  const { log, sender } = gateway();
  expect(await clock.until(sender.drain())).toEqual({ done: 3, later: 0, parked: 0 });
  expect(log).toEqual(inOrder);
});

test('also after a payment in the same pass; messages of another payment go at the same time', async () => {
  put('sale');
  for (const id of ['completion', 'tip', 'refund']) put(id, 'sale');
  put('other', 'another');
  const { log, sender } = gateway();
  expect(await clock.until(sender.drain())).toEqual({ done: 5, later: 0, parked: 0 });
  const isOther = (line: string): boolean => line.startsWith('other');
  expect(log.filter((line) => !isOther(line))).toEqual(['sale', 'sale.', ...inOrder]);
  expect(log.findIndex(isOther)).toBeLessThan(log.indexOf('tip'));
});

test.each<TryOutcome>(['silent', 'notSent', 'later', 'unknown', 'undecided', 'held'])(
  'a message with the answer "%s" keeps its place during its backoff: none overtakes it',
  async (means) => {
    for (const id of ['completion', 'tip', 'refund']) put(id, 'paid');
    const { log, sender } = gateway({ completion: [means] });
    await clock.until(sender.drain('all'));
    expect(log).toEqual(['completion', 'completion.']);
    await clock.advance(300_000);
    await clock.until(sender.drain());
    expect(log.slice(2)).toEqual(inOrder);
  },
);

test('a message that is parked for a person blocks no other', async () => {
  for (const id of ['completion', 'tip', 'refund']) put(id, 'paid');
  const { log, sender } = gateway({ completion: ['refused'] });
  expect(await clock.until(sender.drain())).toEqual({ done: 2, later: 0, parked: 1 });
  expect(log).toEqual(inOrder);
});

test('during the first message’s backoff, its time is the queue’s next turn', () => {
  for (const id of ['completion', 'tip']) put(id, 'paid');
  outbox.markTrying('completion');
  outbox.retryAt('completion', { dueAt: clock.now() + 60_000, note: '', unknown: false });
  expect(outbox.nextAt()).toBe(clock.now() + 60_000);
  expect(outbox.due(clock.now())).toEqual([]);
});
