/** `--again`: a command meets the till's question whether the customer was just charged, and answers it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { isFault } from '../../src/base/fault.ts';
import { notChargedYet } from '../../src/cli/selling/run-sale.ts';
import { sellSplit } from '../../src/cli/selling/sell.ts';
import { faultJson, faultLines } from '../../src/cli/terms.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { eur } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const clock = virtualClock();
let shop: Shop;
let running: RunningTill;
let printed = '';
const { exitCode } = process;
beforeEach(async () => {
  shop = openShop(clock);
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  // The gateway answers nobody: each sale ends as unknown.
  running = await shop.start({ host: () => ({ ...shop.host, pay: () => shop.host.find('') }) });
});
afterEach(async () => {
  await clock.until(running.close());
  vi.restoreAllMocks();
  process.exitCode = exitCode;
  shop.remove();
});

const opened = () => ({ ...running, folder: shop.folder, shown: 'test' as const });
const wanted = { operation: 'sale', amount: eur(1_000n) } as const;

const refusal = (again: number[]) => {
  try {
    notChargedYet(opened(), wanted, again);
  } catch (error) {
    if (isFault(error, 'sale.likely')) return error;
    throw error;
  }
  return undefined;
};

test('it names the sale, its amount, when, and what is known; a yes names each of them', async () => {
  const sale = await clock.until(shop.sell(running));
  expect(sale.ending).toBe('unknown');
  const fault = refusal([]);
  const lines = fault === undefined ? [] : faultLines(fault);
  expect(lines[1]).toMatch(/^000001 {2}\d{4}-\d\d-\d\dT?.*10\.00 EUR {2}.+\.$/);
  expect(fault && faultJson(fault)).toMatchObject({
    code: 'sale.likely',
    money: 'The new sale was not begun. What went before may have been charged.',
    sales: [{ receipt: 1, amount: { amount: '10.00', currency: 'EUR' }, ending: 'unknown' }],
  });
  expect(refusal([2])).toBeDefined();
  expect(refusal([1, 7])).toBeUndefined();
  // What was asked is written down, and nothing else.
  expect(notChargedYet(opened(), wanted, [1, 7])).toEqual({ again: [1] });
  expect(notChargedYet(opened(), { ...wanted, amount: eur(1_001n) }, [1])).toEqual({ again: [] });
});

test('equal parts of one bill ask nothing of each other; an older sale stops them before the first', async () => {
  const split = { flags: { data: shop.folder, json: true, accept: '' }, accept: ['chip'], total: eur(2_000n) } as const;
  const amounts = [eur(1_000n), eur(1_000n)];
  await clock.until(sellSplit(opened(), { ...split, amounts }));
  expect(JSON.parse(printed).legs.map(({ ending }: { ending: string }) => ending)).toEqual(['unknown', 'unknown']);
  await expect(clock.until(sellSplit(opened(), { ...split, amounts }))).rejects.toMatchObject({ code: 'sale.likely' });
  expect(running.ledger.sales(10)).toHaveLength(2);
  await clock.until(sellSplit(opened(), { ...split, flags: { ...split.flags, again: ['1', '2'] }, amounts }));
  expect(running.ledger.sales(10)).toHaveLength(4);
});
