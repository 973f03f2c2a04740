/** Storms over a served till's API: after each one both sides agree on the money. */
import { expect, test } from 'vitest';
import { byNight } from '../support/night/night.ts';
import { playStorm } from './storm.ts';

/** For more storms: STORM_SEEDS=500 vitest run --project unit test/simulation/storm.test.ts */
const FIRST = Number(process.env['STORM_FIRST'] ?? 1);
const SEEDS = Number(process.env['STORM_SEEDS'] ?? byNight({ day: 2, night: 100 }));

test(`three counters in a storm, seeds ${FIRST} to ${FIRST + SEEDS - 1}`, async () => {
  const totals = new Map<string, number>();
  let kills = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const storm = await playStorm(seed);
    expect(storm.problems, `seed ${seed}`).toEqual([]);
    for (const [eventName, n] of storm.counts) totals.set(eventName, (totals.get(eventName) ?? 0) + n);
    kills += storm.kills;
  }
  // A storm in which nothing happens proves nothing.
  expect(kills).toBeGreaterThan(3);
  expect([...totals.keys()]).toEqual(expect.arrayContaining(['begun sale', 'begun refund', 'begun preauthorisation']));
}, 3_600_000);

test('a payment that is made twice is detected', async () => {
  const { problems } = await playStorm(1, { sendsTwice: true });
  expect(problems.join()).toMatch(/2 times in the gateway's books/);
});
