/**
 * The demo's day with a connection lost: the gateway's line at one of its requests, or the terminal's cable at one of
 * its commands, before or after it was received. Once the connection is back and the day closed, till, gateway and
 * settlement agree to the cent. By day at a few places, others with another SEED; by night at all of them, as `npm run
 * simulate:cords` does.
 */
import { expect, test } from 'vitest';
import { SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { placesOf, playAll, playDay } from '../support/till/demo-days.ts';

/** By day a prime, so that it covers every kind of place. */
const STRIDE = byNight({ day: 31, night: 1 });

test('wherever the connection is lost, the day closes with equal books', { timeout: 7_200_000 }, async () => {
  const fullDay = await playDay();
  expect(fullDay.wrong).toEqual([]);
  const from = SEED % STRIDE;
  const places = placesOf(fullDay.passed, STRIDE, from);
  expect(places.length).toBeGreaterThan(5);
  expect(await playAll(places, 4), `from place ${from}`).toEqual([]);
});
