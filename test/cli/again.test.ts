/** `--again`: the till asks whether the customer was just charged, and the command answers. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { atOwnTill, type CommandSession } from '../../src/cli/front-door.ts';
import { begin, sellSplit } from '../../src/cli/selling/sell.ts';
import { faultJson, faultLines } from '../../src/cli/terms.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { eur } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const clock = virtualClock();
let shop: Shop;
let printed = '';
const { exitCode } = process;
beforeEach(() => {
  shop = openShop(clock);
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exitCode;
  shop.remove();
});

/** The gateway never answers, so each sale ends as unknown. */
const atTill = (work: (session: CommandSession) => Promise<void>): Promise<void> => {
  const options = shop.options({ host: () => ({ ...shop.host, pay: () => shop.host.find('') }) });
  return clock.until(atOwnTill(options, { flags: { data: '' }, work }));
};

/** In equal parts of 10.00. */
const split = (session: CommandSession, again?: string[]): Promise<void> =>
  sellSplit(session, {
    flags: { data: shop.folder, json: true, accept: '', again },
    ...{ accept: ['chip'], total: eur(2_000n), amounts: [eur(1_000n), eur(1_000n)] },
  });

test('the question names the earlier sale with its amount, time and result', async () => {
  await atTill((session) => split(session));
  await atTill(async (session) => {
    const amount = { amount: '10.00', currency: 'EUR' };
    const asked = (again: number[]) =>
      begin(session, { amount, again }, { headers: { 'idempotency-key': 'a-new-one' } });
    const fault = await asked([2]).catch((error: unknown) => error);
    if (!isFault(fault, 'sale.likely')) throw fault;
    expect(faultLines(fault)[1]).toMatch(/^000002 {2}\d{4}-\d\d-\d\dT?.*10\.00 EUR {2}.+\.$/);
    expect(faultJson(fault)).toMatchObject({
      code: 'sale.likely',
      money: 'The new sale was not started. The earlier one may have been charged.',
      sales: [{ receipt: 2 }, { receipt: 1, amount, ending: 'unknown' }],
    });
  });
});

test('equal parts of one bill raise no question; an older sale raises it before the first part', async () => {
  await atTill(async (session) => {
    await split(session);
    expect(JSON.parse(printed).legs.map(({ ending }: { ending: string }) => ending)).toEqual(['unknown', 'unknown']);
    await expect(split(session)).rejects.toMatchObject({ code: 'sale.likely' });
    printed = '';
    await split(session, ['1', '2']);
    expect(JSON.parse(printed).legs.map(({ receipt }: { receipt: number }) => receipt)).toEqual([3, 4]);
  });
});
