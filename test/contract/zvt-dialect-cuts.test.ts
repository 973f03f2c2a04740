/**
 * A sale at a ZVT terminal of each dialect with the line cut at its messages, in both directions: till and terminal
 * agree about the money, or the till says that the sale is unresolved. By night at each message, by day at one in
 * eleven, different ones for each dialect. `npm run simulate:dialects -- --cut` prints the table.
 */
import { expect, test } from 'vitest';
import { type Cut, cutDialects, cutEverywhere, cutSale, cutSumsOf, isHonest } from '../support/dialects/cuts.ts';
import { byNight } from '../support/night/night.ts';

const every = byNight({ day: 11, night: 1 });

test.each(cutDialects.map((name, index) => [name ?? 'strictest', name, index] as const))(
  '%s',
  async (_, dialect, cutAfter) => {
    const cuts = await cutEverywhere(dialect, { from: cutAfter % every, every });
    expect(cuts.filter((cut) => !isHonest(cut))).toEqual([]);
    // The last sale was not cut, because it had fewer messages.
    expect(cuts.at(-1)).toMatchObject({ output: 'approved, approved', till: 3_750n, terminal: 3_750n });
    // A sale has about thirty messages, and fewer if the last payment is not reported.
    expect(cuts.length).toBeGreaterThan(25 / every);
  },
);

test('cuts end in both ways: before the money moved, and after it', async () => {
  const cuts = await cutEverywhere(undefined, { from: 0, every: 4 });
  const { charged, not } = cutSumsOf(undefined, cuts);
  expect([charged > 0, not > 0]).toEqual([true, true]);
  expect((await cutSale(undefined, 0)).lost).toBe('0620');
});

test('a till that is wrong about the money is found', () => {
  const cut: Cut = {
    ...{ lost: '040F', output: 'approved', isUnresolved: false, isAnothers: false },
    ...{ till: 2_500n, terminal: 2_500n },
  };
  expect(isHonest(cut)).toBe(true);
  expect(isHonest({ ...cut, terminal: 1_250n })).toBe(false);
  expect(isHonest({ ...cut, terminal: undefined })).toBe(false);
  expect(isHonest({ ...cut, terminal: 1_250n, isUnresolved: true })).toBe(true);
  expect(isHonest({ ...cut, isAnothers: true })).toBe(false);
});
