/**
 * "Not found" proves that a request never arrived only once none can be in transit: after the request's life by the
 * machine's own time, whatever its uptime was when the request was sent, and even if it was restarted since.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { askLate } from '../../src/recovery/resolver.ts';
import type { Host } from '../../src/till/ports.ts';
import { createReply, LIFE_MS, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const DAY_MS = 86_400_000;
const LATE_MS = 600_001;
const MINUTE_MS = 60_000;

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** A machine that is started now: its own time begins at zero. */
const startedNow = (): Clock => {
  const before = rig.clock.monotonic();
  return { ...rig.clock, monotonic: () => rig.clock.monotonic() - before };
};

/** The request of this sale never arrives; the till gives up and requests a reversal. */
const sellUnarrived = async (run: TillRun): Promise<string> => {
  rig.fates.push('requestLost', 'answered', 'requestLost');
  const sale = run.sell(700n);
  expect((await rig.clock.until(sale.done)).ending).toBe('unknown');
  return sale.sale;
};

/** The request of this sale is still in transit when the till gives up, and arrives within its life. */
const sellLate = async (run: TillRun): Promise<string> => {
  rig.fates.push('requestLost', 'answered', 'takenLate');
  const sale = run.sell(700n);
  expect((await rig.clock.until(sale.done)).ending).toBe('unknown');
  return sale.sale;
};

/** The queue inquires once, in almost no time. */
const askNow = async (run: TillRun, sale: string): Promise<string> => {
  await run.drain();
  return run.says(sale).ending;
};

/** The time of the test's own clock, which never restarts. */
const waitUntil = (at: number): Promise<void> => rig.clock.advance(at - rig.clock.monotonic());

const open = 'unknown unanswered';
const never = 'notSent neverArrived';

describe.each([
  ['just started', 0],
  ['up for less than a request’s life', LIFE_MS / 2],
  ['up for a minute', MINUTE_MS],
  ['up for a hundred days', 100 * DAY_MS],
])('on a machine that is %s', (_, upMs) => {
  test('"not found" counts when the request’s life is over, and not a moment before', async () => {
    await rig.clock.advance(upMs);
    let gaveUpAt = 0;
    const pay: Host['pay'] = async (parameters, key) => {
      const reply = await rig.host.pay(parameters, key);
      gaveUpAt = rig.clock.monotonic();
      return reply;
    };
    const run = rig.open({ host: { ...rig.host, pay } });
    const sale = await sellUnarrived(run);
    expect(await askNow(run, sale)).toBe(open);
    await waitUntil(gaveUpAt + LIFE_MS - 1);
    expect(await askNow(run, sale)).toBe(open);
    expect(await askNow(run, sale)).toBe(never);
    run.close();
  });

  test('a request that arrives after the first "not found" is given back, whole', async () => {
    await rig.clock.advance(upMs);
    const run = rig.open();
    const sale = await sellLate(run);
    expect([await askNow(run, sale), rig.booked(sale)]).toEqual([open, 0n]);
    await run.passTime(3);
    expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
    expect(rig.ofSale(sale).map(({ paymentType }) => paymentType)).toEqual(['DB', 'RV']);
    run.close();
  });

  test('after a restart while the request is in transit, its "not found" proves nothing', async () => {
    await rig.clock.advance(upMs);
    const before = rig.open();
    const sale = await sellLate(before);
    before.close();
    const run = rig.open({ parts: { clock: startedNow() } });
    expect([await askNow(run, sale), rig.booked(sale)]).toEqual([open, 0n]);
    await run.passTime(4);
    expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
    expect(rig.booked(sale)).toBe(0n);
    run.close();
  });

  test.each([
    ['and only the till', () => rig.clock],
    ['and the whole machine', startedNow],
  ])('an interrupted sale, %s restarted, is inquired about for as long', async (_, clockOf) => {
    await rig.clock.advance(upMs);
    const before = rig.open();
    rig.fates.push('takenLate');
    const cut = before.sell(700n);
    // The till is gone: what it would still do is lost with it.
    const closed = cut.done.catch(() => {});
    await rig.clock.advance(1_000);
    const { sale } = cut;
    expect(before.till.findSale(sale).at).not.toBe('ended');
    before.close();
    const run = rig.open({ parts: { clock: clockOf() } });
    run.till.recover();
    expect([await askNow(run, sale), rig.booked(sale)]).toEqual([open, 0n]);
    await run.passTime(4);
    expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
    expect(rig.booked(sale)).toBe(0n);
    await closed;
    run.close();
  });
});

test.each([
  ['short', 0, 2 * LIFE_MS],
  ['long', 100 * DAY_MS, LIFE_MS],
])('on a machine with a %s uptime that is restarted, "not found" counts in the end', async (_, upMs, afterMs) => {
  await rig.clock.advance(upMs);
  const before = rig.open();
  const sale = await sellUnarrived(before);
  before.close();
  const startedAt = rig.clock.monotonic();
  const run = rig.open({ parts: { clock: startedNow() } });
  expect(await askNow(run, sale)).toBe(open);
  await waitUntil(startedAt + LIFE_MS - 1);
  expect(await askNow(run, sale)).toBe(open);
  await waitUntil(startedAt + afterMs);
  expect(await askNow(run, sale)).toBe(never);
  run.close();
});

test('a late approval that is no longer in the list does not count as reversed too soon', async () => {
  await rig.clock.advance(DAY_MS);
  let isListed = true;
  const host: Host = {
    ...rig.host,
    async find(reference) {
      if (!isListed) return createReply('700.400.580', 'refused');
      const result = { code: '000.100.110', description: 'yes' };
      const payment = { paymentType: 'DB', merchantTransactionId: reference, amount: '70.00', currency: 'EUR', result };
      return createReply('000.000.100', 'approved', { payments: [payment] });
    },
  };
  const run = rig.open({ host });
  rig.fates.push('notReached');
  const sale = run.sell(7_000n);
  expect((await rig.clock.until(sale.done)).ending).toBe('notSent');
  await rig.clock.advance(LATE_MS);
  const found = await rig.clock.until(askLate(run.parts, sale.sale));
  expect(found.found).toBe('approved');
  isListed = false;
  const reversal = () => {
    const now = run.till.findSale(sale.sale);
    return now.at === 'ended' ? now.reversal : undefined;
  };
  await run.drain();
  expect(reversal()).toBe('due');
  await rig.clock.advance(LIFE_MS);
  await run.drain();
  expect(reversal()).toBe('done');
  run.close();
});
