/**
 * Kills the till with SIGKILL at each step of a sale, with the other protocols: two readers, and one that asks its own
 * bank.
 */
import { afterEach, describe, test } from 'vitest';
import { killAll, openShop, type Scene, type Shop } from './killed-till.ts';

let shop: Shop;
afterEach(() => shop.close());

const atReaders = [
  ...['notSent restarted', 'notSent neverArrived'],
  ...['declined reversed', 'declined restartedAfterApproval', 'approved approved'],
];

const scenes: readonly (Scene & { protocol: string })[] = [
  {
    ...{ protocol: 'mms', name: 'MMS, chip with online PIN', card: 'visa-credit', by: 'chip', minor: '4200' },
    ends: atReaders,
    day: { steps: [7, 9, 12], ends: ['notSent neverArrived', 'declined reversed', 'declined restartedAfterApproval'] },
  },
  {
    ...{ protocol: 'neo2', name: 'NEO 2, tap', card: 'mastercard-tap', by: 'tap', minor: '820' },
    ends: atReaders,
    day: { steps: [4, 8, 14], ends: ['notSent restarted', 'declined reversed', 'approved approved'] },
  },
  {
    ...{ protocol: 'zvt', name: 'ZVT, payment', card: 'mastercard-tap', by: 'tap', minor: '1500', before: true },
    ends: ['notSent restarted', 'notSent neverMade', 'approved approved'],
    day: { steps: [8, 10], ends: ['notSent neverMade', 'approved approved'] },
  },
  {
    ...{ protocol: 'zvt', name: 'ZVT, taken back', card: 'mastercard-tap', by: 'tap', minor: '2000', kind: 'refund' },
    ends: ['approved approved', 'notSent restarted', 'approved reversedAtTerminal'],
    day: { steps: [4, 8], ends: ['approved approved', 'notSent restarted', 'approved reversedAtTerminal'] },
  },
];

describe('a till killed at each step', () => {
  for (const { protocol, ...scene } of scenes)
    test(scene.name, async () => {
      shop = await openShop(protocol);
      await killAll(shop, scene);
    }, 1_200_000);
});
