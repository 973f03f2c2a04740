/** Kills the till with SIGKILL at each step of a sale and restarts it: no sale is lost, doubled, or left unknown. */
import { afterEach, beforeEach, describe, test } from 'vitest';
import { killAll, openShop, type Scene, type Shop } from './killed-till.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop('mpi');
});
afterEach(() => shop.close());

/** Killed before the request left, before it arrived, before its answer was written, or before the chip's was. */
const online = ['notSent restarted', 'notSent neverArrived', 'declined reversed', 'declined restartedAfterApproval'];
const offline = ['notSent restarted', 'notSent neverArrived'];

const scenes: readonly Scene[] = [
  {
    name: 'chip with online PIN',
    card: 'visa-credit',
    by: 'chip',
    minor: '4200',
    ends: [...online, 'approved approved'],
    day: { steps: [7, 10], ends: ['notSent neverArrived', 'declined restartedAfterApproval'] },
  },
  {
    name: 'tap',
    card: 'mastercard-tap',
    by: 'tap',
    minor: '820',
    ends: [...online, 'approved approved'],
    day: { steps: [9, 14], ends: ['declined reversed', 'approved approved'] },
  },
  {
    name: 'declined by the bank',
    card: 'visa-poor',
    by: 'chip',
    minor: '6400',
    ends: [...online.slice(0, 2), 'declined declinedByHost'],
    day: { steps: [3, 8], ends: ['notSent restarted', 'declined declinedByHost'] },
  },
  {
    name: 'approved, then refused by the chip',
    card: 'visa-refusing-chip',
    by: 'chip',
    minor: '990',
    ends: [...online, 'declined chipRefusedApproval'],
    day: { steps: [12, 16], ends: ['declined restartedAfterApproval', 'declined chipRefusedApproval'] },
  },
  {
    name: 'approved offline by the chip',
    card: 'visa-no-cvm',
    by: 'chip',
    minor: '3000',
    line: 'cut',
    ends: [...offline, 'approved approvedOffline'],
    day: { steps: [8, 13], ends: ['notSent neverArrived', 'notSent restarted'] },
  },
  {
    name: 'deferred',
    card: 'mastercard-tap',
    by: 'tap',
    minor: '700',
    line: 'cut',
    ends: [...offline, 'approved takenOffline'],
    day: { steps: [14, 18], ends: ['approved takenOffline'] },
  },
  {
    name: 'refund',
    card: 'visa-credit',
    by: 'chip',
    minor: '1000',
    kind: 'refund',
    ends: ['approved approved', 'approved refunded'],
    day: { steps: [2, 5], ends: ['approved approved', 'approved refunded'] },
  },
  {
    name: 'chip, with the gateway in the same process',
    card: 'mastercard-m10',
    by: 'chip',
    minor: '1500',
    embedded: true,
    ends: [...online, 'approved approved'],
    day: { steps: [6, 11], ends: ['notSent neverArrived', 'declined restartedAfterApproval'] },
  },
];

describe('a till killed at each step', () => {
  for (const scene of scenes) test(scene.name, () => killAll(shop, scene), 1_200_000);
});
