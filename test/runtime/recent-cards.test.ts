/** Whether a till is ready to sell without the gateway: by the cards that its terminal has read, not by limits. */
import { afterEach, expect, test } from 'vitest';
import { lineStates } from '../../src/runtime/desk/line-state.ts';
import { cardsTaken } from '../../src/runtime/recent-cards.ts';
import type { CardFacts } from '../../src/till/facts.ts';
import { chipCard } from '../support/till/till-rig.ts';
import { booksRig, max, type Rig } from './desk/books-rig.ts';

let rig: Rig | undefined;
afterEach(() => rig?.remove());

/** TVR byte 1 bit 8: data authentication was not performed. */
const unproved = '8000000000';

test('limits alone make no till ready whose terminal proves no card genuine; one switch is named that would', async () => {
  rig = booksRig();
  const till = await rig.open();
  expect(till.desk.limits()).toMatchObject({ ready: true, cards: { seen: 0, taken: 0 } });
  till.desk.setLimits({ withoutDataAuthentication: 'no' }, max);
  rig.card.data = { ...chipCard, tvr: unproved };
  await till.sell(100n);
  await till.sell(200n);
  expect(till.desk.limits()).toMatchObject({
    ready: false,
    why: { code: 'offline.dataAuthentication' },
    cards: { seen: 2, taken: 0, cure: { key: 'withoutDataAuthentication', value: 'yes', taken: 2 } },
  });
  // What it says, happens.
  rig.line.up = false;
  expect(await till.sell(300n)).toMatchObject({ reason: 'offlineRefused', refusal: 'dataAuthentication' });
  till.desk.setLimits({ withoutDataAuthentication: 'yes' }, max);
  expect(till.desk.limits()).toMatchObject({ ready: true, cards: { taken: 3 } });
  expect(till.desk.limits().cards).not.toHaveProperty('cure');
  expect(await till.sell(400n)).toMatchObject({ ending: 'approved' });
  await till.close();
});

test('cards that are taken make it ready; what the others lack is told', async () => {
  rig = booksRig();
  const till = await rig.open();
  till.desk.setLimits({ withoutDataAuthentication: 'no' }, max);
  const readiness = till.running.offline.readiness();
  const card = (more: Partial<CardFacts>): CardFacts => ({
    ...{ entryMode: 'ICC', maskedPan: '************0010', verification: 'signature', tvr: '0000000000' },
    ...more,
  });
  const taken = cardsTaken(
    [card({}), card({ verification: 'onlinePin' }), card({ entryMode: 'MAGSTRIPE' })],
    readiness,
  );
  expect(taken).toMatchObject({ seen: 3, taken: 1 });
  expect(taken).not.toHaveProperty('takenUnauthenticated');
  expect(cardsTaken([card({ tvr: unproved }), card({ verification: 'onlinePin' })], readiness)).toMatchObject({
    ...{ seen: 2, taken: 0, takenUnauthenticated: 1 },
  });
  await till.close();
});

test('the counter’s strip says the same of a till without a line', async () => {
  rig = booksRig();
  const till = await rig.open();
  const line = lineStates(till.running, rig.clock);
  till.desk.setLimits({ withoutDataAuthentication: 'no' }, max);
  rig.card.data = { ...chipCard, tvr: unproved };
  await till.sell(100n);
  expect(line()).toMatchObject({ online: true, offline: { ready: true } });
  rig.line.up = false;
  await till.sell(200n);
  expect(line()).toMatchObject({
    online: false,
    offline: { ready: false, why: { code: 'offline.dataAuthentication' } },
  });
  await till.close();
});
