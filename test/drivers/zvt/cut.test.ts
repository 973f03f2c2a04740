/** Whole payments over ZVT, in both forms, with one thing wrong on the wire at every byte of both directions. */
import { describe, expect, test } from 'vitest';
import { zvtDriver } from '../../../drivers/zvt/driver.ts';
import { memoryOf } from '../../../drivers/zvt/simulator-memory.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { type PayScene, payEverywhere, runPayment, unsafePayment } from '../../support/cut-payment.ts';
import { damages } from '../../support/damaged-wire.ts';

const booked: PayScene['booked'] = (cards) =>
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
      booked,
    },
  ]),
);

describe.each(scenes)('%s', (_, scene) => {
  test('goes well on a good wire', async () => {
    const { ended, last, booked, timers, bytes } = await runPayment(scene);
    console.log(_, bytes);
    expect(ended).toMatchObject({ kind: 'approved', payment: { amount: { minor: 1_000n, currency: 'EUR' } } });
    expect(last).toMatchObject({ kind: 'approved' });
    expect(booked).toEqual([{ minor: 1_000n, receiptNumber: '0001' }]);
    expect(timers).toBe(0);
  });

  test.each(damages)('%s', async (kind) => {
    const t = Date.now();
    const { problems, runs, endings } = await payEverywhere(scene, kind, 1);
    console.log(_, kind, runs, Date.now() - t, JSON.stringify(endings));
    expect(problems).toEqual([]);
    expect(runs).toBeGreaterThan(100);
  });
});
