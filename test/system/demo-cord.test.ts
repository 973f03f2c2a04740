/**
 * The demo's day with the cord pulled: the gateway's line at one of its requests, the terminal's cable at one of its
 * commands, before or after it was taken. Healed and closed, till, gateway and settlement agree to the cent. Here at a
 * few places, other ones each day; `npm run simulate:cords` pulls it at all of them.
 */
import { expect, test } from 'vitest';
import { placesOf, playAll, playDay } from '../support/till/demo-days.ts';

/** A prime: it comes by every kind of place. */
const STRIDE = 23;

test('wherever the cord is pulled, the day closes with the books equal', async () => {
  const whole = await playDay();
  expect(whole.wrong).toEqual([]);
  const from = Math.floor(Date.now() / 86_400_000);
  const places = placesOf(whole.passed, STRIDE, from);
  expect(places.length).toBeGreaterThan(5);
  expect(await playAll(places, 4), `from place ${from % STRIDE}`).toEqual([]);
});
