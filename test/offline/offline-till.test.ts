/** A running till whose line is cut: what goes offline, what does not, and what the cashier is told. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import type { OfflineConfig } from '../../src/folder/offline-config.ts';
import { outcomeJson, outcomeTexts } from '../../src/ledger/outcome.ts';
import { receiptLines } from '../../src/printing/receipts.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { setStoreLimits, storeLimits } from '../support/till/store-limits.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const HOUR = 3_600_000;

let clock: VirtualClock;
let shop: Shop;
/** The machine that the till runs on, controlled by the test. */
let machine: { boot: string; upMs(): number; freeBytes(): number };
let offMs = 0;

beforeEach(() => {
  clock = virtualClock();
  shop = openShop(clock);
  offMs = 0;
  machine = { boot: 'first', upMs: () => clock.monotonic() - offMs, freeBytes: () => 2 ** 40 };
});
afterEach(() => shop.remove());

/** One run of the till with these limits, with the line up or down as it is. */
const withTill = async <T>(limits: OfflineConfig, work: (till: RunningTill) => Promise<T>): Promise<T> => {
  setStoreLimits(shop.folder, limits);
  const running = await shop.start({}, machine);
  try {
    return await work(running);
  } finally {
    await clock.until(running.close());
  }
};
const sell = (running: RunningTill, minor?: bigint) => clock.until(shop.sell(running, minor));
const endings = async (running: RunningTill, times: number) => {
  const ended: string[] = [];
  for (let n = 0; n < times; n++) {
    const { ending, reason, why = '' } = await sell(running);
    ended.push([ending, reason, why].filter((each) => each !== '').join(' '));
  }
  return ended;
};

const takenOffline = 'approved approvedOffline';
const refuse = (reason: string) => `notSent offlineRefused ${reason}`;

test('a till without limits takes nothing offline', async () => {
  shop.line.up = false;
  const offLimits = { chip: { upTo: '0.00' }, deferred: { upTo: '0.00' } };
  const [ended] = await withTill(offLimits, (till) => endings(till, 1));
  expect(ended).toBe(refuse('offline sales are switched off in this shop'));
});

test('the cashier is told the reason, and scripts find its code in the journal', async () => {
  shop.line.up = false;
  await withTill({ ...storeLimits, chip: { upTo: '5.00' } }, async (running) => {
    const sale = await sell(running);
    const words = 'cannot be taken offline: the store’s limit for one offline sale is 5.00 EUR';
    expect(outcomeTexts(sale, 'test').says).toContain(words);
    expect(outcomeJson(sale, 'test')).toMatchObject({ ending: 'notSent', reason: 'offlineRefused' });
    expect(receiptLines(sale, running.config, { mode: 'test', copy: 'customer', width: 42 }).join('\n')).not.toMatch(
      /APPROVED/,
    );
    const verdicts = running.ledger
      .events(sale.intent.sale)
      .flatMap((event) => ('offline' in event ? [event.offline] : []));
    expect(verdicts.at(-1)).toMatchObject({ kind: 'refused', code: 'perSale' });
    expect(verdicts.at(-1)).not.toHaveProperty('left');
  });
});

describe('limits over several sales', () => {
  test.each([
    ['number', { count: 2 }, refuse('2 offline sales already wait to be sent')],
    ['sum', { total: '25.00' }, refuse('20.00 EUR of offline sales already wait to be sent')],
    [
      'of one card',
      { chip: { upTo: '50.00', perCard: { count: 2 } } },
      refuse('2 offline sales of this card already wait to be sent'),
    ],
    [
      'of the brand',
      { chip: { upTo: '50.00', brands: { VISA: { total: '20.00' } } } },
      refuse('20.00 EUR of offline sales with VISA cards already wait to be sent'),
    ],
  ] as const)('%s', async (_, more, third) => {
    shop.line.up = false;
    const ended = await withTill({ ...storeLimits, ...more }, (till) => endings(till, 3));
    expect(ended).toEqual([takenOffline, takenOffline, third]);
  });

  test('a sale that was sent frees its limit, but not the limit of the hour', async () => {
    const limits = { ...storeLimits, count: 1, chip: { upTo: '50.00', perHour: { count: 2 } } };
    await withTill(limits, async (running) => {
      expect(await endings(running, 1)).toEqual(['approved approved']);
      for (let n = 0; n < 2; n++) {
        shop.line.up = false;
        expect(await endings(running, 1)).toEqual([takenOffline]);
        shop.line.up = true;
        await clock.until(running.forwarder.drain('all'));
      }
      shop.line.up = false;
      expect(await endings(running, 1)).toEqual([refuse('2 offline sales were already taken in the last hour')]);
      await clock.advance(HOUR);
      expect(await endings(running, 1)).toEqual([takenOffline]);
    });
  });
});

describe('the window', () => {
  const limits = { ...storeLimits, hours: 2 };
  const answered = (till: RunningTill) => endings(till, 1);

  test('a till that never heard from its gateway takes nothing offline', async () => {
    shop.line.up = false;
    expect(await withTill(limits, answered)).toEqual([refuse('this till has not heard its gateway yet')]);
  });

  test('offline sales end two hours after the last answer, and are possible again after the next', async () => {
    await withTill(limits, async (running) => {
      expect(await endings(running, 1)).toEqual(['approved approved']);
      shop.line.up = false;
      await clock.advance(2 * HOUR - 60_000);
      expect(await endings(running, 1)).toEqual([takenOffline]);
      await clock.advance(HOUR);
      const closed = 'the gateway has not been heard for 2 h 59 min; the store allows 2 h 0 min';
      expect(await endings(running, 1)).toEqual([refuse(closed)]);
      shop.line.up = true;
      expect(await endings(running, 1)).toEqual(['approved approved']);
      shop.line.up = false;
      expect(await endings(running, 1)).toEqual([takenOffline]);
    });
  });

  test('a restart of the till changes nothing; after a restart of the machine the time it was off counts', async () => {
    await withTill(limits, answered);
    shop.line.up = false;
    await clock.advance(HOUR);
    expect(await withTill(limits, answered)).toEqual([takenOffline]);
    offMs = clock.monotonic();
    machine = { ...machine, boot: 'second' };
    await clock.advance(1_800_000);
    offMs = clock.monotonic();
    expect(await withTill(limits, answered)).toEqual([takenOffline]);
    await clock.advance(HOUR);
    expect((await withTill(limits, answered))[0]).toMatch(/notSent offlineRefused by the till’s clock.* 2 h 30 min/);
  });
});

test('with a disk below its reserve the till takes nothing offline, but sells while the line is up', async () => {
  machine = { ...machine, freeBytes: () => 10 * 1024 * 1024 };
  await withTill({ ...storeLimits, keepFreeMegabytes: 11 }, async (running) => {
    expect(await endings(running, 1)).toEqual(['approved approved']);
    shop.line.up = false;
    expect((await endings(running, 1))[0]).toContain('the till’s disk is nearly full');
    expect(running.offline.readiness().objection?.code).toBe('disk');
  });
});

test('with a disk that cannot tell its free space the till takes nothing offline', async () => {
  machine = {
    ...machine,
    freeBytes: () => {
      throw new Error('no statfs here');
    },
  };
  shop.line.up = false;
  expect(await withTill(storeLimits, (till) => endings(till, 1))).toEqual([
    refuse('the stored sales cannot be counted'),
  ]);
});
