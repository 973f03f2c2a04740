/**
 * The demo's day with the cord pulled: the gateway's line at one of its requests, the terminal's cable at one of its
 * commands, before or after it was taken. Healed and closed, till, gateway and settlement agree to the cent. By day at
 * a few places, other ones with another SEED; by night at all of them, as `npm run simulate:cords` does.
 */
import { expect, test } from 'vitest';
import { SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { placesOf, playAll, playDay } from '../support/till/demo-days.ts';

/** By day a prime: it comes by every kind of place. */
const STRIDE = byNight({ day: 31, night: 1 });

test('wherever the cord is pulled, the day closes with the books equal', { timeout: 7_200_000 }, async () => {
  const whole = await playDay();
  expect(whole.wrong).toEqual([]);
  const from = SEED % STRIDE;
  const places = placesOf(whole.passed, STRIDE, from);
  expect(places.length).toBeGreaterThan(5);
  expect(await playAll(places, 4), `from place ${from}`).toEqual([]);
});
