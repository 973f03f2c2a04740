/** Whole ZVT payments in both forms, with one error on the wire at bytes of both directions. */
import { describe, expect, test } from 'vitest';
import { zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import { memoryOf } from '../../../drivers/zvt/simulator/memory.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import {
  type PayRun,
  type PayScene,
  payEverywhere,
  runPayment,
  unsafePayment,
} from '../../support/devices/cut-payment.ts';
import { minDamageCount, strideOf } from '../../support/devices/cut-strides.ts';
import { damages } from '../../support/devices/damaged-wire.ts';

/**
 * On TCP its APDUs have no checksum except TCP's own. A flipped bit that slips through can change a number on the
 * receipt or a refusal code; never the amount of an approval, and never what the terminal reports on a good line when
 * it is asked for its last payment.
 */
const bookedPayments: PayScene['booked'] = (cards) =>
  memoryOf(cards).day.flatMap(({ kind, code, reversed, amountMinor, receipt }) =>
    kind === 'payment' && code === '00' && !reversed ? [{ minor: amountMinor, receiptNumber: receipt }] : [],
  );

const presentations = {
  'chip with PIN': { card: testCard('visa-credit'), by: 'chip' },
  tap: { card: testCard('mastercard-tap'), by: 'tap' },
  swipe: { card: testCard('visa-stripe'), by: 'swipe' },
} as const;

const scenes = (['serial', 'apdu'] as const).flatMap((form) =>
  Object.entries(presentations).map(([name, presentation]): [string, PayScene] => [
    `${name}, ${form}`,
    {
      driver: zvtDriver({ form }),
      model: zvtSimulatorOf({ form }),
      checksum: form === 'serial' ? 'own' : 'none',
      presentation,
      minor: 1_000n,
      booked: bookedPayments,
    },
  ]),
);

const titles = scenes.map(([title]) => title);

describe.each(scenes)('%s', (title, scene) => {
  test('succeeds on a good wire', async () => {
    const { ended, last, booked: bookedPayments, timers } = await runPayment(scene);
    expect(ended).toMatchObject({ kind: 'approved', payment: { amount: { minor: 1_000n, currency: 'EUR' } } });
    expect(last).toMatchObject({ kind: 'approved' });
    expect(bookedPayments).toEqual([{ minor: 1_000n, receiptNumber: '0001' }]);
    expect(timers).toBe(0);
  });

  test.each(damages)('%s', async (kind) => {
    const dense = title.startsWith('chip');
    const stride = strideOf({ kind, carries: 'stream', dense, sceneAt: titles.indexOf(title) });
    const { problems, runs, bytes } = await payEverywhere(scene, kind, stride);
    expect(problems).toEqual([]);
    expect(bytes).toBeGreaterThan(30 * 17);
    expect(runs).toBeGreaterThanOrEqual(minDamageCount(bytes, stride));
  });
});

test('finds a till that believes too much', async () => {
  const [, scene] = scenes[0] ?? [];
  if (scene === undefined) throw new Error('the scene is missing');
  const whole = await runPayment(scene);
  const judge = (run: Partial<PayRun>) => unsafePayment({ ...whole, ...run }, { kind: 'cut', scene });
  const none = { kind: 'none' } as const;
  const declined = { kind: 'declined', code: '05', why: 'no', customerLines: [], merchantLines: [] } as const;
  expect(judge({})).toBeUndefined();
  expect(judge({ booked: [] })).toMatch(/no such payment/);
  expect(judge({ booked: [{ minor: 999n, receiptNumber: '0001' }] })).toMatch(/no such payment/);
  expect(judge({ booked: [...whole.booked, ...whole.booked] })).toBe('charged 2 times');
  expect(judge({ ended: declined })).toBe('declined, but charged');
  expect(judge({ ended: { fault: 'link.lost' }, last: none })).toMatch(/told as none/);
  expect(judge({ ended: { broken: 'hangs' } })).toBe('hangs');
  expect(judge({ timers: 1 })).toMatch(/timers/);
});
