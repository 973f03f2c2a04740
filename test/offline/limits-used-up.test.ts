/** A used-up offline limit is shown as used up on the manager's limits page and in the cashier's status strip. */
import { afterEach, expect, test } from 'vitest';
import type { OfflineConfig } from '../../src/folder/offline-config.ts';
import { lineStates } from '../../src/selling/watch.ts';
import { booksRig, type Life, max, type Rig } from '../books/manager-rig.ts';
import { chipCard } from '../support/till/till-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const eur = (amount: string) => ({ amount, currency: 'EUR' });
const leftOf = (till: Life, key: string) => till.service.limits().settings.find((one) => one.key === key)?.left;
const stateLine = (till: Life) => lineStates(till.running, rig.clock)().offline;

/** A till without a line that has taken these amounts offline by chip. */
const taken = async (limits: OfflineConfig, amounts: readonly bigint[]): Promise<Life> => {
  rig = booksRig({ limits });
  const till = await rig.open();
  await till.sell(100n);
  rig.line.up = false;
  rig.card.data = chipCard;
  for (const minor of amounts) expect(await till.sell(minor)).toMatchObject({ offline: 'chip' });
  return till;
};

const offKind = { upTo: '0.00' };
const wideLimits = { chip: { upTo: '50.00' }, deferred: offKind, total: '500.00', count: 50 };

test('a limit lowered to the outstanding amount, or below it, has nothing left', async () => {
  const till = await taken(wideLimits, [4_000n, 1_000n]);
  const shownLimits = () =>
    ['total', 'count', 'chip.perHour.total', 'chip.perHour.count'].map((key) => leftOf(till, key));
  till.service.setLimits({ total: '50.00', count: '2', 'chip.perHour.total': '50.00', 'chip.perHour.count': '2' }, max);
  expect(shownLimits()).toEqual(['0.00', '0', '0.00', '0']);
  expect(stateLine(till)).toMatchObject({
    ready: false,
    left: eur('0.00'),
    count: 0,
    why: { code: 'offline.together' },
  });
  till.service.setLimits({ total: '49.99', count: '1', 'chip.perHour.total': '0.01', 'chip.perHour.count': '1' }, max);
  expect(shownLimits()).toEqual(['0.00', '0', '0.00', '0']);
  expect(stateLine(till)).toMatchObject({ ready: false, left: eur('0.00'), count: 0 });
  expect(till.service.limits()).toMatchObject({ ready: false, why: { code: 'offline.together' } });
  await till.close();
});

test('one used-up limit shows nothing left, however much is left of the others', async () => {
  const till = await taken({ ...wideLimits, chip: { upTo: '50.00', perHour: { total: '40.00', count: 1 } } }, [4_000n]);
  expect(stateLine(till)).toMatchObject({ ready: false, most: eur('500.00'), left: eur('0.00'), count: 0 });
  expect([leftOf(till, 'total'), leftOf(till, 'chip.perHour.total')]).toEqual(['460.00', '0.00']);
  await till.close();
});

test('when the chip limit is used up and the store takes the risk, the rest of that limit is shown', async () => {
  const deferred = { upTo: '30.00', total: '100.00' };
  const till = await taken({ chip: { upTo: '50.00', total: '40.00' }, deferred, total: '500.00' }, [4_000n]);
  expect(stateLine(till)).toMatchObject({ ready: true, left: eur('100.00') });
  expect([leftOf(till, 'chip.total'), leftOf(till, 'deferred.total')]).toEqual(['0.00', '100.00']);
  await till.close();
});
