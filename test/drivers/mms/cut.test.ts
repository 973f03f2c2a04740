/** Whole MMS sales in both forms, with one error on the wire at bytes of both directions. */
import { describe, expect, test } from 'vitest';
import { reportBytes } from '../../../drivers/links/link.ts';
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { mmsSimulator } from '../../../drivers/mms/simulator/simulator.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { type CutScene, cutEverywhere, runCut } from '../../support/devices/cut-conversation.ts';
import { minDamageCount, strideOf } from '../../support/devices/cut-strides.ts';
import { damages } from '../../support/devices/damaged-wire.ts';

/**
 * Neither form has a checksum: only the bus can notice a flipped bit, and card data can come out wrong, which the host
 * will notice. What holds in any case: the sale ends in time, there is no approval without the card's TC, and none for
 * a different amount if the device reports it (see amount.test.ts).
 */
const common = {
  driver: mms,
  model: mmsSimulator,
  checksum: 'none' as const,
  saidYes: (lines: readonly string[]) => lines.some((line) => /\bTC\b/.test(line)),
};

const sales: Readonly<Record<string, Omit<CutScene, 'carries'>>> = {
  'chip with PIN': {
    ...common,
    presentation: { card: testCard('visa-credit'), by: 'chip' },
    request: { accept: ['chip'], amount: { minor: 9_900n, currency: 'EUR' } },
  },
  'chip that approves by itself': {
    ...common,
    presentation: { card: testCard('visa-no-cvm'), by: 'chip' },
    request: { amount: { minor: 2_500n, currency: 'EUR' } },
  },
  tap: { ...common, presentation: { card: testCard('mastercard-tap'), by: 'tap' } },
  swipe: { ...common, presentation: { card: testCard('visa-stripe'), by: 'swipe' } },
};

const scenes = (['stream', 'reports'] as const).flatMap((carries) =>
  Object.entries(sales).map(([name, sale]): [string, CutScene] => [`${name}, ${carries}`, { ...sale, carries }]),
);

const titles = scenes.map(([title]) => title);

describe.each(scenes)('%s', (title, scene) => {
  test('succeeds on a good wire', async () => {
    const { ended, timers } = await runCut(scene);
    expect(ended).toMatchObject({ read: { kind: expect.stringMatching(/goOnline|approvedOffline/) } });
    expect(timers).toBe(0);
  });

  test.each(damages)('%s', async (kind) => {
    const { carries } = scene;
    const stride = strideOf({
      kind,
      carries,
      dense: title === 'chip with PIN, stream',
      sceneAt: titles.indexOf(title),
    });
    const { problems, runs, bytes } = await cutEverywhere(scene, kind, stride);
    expect(problems).toEqual([]);
    expect(bytes).toBeGreaterThan(20 * (carries === 'reports' ? reportBytes : 17));
    expect(runs).toBeGreaterThanOrEqual(minDamageCount(bytes, stride));
  });
});
