/** Whole NEO 2 sales in both forms, with one error on the wire at bytes of both directions. */
import { describe, expect, test } from 'vitest';
import { reportBytes } from '../../../drivers/links/link.ts';
import { neo2 } from '../../../drivers/neo2/driver/driver.ts';
import { neo2Simulator } from '../../../drivers/neo2/simulator/simulator.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { type CutScene, cutEverywhere, runCut } from '../../support/devices/cut-conversation.ts';
import { minDamageCount, strideOf } from '../../support/devices/cut-strides.ts';
import { damages } from '../../support/devices/damaged-wire.ts';

const common = {
  driver: neo2,
  model: neo2Simulator,
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
