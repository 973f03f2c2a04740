/** One forwarder for each journal: a second one is refused by name, and a crash locks nobody out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { createForwarder, type Delivery } from '../../src/queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const zeros = (length: number) => new Uint8Array(length);
const clock = virtualClock();

let folder = '';
let journal: Journal;
let outbox: Outbox;
const open = () => {
  journal = openJournal(join(folder, 'journal.db'), clock);
  outbox = openOutbox(journal.sql, sealer(zeros(32), zeros));
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lease-'));
  open();
  outbox.put({ id: 'm', kind: 'forward', sale: 's', key: 'm', body: '{}' }, clock.now());
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const openNamed = (name: string, sent: string[]) => {
  const deliver = async ({ id }: Message): Promise<Delivery> => {
    sent.push(`${name} ${id}`);
    return { means: 'approved', note: '', settle: () => outbox.settle(id) };
  };
  return createForwarder({ name, outbox, deliver, clock, random: zeros, report: () => {} });
};

test('a second forwarder of a journal is refused, with the name of the first', async () => {
  const sent: string[] = [];
  const [first, second] = [openNamed('the first', sent), openNamed('the second', sent)];
  first.start();
  await expect(second.drain('all')).rejects.toMatchObject({
    code: 'queue.held',
    message: /^the first is already sending/,
  });
  expect(() => second.start()).toThrow(/^the first is already sending/);
  await clock.advance(10);
  expect(sent).toEqual(['the first m']);
  await first.stop();
  expect(await second.drain()).toEqual({ done: 0, later: 0, parked: 0 });
  await second.stop();
});

test('a crashed forwarder locks nobody out', async () => {
  const sent: string[] = [];
  openNamed('the dead one', sent).start();
  // Its process is gone, and with it the file's lock and its own entry.
  journal.close();
  open();
  const next = openNamed('the next one', sent);
  expect((await next.drain()).done).toBe(1);
  await next.stop();
  await clock.advance(60_000).catch(() => {});
});

test('an untried message can be withdrawn; one that may have been sent cannot', async () => {
  expect(outbox.untried('s')).toBe('m');
  outbox.markTrying('m');
  expect(outbox.untried('s')).toBeUndefined();
  expect(() => outbox.withdraw('m')).toThrow(/cannot be removed/);
  outbox.put({ id: 'n', kind: 'forward', sale: 't', key: 'n', body: '{}', secret: 'x' }, clock.now());
  outbox.withdraw('n');
  expect([outbox.holds('t'), outbox.open('n')]).toEqual([false, undefined]);
});

test.each([
  ['settled', (id: string) => outbox.settle(id)],
  ['withdrawn', (id: string) => outbox.withdraw(id)],
])('neither the sealed content nor the key of a message that is %s remains', (_, end) => {
  outbox.put({ id: 'n', kind: 'forward', sale: 't', key: 'n', body: '{}', secret: 'x' }, clock.now());
  const storedSecret = () => Object.values(journal.sql.get("SELECT sealed, wrapped FROM message WHERE id = 'n'") ?? {});
  expect(storedSecret().every((part) => part instanceof Uint8Array)).toBe(true);
  end('n');
  expect(storedSecret()).toEqual([null, null]);
});
