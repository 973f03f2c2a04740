/** A started forwarder keeps running by itself: it slows down when things fail, and it stops cleanly. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pause } from '../../src/base/clock.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { createForwarder, type Delivery, type Forwarder } from '../../src/queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { diskFull, tillRig, unsolicitedOf } from '../support/till/till-rig.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const zeros = (length: number) => new Uint8Array(length);

let folder = '';
let clock: VirtualClock;
let journal: Journal;
let outbox: Outbox;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'started-'));
  clock = virtualClock();
  journal = openJournal(join(folder, 'journal.db'), clock);
  outbox = openOutbox(journal.sql, sealer(zeros(32), zeros));
  outbox.put({ id: 'm', kind: 'reversal', sale: 's', key: 'k', body: '{}' }, clock.now());
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Stops itself when it loops too often, so that a failing test ends. */
const startForwarder = (deliver: (message: Message) => Promise<Delivery>, over: Outbox = outbox) => {
  const counts = { requestCount: 0, reported: [] as unknown[] };
  const sender: Forwarder = createForwarder({
    outbox: over,
    clock,
    random: zeros,
    report: (error) => void counts.reported.push(error),
    deliver(message) {
      counts.requestCount += 1;
      if (counts.requestCount > 500) void sender.stop();
      return deliver(message);
    },
  });
  sender.start();
  return { seen: counts, sender };
};

test.each(['silent', 'notSent', 'later', 'unknown'] as const)(
  'after an answer that settles nothing (%s) comes a pause, longer each time',
  async (means) => {
    const { seen: counts, sender } = startForwarder(async () => ({ means, note: '', settle: () => {} }));
    await clock.advance(1_000);
    expect(counts.requestCount).toBe(2);
    await clock.advance(7_000);
    expect(counts.requestCount).toBe(5);
    await sender.stop();
  },
);

/** More stored sales than tries: only the line's pause prevents one inquiry after another. */
const putMany = (): void => {
  for (let n = 0; n < 40; n += 1)
    outbox.put({ id: `f${n}`, kind: 'forward', sale: `f${n}`, key: `f${n}`, body: '{}' }, clock.now());
};

test.each(['silent', 'notSent'] as const)(
  'a dead line (%s) is tried with another sale after a doubling pause, short again once it was up',
  async (means) => {
    outbox.settle('m');
    putMany();
    let isDead = true;
    const triedAt: number[] = [];
    const { sender } = startForwarder(async ({ id }) => {
      triedAt.push(clock.monotonic());
      return { means: isDead ? means : 'approved', note: '', settle: () => outbox.settle(id) };
    });
    await clock.advance(600_000);
    // This test has no jitter, so each pause is its shorter half; the pauses grow up to five minutes.
    const pauses = triedAt.slice(1).map((at, n) => at - (triedAt[n] ?? 0));
    expect(pauses.slice(0, 9)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000]);
    expect(triedAt.length).toBeLessThan(13);

    isDead = false;
    await clock.advance(300_000);
    expect(outbox.waiting()).toEqual([]);
    isDead = true;
    outbox.put({ id: 'late', kind: 'forward', sale: 'late', key: 'late', body: '{}' }, clock.now());
    outbox.put({ id: 'later', kind: 'forward', sale: 'later', key: 'later', body: '{}' }, clock.now());
    const before = triedAt.length;
    sender.look();
    await clock.advance(1_000);
    expect(triedAt.length - before).toBeGreaterThan(1);
    await sender.stop();
  },
);

test('an answer that does not fit on a full disk causes no flood of requests', async () => {
  const settle = () => {
    throw diskFull();
  };
  const { seen: counts, sender } = startForwarder(async () => ({ means: 'approved', note: '', settle }));
  await clock.advance(1_000);
  await sender.stop();
  expect(counts.requestCount).toBeLessThan(5);
  expect(counts.reported).toHaveLength(counts.requestCount);
});

test.each(['silent', 'refused'] as const)(
  'after a disk that is too full to note the try (%s) comes a pause and a retry',
  async (means) => {
    const failFull = () => {
      throw diskFull();
    };
    const { seen: counts, sender } = startForwarder(async () => ({ means, note: '', settle: () => {} }), {
      ...outbox,
      retryAt: failFull,
      park: failFull,
    });
    await clock.advance(1_000);
    expect(counts.requestCount).toBe(1);
    await clock.advance(59_000);
    expect(counts.requestCount).toBeGreaterThan(1);
    expect(counts.requestCount).toBeLessThan(20);
    expect(counts.reported).toHaveLength(counts.requestCount);
    await sender.stop();
    expect(clock.waiting()).toBe(0);
  },
);

const deliverSlowly = async (): Promise<Delivery> => {
  await pause(clock, 100);
  return { means: 'silent', note: '', settle: () => {} };
};

test('stop waits for a forced pass that was requested during another one', async () => {
  let underWay = 0;
  const sender = createForwarder({
    outbox,
    clock,
    random: zeros,
    report: () => {},
    async deliver() {
      underWay += 1;
      const delivery = await deliverSlowly();
      underWay -= 1;
      return delivery;
    },
  });
  const passes = [sender.drain(), sender.drain('all')];
  await clock.until(sender.stop());
  expect(underWay).toBe(0);
  expect(await Promise.all(passes)).toEqual([
    { done: 0, later: 1, parked: 0 },
    { done: 0, later: 1, parked: 0 },
  ]);
  expect(clock.waiting()).toBe(0);
});

test('stopping during a try and closing the journal causes no unhandled rejection', async () => {
  const unsolicited = await unsolicitedOf(async () => {
    const { seen: counts, sender } = startForwarder(deliverSlowly);
    await clock.advance(50);
    expect(counts.requestCount).toBe(1);
    await clock.until(sender.stop().then(() => journal.close()));
    await clock.advance(600_000);
    expect([counts.requestCount, clock.waiting()]).toEqual([1, 0]);
  });
  expect(unsolicited).toEqual([]);
});

test('stopped during a pass that then fails at the disk, it leaves no timer', async () => {
  const rig = tillRig();
  const run = rig.open();
  run.outbox.put({ id: 'm', kind: 'reversal', sale: 's', key: 'k', body: '{}' }, rig.clock.now());
  const failFull = () => {
    throw diskFull();
  };
  const sender = createForwarder({
    outbox: { ...run.outbox, retryAt: failFull },
    clock: rig.clock,
    random: (length) => new Uint8Array(length),
    report: () => {},
    async deliver() {
      await pause(rig.clock, 100);
      return { means: 'silent', note: '', settle: () => {} };
    },
  });
  sender.start();
  await rig.clock.advance(50);
  await rig.clock.until(sender.stop().then(() => run.close()));
  await rig.clock.settle();
  // The timer would query the outbox of a closed journal outside any promise, which ends the process.
  expect(rig.clock.waiting()).toBe(0);
  await rig.clock.advance(60_000);
  rig.remove();
});

test('a temporarily unreadable disk does not end the process', async () => {
  const rig = tillRig();
  const run = rig.open();
  run.outbox.put({ id: 'm', kind: 'reversal', sale: 's', key: 'k', body: '{}' }, rig.clock.now());
  let broken = true;
  const reported: unknown[] = [];
  const nextAt = () => {
    if (broken) throw diskFull();
    return run.outbox.nextAt();
  };
  const sender = createForwarder({
    outbox: { ...run.outbox, nextAt },
    clock: rig.clock,
    random: (length) => new Uint8Array(length),
    report: (error) => reported.push(error),
    deliver: async () => ({ means: 'approved', note: '', settle: () => run.outbox.settle('m') }),
  });
  sender.start();
  await rig.clock.advance(25_000);
  expect(reported).toHaveLength(3);
  broken = false;
  await rig.clock.advance(10_000);
  expect(run.outbox.waiting()).toEqual([]);
  await sender.stop();
  run.close();
  rig.remove();
});

test('while another pass has the only message, a started forwarder pauses between its checks', async () => {
  let passes = 0;
  const sender = createForwarder({
    outbox,
    clock,
    random: zeros,
    report: () => {},
    async deliver() {
      await pause(clock, 5_000);
      return { means: 'silent', note: '', settle: () => {} };
    },
  });
  sender.onPass(() => {
    passes += 1;
    if (passes > 50) void sender.stop();
  });
  const request = sender.drain('unknown');
  await clock.advance(1);
  sender.start();
  await clock.advance(4_000);
  expect(passes).toBeLessThan(10);
  await clock.until(request);
  await clock.until(sender.stop());
});

test('a message that comes after an empty check is sent at the next check', async () => {
  const { seen: counts, sender } = startForwarder(async (message) => ({
    means: 'approved',
    note: '',
    settle: () => outbox.settle(message.id),
  }));
  await clock.advance(1_000);
  expect(counts.requestCount).toBe(1);
  outbox.put({ id: 'later', kind: 'reversal', sale: 's', key: 'later', body: '{}' }, clock.now());
  await clock.advance(120_000);
  expect(counts.requestCount).toBe(1);
  sender.look();
  await clock.advance(1_000);
  expect(counts.requestCount).toBe(2);
  await sender.stop();
});

test('frequent checks do not shorten the pause after a disk failure', async () => {
  const fails = (): never => {
    throw diskFull();
  };
  const { seen: counts, sender } = startForwarder(async () => ({ means: 'later', note: '', settle: () => {} }), {
    ...outbox,
    page: fails,
    due: fails,
  });
  for (let second = 0; second < 8; second += 1) {
    sender.look();
    await clock.advance(1_000);
  }
  expect(counts.reported).toHaveLength(1);
  await sender.stop();
});
