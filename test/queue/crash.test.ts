/** The till dies at each step of a drain: afterwards every message is settled once, and nobody is charged twice. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { createForwarder, type Delivery } from '../../src/queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const zeros = (length: number) => new Uint8Array(length);

const messages: Message[] = [
  { id: 'sale', kind: 'forward', sale: 's1', key: 'sale', body: '{}', secret: 'x' },
  { id: 'refund', kind: 'follow', sale: 's2', key: 'refund', body: '{}', after: 's1' },
  { id: 'other', kind: 'forward', sale: 's3', key: 'other', body: '{}', secret: 'y' },
  { id: 'reversal', kind: 'reversal', sale: 's4', key: 'reversal', body: '{}' },
];

/** Dies at the given write, before or just after it reaches the disk. Nothing is written after that. */
const createMortalOutbox = (
  outbox: Outbox,
  dieAt: number,
  when: 'before' | 'after',
): { outbox: Outbox; dead(): boolean } => {
  let writes = 0;
  const step = <T>(write: () => T): T => {
    writes += 1;
    if (writes > dieAt || (writes === dieAt && when === 'before')) throw new Error('dead');
    const result = write();
    if (writes === dieAt) throw new Error('dead');
    return result;
  };
  return {
    dead: () => writes >= dieAt,
    outbox: {
      ...outbox,
      markTrying: (...ids) => step(() => outbox.markTrying(...ids)),
      retryAt: (id, retry) => step(() => outbox.retryAt(id, retry)),
      park: (id, note) => step(() => outbox.park(id, note)),
      settle: (id) => step(() => outbox.settle(id)),
    },
  };
};

/** A gateway without idempotency keys, gone with the till: a till that does not inquire first charges twice. */
const forgetful = () => {
  const charged: string[] = [];
  return {
    charged,
    deliver:
      (outbox: Outbox, dead: () => boolean) =>
      async ({ id, tried }: Message): Promise<Delivery> => {
        if (dead()) throw new Error('dead');
        if (!(tried === true && charged.includes(id))) charged.push(id);
        return { means: 'approved', note: '', settle: () => outbox.settle(id) };
      },
  };
};

const days = (['before', 'after'] as const).flatMap((when) =>
  Array.from({ length: 12 }, (_, n) => ({ when, dieAt: n + 1 })),
);

test.each(days)('the till dies $when write $dieAt', async ({ when, dieAt }) => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  const clock = virtualClock();
  const gateway = forgetful();
  const runLife = async (mend: (outbox: Outbox) => { outbox: Outbox; dead(): boolean }) => {
    const journal = openJournal(join(folder, 'journal.db'), clock);
    const opened = openOutbox(journal.sql, sealer(zeros(32), zeros));
    if (opened.waiting().length === 0 && gateway.charged.length === 0)
      for (const message of messages) opened.put(message, clock.now());
    const { outbox, dead } = mend(opened);
    const deliver = gateway.deliver(outbox, dead);
    const sender = createForwarder({ outbox, deliver, clock, random: zeros, report: () => {} });
    await sender.drain('all').catch(() => {});
    const left = opened.waiting().length;
    journal.close();
    return left;
  };
  await runLife((outbox) => createMortalOutbox(outbox, dieAt, when));
  expect(await runLife((outbox) => ({ outbox, dead: () => false }))).toBe(0);
  expect(gateway.charged.toSorted()).toEqual(['other', 'refund', 'reversal', 'sale']);
  expect(gateway.charged.indexOf('sale')).toBeLessThan(gateway.charged.indexOf('refund'));
  rmSync(folder, { recursive: true, force: true });
});
