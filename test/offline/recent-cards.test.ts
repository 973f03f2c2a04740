/**
 * Whether a till is ready to sell without the gateway, judged by the cards that its terminal has read and not only by
 * its limits.
 */
import { afterEach, expect, test } from 'vitest';
import { limitsLines } from '../../src/cli/store/limits.ts';
import { judge, recentCards } from '../../src/offline/recent-cards.ts';
import { offlineReport } from '../../src/offline/report.ts';
import { lineStates } from '../../src/selling/watch.ts';
import type { CardFacts } from '../../src/till/machine/facts.ts';
import { booksRig, max, type Rig } from '../books/manager-rig.ts';
import { chipCard } from '../support/till/till-rig.ts';

let rig: Rig | undefined;
afterEach(() => rig?.remove());

/** TVR byte 1 bit 8: data authentication was not performed. */
const unproved = '8000000000';

test('limits alone do not make a till ready when its terminal proves no card genuine; one setting would', async () => {
  rig = booksRig();
  const till = await rig.open();
  expect(till.service.limits()).toMatchObject({ ready: true, cards: { seen: 0, taken: 0 } });
  till.service.setLimits({ withoutDataAuthentication: 'no' }, max);
  rig.card.data = { ...chipCard, tvr: unproved };
  await till.sell(100n);
  await till.sell(200n);
  expect(till.service.limits()).toMatchObject({
    ready: false,
    why: { code: 'offline.dataAuthentication' },
    cards: { seen: 2, taken: 0, cure: { key: 'withoutDataAuthentication', value: 'yes', taken: 2 } },
  });
  // The prediction comes true.
  rig.line.up = false;
  expect(await till.sell(300n)).toMatchObject({ reason: 'offlineRefused', refusal: 'dataAuthentication' });
  till.service.setLimits({ withoutDataAuthentication: 'yes' }, max);
  expect(till.service.limits()).toMatchObject({ ready: true, cards: { taken: 3 } });
  expect(till.service.limits().cards?.cure).toBeUndefined();
  expect(await till.sell(400n)).toMatchObject({ ending: 'approved' });
  await till.close();
});

test('cards that would be taken make the till ready; the report says what the others lack', async () => {
  rig = booksRig();
  const till = await rig.open();
  till.service.setLimits({ withoutDataAuthentication: 'no' }, max);
  const readiness = till.running.offline.readiness();
  const card = (more: Partial<CardFacts>): CardFacts => ({
    ...{ entryMode: 'ICC', maskedPan: '************0010', verification: 'signature', tvr: '0000000000' },
    ...more,
  });
  const { cards } = judge([card({}), card({ verification: 'onlinePin' }), card({ entryMode: 'MAGSTRIPE' })], readiness);
  expect(cards).toMatchObject({ seen: 3, taken: 1 });
  expect(cards?.cure).toBeUndefined();
  expect(judge([card({ tvr: unproved }), card({ verification: 'onlinePin' })], readiness)).toMatchObject({
    ready: false,
    cards: { seen: 2, taken: 0, cure: { key: 'withoutDataAuthentication', value: 'yes', taken: 1 } },
  });
  await till.close();
});

test('`till limits` says the same and names a command that changes it, and the command really does', async () => {
  rig = booksRig();
  const till = await rig.open();
  const lines = (): string[] => {
    const readiness = till.running.offline.readiness();
    const lines = limitsLines(
      offlineReport(readiness, judge(recentCards(till.running, rig?.clock.now() ?? 0), readiness)),
    );
    return lines.slice(0, lines.indexOf(''));
  };
  till.service.setLimits({ withoutDataAuthentication: 'no' }, max);
  expect(lines()).toEqual(['Ready: while the gateway cannot be reached, cards that fit these limits are taken.']);
  rig.card.data = { ...chipCard, tvr: unproved };
  await till.sell(100n);
  await till.sell(200n);
  const { why } = till.service.limits();
  expect(lines()).toEqual([
    `Not ready: while the gateway cannot be reached nothing is taken, because ${why?.says}.`,
    'Of the last 2 cards read here, 0 would be taken.',
    'One limit would change it: then 2 of 2 would be taken, at more risk for the store.',
    '  npm run till -- limits set withoutDataAuthentication yes',
  ]);
  const [, key = '', value = ''] = /limits set (\S+) (\S+)$/.exec(lines().at(-1) ?? '') ?? [];
  till.service.setLimits({ [key]: value }, max);
  expect(lines()[0]).toMatch(/^Ready/);
  await till.close();
});

test('the cashier’s status strip says the same when the till has no line', async () => {
  rig = booksRig();
  const till = await rig.open();
  const line = lineStates(till.running, rig.clock);
  till.service.setLimits({ withoutDataAuthentication: 'no' }, max);
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
