/** Whole sales of MPI with one thing wrong on the wire, at every byte of both directions. */
import { describe, expect, test } from 'vitest';
import { mpi } from '../../../drivers/mpi/driver.ts';
import { mpiSimulator } from '../../../drivers/mpi/simulator.ts';
import type { CardInterface } from '../../../drivers/terminal.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { type CutScene, cutEverywhere, runCut, unsafe } from '../../support/devices/cut-conversation.ts';
import { damages } from '../../support/devices/damaged-wire.ts';

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

describe.each(Object.entries(scenes))('%s', (_, scene) => {
  test('goes well on a good wire', async () => {
    const { ended, timers } = await runCut(scene);
    expect(ended).toMatchObject({ read: { kind: expect.stringMatching(/goOnline|approvedOffline/) } });
    expect(timers).toBe(0);
  });

  test.each(damages)('%s at every byte', async (kind) => {
    const { problems, runs } = await cutEverywhere(scene, kind);
    expect(problems).toEqual([]);
    expect(runs).toBeGreaterThan(300);
  });
});

test('a till that believed too much would be found', async () => {
  const scene = scenes['chip with PIN'];
  if (scene === undefined) throw new Error('the scene is gone');
  const whole = await runCut(scene);
  expect(unsafe(whole, whole, { kind: 'cut' })).toBeUndefined();
  expect(unsafe({ ...whole, saidYes: false }, whole, { kind: 'cut' })).toBe('approved, and the device never said so');
  expect(unsafe({ ...whole, timers: 1 }, whole, { kind: 'cut' })).toMatch(/timers/);
  expect(unsafe({ ...whole, ended: { broken: 'hangs' } }, whole, { kind: 'cut' })).toBe('hangs');
  expect(unsafe({ ...whole, ended: { fault: 'link.lost' } }, whole, { kind: 'split' })).toMatch(/^ended as/);
});
