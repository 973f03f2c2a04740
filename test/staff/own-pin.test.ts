/** A person changes their own PIN at the local API with the previous PIN, and nobody else's. */
import { afterEach, expect, test } from 'vitest';
import { type GuardedTill, guardedTill, people } from '../support/till/guarded-till.ts';

let till: GuardedTill | undefined;
afterEach(async () => {
  await till?.close();
  till = undefined;
});

test('people change their own PIN with the previous PIN; a session left open is not enough', async () => {
  till = await guardedTill(26);
  const { ask, signIn } = till;
  const anna = await signIn('Anna');
  const change = (current: string, pin = '604913') => ask(anna, ['PUT', '/session/pin'], { current, pin });
  expect(await change('604913')).toMatchObject({ status: 403, code: 'staff.refused' });
  expect(await ask({}, ['PUT', '/session/pin'], { current: people.Anna.pin, pin: '604913' })).toMatchObject({
    status: 401,
  });
  expect(await ask(anna, ['PUT', '/staff/Anna/pin'], { pin: '604913' })).toMatchObject({ status: 403 });
  await till.clock.advance(60_000);
  expect(await change(people.Anna.pin)).toMatchObject({ status: 200, body: { name: 'Anna', role: 'cashier' } });
  // The session that the previous PIN opened has ended.
  expect(await change('604913')).toMatchObject({ status: 401 });
  const signInAgain = await ask({}, ['POST', '/session'], { name: 'Anna', pin: '604913' });
  expect(signInAgain).toMatchObject({ status: 200 });
});
