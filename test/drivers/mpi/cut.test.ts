/** Whole MPI sales with one error on the wire at bytes of both directions. */
import { describe, expect, test } from 'vitest';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { mpiSimulator } from '../../../drivers/mpi/simulator/simulator.ts';
import type { CardInterface } from '../../../drivers/terminal.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { type CutScene, cutEverywhere, runCut, unsafeEnding } from '../../support/devices/cut-conversation.ts';
import { minDamageCount, type Stride, strideOf } from '../../support/devices/cut-strides.ts';
import { type DamageKind, damages } from '../../support/devices/damaged-wire.ts';
import { byNight } from '../../support/night/night.ts';

const chipOnly: readonly CardInterface[] = ['chip'];
const common = {
  driver: mpi,
  model: mpiSimulator,
  carries: 'stream' as const,
  saidYes: (lines: readonly string[]) => lines.includes('the chip gives TC'),
};

const scenes: Readonly<Record<string, CutScene>> = {
  'chip with PIN': {
    ...common,
    presentation: { card: testCard('visa-credit'), by: 'chip' },
    request: { accept: chipOnly, amount: { minor: 9_900n, currency: 'EUR' } },
  },
  'chip that approves by itself': {
    ...common,
    presentation: { card: testCard('visa-no-cvm'), by: 'chip' },
    request: { amount: { minor: 2_500n, currency: 'EUR' } },
  },
  tap: { ...common, presentation: { card: testCard('mastercard-tap'), by: 'tap' } },
  swipe: { ...common, presentation: { card: testCard('visa-stripe'), by: 'swipe' } },
};

const titles = Object.keys(scenes);

/** By night at every byte. */
const strideIn = (title: string, kind: DamageKind): Stride =>
  byNight({
    day: strideOf({ kind, carries: 'stream', dense: title === 'chip with PIN', sceneAt: titles.indexOf(title) }),
    night: { every: 1, from: 0 },
  });

describe.each(Object.entries(scenes))('%s', (title, scene) => {
  test('succeeds on a good wire', async () => {
    const { ended, timers } = await runCut(scene);
    expect(ended).toMatchObject({ read: { kind: expect.stringMatching(/goOnline|approvedOffline/) } });
    expect(timers).toBe(0);
  });

  test.each(damages)('%s', async (kind) => {
    const stride = strideIn(title, kind);
    const { problems, runs, bytes } = await cutEverywhere(scene, kind, stride);
    expect(problems).toEqual([]);
    expect(bytes).toBeGreaterThan(300);
    expect(runs).toBeGreaterThanOrEqual(minDamageCount(bytes, stride));
  });
});

test('finds a till that believes too much', async () => {
  const scene = scenes['chip with PIN'];
  if (scene === undefined) throw new Error('the scene is missing');
  const whole = await runCut(scene);
  expect(unsafeEnding(whole, whole, { kind: 'cut' })).toBeUndefined();
  expect(unsafeEnding({ ...whole, saidYes: false }, whole, { kind: 'cut' })).toBe(
    'approved, and the device never said so',
  );
  expect(unsafeEnding({ ...whole, timers: 1 }, whole, { kind: 'cut' })).toMatch(/timers/);
  expect(unsafeEnding({ ...whole, ended: { broken: 'hangs' } }, whole, { kind: 'cut' })).toBe('hangs');
  expect(unsafeEnding({ ...whole, ended: { fault: 'link.lost' } }, whole, { kind: 'split' })).toMatch(/^ended as/);
});
