/** The time for repeats of a stored sale: used up by days that have passed, not by a clock that somebody set. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCardTries } from '../../src/queue/card-tries.ts';
import { mayTryAgain, withinCardLimits } from '../../src/runtime/card-limits.ts';
import { chipCard, type Life, type Rig, tillRig } from '../support/till/till-rig.ts';

const DAY_MS = 86_400_000;

let rig: Rig;
let life: Life;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => {
  life.close();
  rig.remove();
});

const may = (sale: string) => {
  const { time } = life.offline;
  const clock = { now: () => time.now().at };
  const tries = openCardTries(life.journal.sql);
  return mayTryAgain(life.till.findSale(sale), { tries, clock, corrected: time.corrected })?.kind;
};

const storeOne = async (): Promise<string> => {
  rig.fates.push('notReached');
  return (await rig.clock.until(life.sell(1_000n).done)).intent.sale;
};

test.each([
  ['set a year forward after the sale', () => (rig.wall.jumpMs = 365 * DAY_MS), 'now'],
  ['as it should be', () => {}, 'now'],
])('with a clock %s a sale of today may be repeated', async (_, change, kind) => {
  life = rig.open();
  life.offline.heard(rig.clock.now());
  const sale = await storeOne();
  change();
  expect(may(sale)).toBe(kind);
  await rig.clock.advance(31 * DAY_MS);
  expect(may(sale)).toBe('over');
});

test('with a clock that was years behind when it was made, until it is known', async () => {
  rig.wall.jumpMs = -9_000 * DAY_MS;
  life = rig.open();
  const sale = await storeOne();
  life.offline.heard(rig.clock.now());
  expect(may(sale)).toBe('now');
  await rig.clock.advance(31 * DAY_MS);
  expect(may(sale)).toBe('over');
});

test.each([
  ['forward', 'spent'],
  ['reversal', 'approved'],
] as const)(
  'after a month a %s under a new key is %s: what goes back to the card is no try of it',
  async (kind, means) => {
    life = rig.open();
    const sale = await storeOne();
    await rig.clock.advance(31 * DAY_MS);
    const message = { id: 'one', kind, sale, key: 'one', body: '{}', again: 1, secret: '{}' };
    const limits = { till: life.till, tries: openCardTries(life.journal.sql), clock: rig.clock };
    const delivered = await withinCardLimits(limits, message, async () => ({
      means: 'approved',
      note: '',
      settle() {},
    }));
    expect(delivered.means).toBe(means);
  },
);
