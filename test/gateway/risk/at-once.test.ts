/** Simultaneous payments on a real store: only one is the last that a rule allows. */
import { expect, test } from 'vitest';
import { openStore } from '../../../src/gateway/database/open.ts';
import { assess, screeningNames } from '../../../src/gateway/risk/assess.ts';
import { entityId, hash, payment } from './screening.ts';

test('of twenty simultaneous payments only the allowed number passes', async () => {
  const store = await openStore(':memory:');
  const rules = { velocity: [{ per: 'card', withinMinutes: 60, most: 5, total: '40.00' }] } as const;
  const screeningInput = { rules, request: payment(), entityId, hash };
  const pay = () =>
    store.transact(screeningNames(screeningInput), async (session) => {
      const { refused: refusal, sightings } = await assess({ ...screeningInput, session, at: 0 });
      await session.addSightings(sightings);
      return refusal?.resultCode ?? 'passed';
    });
  const verdicts = await Promise.all(Array.from({ length: 20 }, pay));
  // Four times 10.00 reach the sum; the fifth attempt exceeds it, and all later ones are too many.
  expect(verdicts).toEqual([...Array(4).fill('passed'), '800.120.201', ...Array(15).fill('800.120.101')]);
  await store.close();
});
