import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { createForwarder, type Delivery, type Forwarder } from '../../src/queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { backoffMs, type TryOutcome, UNKNOWN_ANSWERS_MOST } from '../../src/queue/policy.ts';
import { sealer } from '../../src/queue/seal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const counting = (): ((length: number) => Uint8Array) => {
  let n = 0;
  return (length) => new Uint8Array(length).map(() => (n = (n * 31 + 7) % 256));
};

let folder = '';
let journal: Journal;
let outbox: Outbox;
const clock = virtualClock(1_000_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  journal = openJournal(join(folder, 'journal.db'), clock);
  outbox = openOutbox(journal.sql, sealer(new Uint8Array(32).fill(7), counting()));
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const message = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  kind: 'forward',
  sale: `sale-${id}`,
  key: id,
  body: '{}',
  ...more,
});

const openForwarder = (deliver: (message: Message) => Promise<Delivery>, report: (error: unknown) => void) =>
  createForwarder({ outbox, deliver, clock, random: counting(), report });

/** Gives the listed answers, and records the messages that it received. */
const gateway = (answers: Record<string, TryOutcome[]>): { sent: string[]; forwarder: Forwarder } => {
  const sent: string[] = [];
  const deliver = async ({ id, secret }: Message): Promise<Delivery> => {
    sent.push(secret === undefined ? id : `${id} ${secret}`);
    return { means: answers[id]?.shift() ?? 'approved', note: 'as told', settle: () => outbox.settle(id) };
  };
  return { sent, forwarder: openForwarder(deliver, (error) => sent.push(String(error))) };
};

test('reversals go first, then the oldest; each is settled once', async () => {
  for (const id of ['f1', 'f2']) outbox.put(message(id), clock.now());
  outbox.put(message('r1', { kind: 'reversal' }), clock.now());
  const { sent, forwarder } = gateway({});
  expect(await forwarder.drain()).toEqual({ done: 3, later: 0, parked: 0 });
  expect(sent).toEqual(['r1', 'f1', 'f2']);
  expect(await forwarder.drain()).toEqual({ done: 0, later: 0, parked: 0 });
});

test('two simultaneous drains are one pass: nothing is sent twice', async () => {
  outbox.put(message('f1'), clock.now());
  const { sent, forwarder } = gateway({});
  await Promise.all([forwarder.drain(), forwarder.drain(), forwarder.drain('all')]);
  expect(sent).toEqual(['f1']);
});

test('a message without a clear answer waits for its backoff and blocks none', async () => {
  for (const id of ['f1', 'f2', 'f3']) outbox.put(message(id), clock.now());
  const { sent, forwarder } = gateway({ f1: ['unknown', 'later', 'approved'], f2: ['refused'] });
  expect(await forwarder.drain()).toEqual({ done: 1, later: 1, parked: 1 });
  expect(outbox.parked().map(({ id }) => id)).toEqual(['f2']);
  expect(await forwarder.drain()).toEqual({ done: 0, later: 0, parked: 0 });
  expect(await forwarder.drain('all')).toEqual({ done: 0, later: 1, parked: 0 });
  await clock.advance(300_000);
  expect(await forwarder.drain()).toEqual({ done: 1, later: 0, parked: 0 });
  expect(sent).toEqual(['f1', 'f2', 'f3', 'f1', 'f1']);
});

test('a pass tries a dead line once, not once per stored sale; reversals are all tried', async () => {
  for (const id of ['f1', 'f2', 'f3']) outbox.put(message(id), clock.now());
  for (const id of ['r1', 'r2']) outbox.put(message(id, { kind: 'reversal' }), clock.now());
  const { sent, forwarder } = gateway({ r1: ['silent'], r2: ['notSent'], f1: ['notSent'] });
  expect(await forwarder.drain()).toEqual({ done: 0, later: 5, parked: 0 });
  expect(sent).toEqual(['r1', 'r2', 'f1']);
  // The line rests for a moment, then the others get their turn.
  expect((await forwarder.drain()).done).toBe(0);
  await clock.advance(1_000);
  expect((await forwarder.drain()).done).toBeGreaterThan(1);
});

test('a reversal that is queued during a pass goes before the next stored sale', async () => {
  for (const id of ['f1', 'f2']) outbox.put(message(id), clock.now());
  const sent: string[] = [];
  const deliver = async ({ id }: Message): Promise<Delivery> => {
    sent.push(id);
    if (id === 'f1') outbox.put(message('r1', { kind: 'reversal' }), clock.now());
    return { means: 'approved', note: '', settle: () => outbox.settle(id) };
  };
  await createForwarder({ outbox, deliver, clock, random: counting(), report: () => {} }).drain();
  expect(sent).toEqual(['f1', 'r1', 'f2']);
});

test('an answer that cannot be written is requested again after a pause', async () => {
  outbox.put(message('f1'), clock.now());
  const reported: unknown[] = [];
  let full = true;
  const settle = () => {
    if (full) throw new Fault('journal.unwritable', { why: 'disk full' });
    outbox.settle('f1');
  };
  const deliver = async (): Promise<Delivery> => ({ means: 'approved', note: '', settle });
  const sender = openForwarder(deliver, (error) => reported.push(error));
  expect(await sender.drain()).toEqual({ done: 0, later: 1, parked: 0 });
  expect(reported).toHaveLength(1);
  expect(await sender.drain()).toEqual({ done: 0, later: 0, parked: 0 });
  full = false;
  expect((await sender.drain('all')).done).toBe(1);
});

test('a message knows that it was tried before, also after a restart', async () => {
  outbox.put(message('f1'), clock.now());
  const tried: (boolean | undefined)[] = [];
  const deliver = async (one: Message): Promise<Delivery> => {
    tried.push(one.tried);
    return { means: 'silent', note: '', settle: () => {} };
  };
  const drainOnce = async () => {
    const sender = createForwarder({ outbox, deliver, clock, random: counting(), report: () => {} });
    await sender.drain('all');
    await sender.stop();
  };
  await drainOnce();
  await drainOnce();
  expect(tried).toEqual([false, true]);
});

test('a person can retry parked messages', async () => {
  outbox.put(message('f1', { secret: 'x' }), clock.now());
  const { sent, forwarder } = gateway({ f1: ['refused'] });
  await forwarder.drain();
  expect(outbox.holds('sale-f1')).toBe(true);
  expect(outbox.unpark(clock.now())).toBe(1);
  expect((await forwarder.drain()).done).toBe(1);
  expect(sent).toEqual(['f1 x', 'f1 x']);
  expect(outbox.holds('sale-f1')).toBe(false);
});

test('a message that a person hurries goes first, though it was parked and not yet due', async () => {
  for (const id of ['f1', 'f2', 'f3']) outbox.put(message(id), clock.now());
  outbox.park('f3', 'for a person');
  expect([outbox.unpark(clock.now(), 'sale-f3'), outbox.hurry('sale-f3'), outbox.hurry('nobody')]).toEqual([1, 1, 0]);
  const { sent, forwarder } = gateway({ f3: ['notSent'] });
  await forwarder.drain();
  // This message found the line down, so the others are not tried.
  expect(sent).toEqual(['f3']);
  await clock.advance(300_000);
  await forwarder.drain();
  expect(sent.slice(1).toSorted()).toEqual(['f1', 'f2', 'f3']);
});

test('a started forwarder drains by itself when a message is due', async () => {
  const { sent, forwarder } = gateway({ f1: ['silent'] });
  forwarder.start();
  outbox.put(message('f1'), clock.now());
  forwarder.wake();
  await clock.advance(10);
  expect(sent).toEqual(['f1']);
  await clock.advance(3_000);
  expect(sent).toEqual(['f1', 'f1']);
  await forwarder.stop();
});

test('after an unknown answer the message is retried, and after ten times parked for a person', async () => {
  outbox.put(message('f1'), clock.now());
  const { forwarder } = gateway({ f1: new Array<TryOutcome>(20).fill('unknown') });
  for (let n = 0; n < UNKNOWN_ANSWERS_MOST; n++) expect((await forwarder.drain('all')).later).toBe(1);
  expect((await forwarder.drain('all')).parked).toBe(1);
});

test('a clock that was set back does not delay a message for years', async () => {
  outbox.put(message('f1'), clock.now() + 10 ** 10);
  const { sent, forwarder } = gateway({});
  await forwarder.drain();
  expect(sent).toEqual(['f1']);
});

test('a secret is sealed at rest, opened for sending, and unreadable forever once settled', async () => {
  const secret = 'pos.encryptedSred.data=0011223344556677';
  outbox.put(message('f1', { secret }), clock.now());
  const inFiles = () =>
    readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes('0011223344556677'));
  expect(inFiles()).toBe(false);
  const { sent, forwarder } = gateway({});
  await forwarder.drain();
  expect(sent).toEqual([`f1 ${secret}`]);
  expect(outbox.open('f1')).toBeUndefined();
  expect(inFiles()).toBe(false);
});

test('a record that another till sealed, or a changed one, is parked and blocks none', async () => {
  outbox.put(message('f1', { secret: 'x' }), clock.now());
  outbox.put(message('f2', { secret: 'y' }), clock.now());
  journal.sql.run("UPDATE message SET sealed = (SELECT sealed FROM message WHERE id = 'f2') WHERE id = 'f1'");
  const { sent, forwarder } = gateway({});
  expect(await forwarder.drain()).toEqual({ done: 1, later: 0, parked: 1 });
  expect(sent).toEqual(['f2 y']);
});

test('the backoff doubles up to five minutes, and half of it is jitter', () => {
  const low = (length: number) => new Uint8Array(length);
  const high = (length: number) => new Uint8Array(length).fill(255);
  expect([0, 1, 2, 8, 9, 50].map((n) => [backoffMs(n, low), backoffMs(n, high)])).toEqual([
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [128_000, 256_000],
    [150_000, 300_000],
    [150_000, 300_000],
  ]);
});

test('the gateway’s description is masked in the queue’s list, for waiting and parked messages', () => {
  const words = 'card 4761739001010010 not allowed';
  for (const id of ['waits', 'aside']) outbox.put(message(id), clock.now());
  outbox.retryAt('waits', { dueAt: 0, note: words, unknown: false });
  outbox.park('aside', words);
  const notes = [...outbox.waiting(), ...outbox.parked()].map(({ note }) => note);
  expect(notes).toHaveLength(2);
  for (const note of notes) expect(note).not.toContain('4761739001010010');
});

test.each([
  ['forward', ['notSent'], false],
  ['follow', ['notSent'], false],
  // Older tries may have reached the gateway.
  ['forward', ['silent', 'notSent'], true],
  ['forward', ['later', 'notSent'], true],
  ['forward', ['silent'], true],
  ['reversal', ['notSent'], true],
  ['repeat', ['notSent'], true],
] as const)('a %s after %s counts as tried: %s', async (kind, answers, tried) => {
  outbox.put(message('m', { kind }), clock.now());
  const { forwarder } = gateway({ m: [...answers] });
  for (const _ of answers) await forwarder.drain('all');
  expect(outbox.waiting().map((waiting) => waiting.tried)).toEqual([tried]);
  expect(outbox.untried('sale-m')).toBe(tried ? undefined : 'm');
});

test('a message counts as tried while it is under way, and after a crash meanwhile', async () => {
  outbox.put(message('m'), clock.now());
  const reports: unknown[] = [];
  const deliver = async (): Promise<Delivery> => {
    reports.push(outbox.untried('sale-m'));
    return { means: 'notSent', note: '', settle: () => {} };
  };
  await createForwarder({ outbox, deliver, clock, random: counting(), report: () => {} }).drain();
  expect([reports, outbox.untried('sale-m')]).toEqual([[undefined], 'm']);
});

test('sales do not speed up the retries of a stuck message; a person’s retry does so once', async () => {
  const ids = Array.from({ length: 10 }, (_, n) => `r${n}`);
  for (const id of ids) outbox.put(message(id, { kind: 'reversal' }), clock.now());
  outbox.put(message('again', { kind: 'repeat' }), clock.now());
  const stuck: TryOutcome[] = Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? 'later' : 'undecided'));
  const { sent, forwarder } = gateway(Object.fromEntries([...ids, 'again'].map((id) => [id, [...stuck]])));
  // A sale every three seconds at one of the counters, for 23 minutes.
  for (let n = 0; n < 460; n++) {
    await forwarder.drain('unknown');
    await clock.advance(3_000);
  }
  for (const id of [...ids, 'again']) {
    const { length } = sent.filter((each) => each === id);
    expect(length).toBeGreaterThan(9);
    expect(length).toBeLessThan(17);
  }
  const tries = sent.length;
  outbox.hurry('sale-r0');
  await forwarder.drain('unknown');
  await forwarder.drain('unknown');
  expect(sent.slice(tries)).toEqual(['r0']);
});

test('a try that breaks off may have arrived: the message counts as tried and cannot be withdrawn', async () => {
  outbox.put(message('m'), clock.now());
  let isBroken = true;
  const deliver = async (): Promise<Delivery> => {
    if (isBroken) throw new Error('the answer could not be read');
    return { means: 'notSent', note: '', settle: () => {} };
  };
  const sender = createForwarder({ outbox, deliver, clock, random: counting(), report: () => {} });
  expect(await sender.drain()).toEqual({ done: 0, later: 1, parked: 0 });
  isBroken = false;
  await sender.drain('all');
  expect([outbox.untried('sale-m'), outbox.waiting().map(({ tried }) => tried)]).toEqual([undefined, [true]]);
  expect(() => outbox.withdraw('m')).toThrow(expect.objectContaining({ code: 'queue.tried' }));
});
