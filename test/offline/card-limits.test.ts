/** The time left for repeats of a stored sale is used up by days that have passed, not by a clock that somebody set. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayTryAgain, schemeOf, withinCardLimits } from '../../src/offline/card-limits.ts';
import type { Message } from '../../src/queue/outbox.ts';
import { openCardTries } from '../../src/queue/retry-rules.ts';
import { chipCard, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const DAY_MS = 86_400_000;

let rig: Rig;
let run: TillRun;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => {
  run.close();
  rig.remove();
});

const may = (sale: string) => {
  const { time } = run.offline;
  const clock = { now: () => time.now().at };
  const tries = openCardTries(run.journal.sql);
  return mayTryAgain(run.till.findSale(sale), { tries, clock, corrected: time.corrected })?.kind;
};

const storeOne = async (): Promise<string> => {
  rig.fates.push('notReached');
  return (await rig.clock.until(run.sell(1_000n).done)).intent.sale;
};

test.each([
  ['set a year forward after the sale', () => (rig.wall.jumpMs = 365 * DAY_MS), 'now'],
  ['as it should be', () => {}, 'now'],
])('a sale of today may be repeated when the clock is %s', async (_, change, kind) => {
  run = rig.open();
  run.offline.heard(rig.clock.now());
  const sale = await storeOne();
  change();
  expect(may(sale)).toBe(kind);
  await rig.clock.advance(31 * DAY_MS);
  expect(may(sale)).toBe('over');
});

test('a sale made while the clock was years behind may be repeated until that is known', async () => {
  rig.wall.jumpMs = -9_000 * DAY_MS;
  run = rig.open();
  const sale = await storeOne();
  run.offline.heard(rig.clock.now());
  expect(may(sale)).toBe('now');
  await rig.clock.advance(31 * DAY_MS);
  expect(may(sale)).toBe('over');
});

test.each([
  ['forward', 'spent'],
  ['reversal', 'approved'],
] as const)('after a month a %s under a new key is %s: a reversal is not a try of the card', async (kind, means) => {
  run = rig.open();
  const sale = await storeOne();
  await rig.clock.advance(31 * DAY_MS);
  const message = { id: 'one', kind, sale, key: 'one', body: '{}', again: 1, secret: '{}' };
  const limits = { till: run.till, tries: openCardTries(run.journal.sql), clock: rig.clock };
  const delivered = await withinCardLimits(limits, message, async () => ({
    means: 'approved',
    note: '',
    settle() {},
  }));
  expect(delivered.means).toBe(means);
});

test('after twenty tries in thirty days a card is not tried again, except by messages that are no repeat', async () => {
  run = rig.open({ behaviour: { read: () => 'goOnline' } });
  const sale = await storeOne();
  const limits = { till: run.till, tries: openCardTries(run.journal.sql), clock: rig.clock };
  const sent: string[] = [];
  const send = (id: string, more: Partial<Message> = {}) =>
    withinCardLimits(limits, { id, kind: 'forward', sale, key: id, body: '{}', secret: '{}', ...more }, async () => {
      sent.push(id);
      return { means: 'undecided', note: '', settle() {}, counts: { response: '91' } };
    });
  for (let n = 0; n < 20; n += 1) expect((await send(`try ${n}`, { again: n })).means).toBe('undecided');
  await rig.clock.advance(29 * DAY_MS);
  expect((await send('repeat', { again: 20 })).means).toBe('spent');
  // The bank has not been asked about this sale yet.
  await send('first', { again: 0 });
  // An inquiry at the gateway: the sale's card data is gone.
  const { secret: _, ...question } = { secret: '', body: JSON.stringify({ expired: { days: 30, at: 0 } }) };
  await withinCardLimits(limits, { id: 'ask', kind: 'forward', sale, key: 'ask', again: 20, ...question }, async () => {
    sent.push('ask');
    return { means: 'approved', note: '', settle() {} };
  });
  expect(sent.slice(20)).toEqual(['first', 'ask']);
});

test('two cards with the same number but different sequence numbers are counted separately', async () => {
  const now = rig.clock.now();
  run = rig.open();
  const tries = openCardTries(run.journal.sql);
  const clock = rig.clock;
  const sale = run.till.findSale(await storeOne());
  const card = sale.card;
  if (card === undefined) throw new Error('no card was read');
  const of = (panSequence: string) => ({ ...sale, card: { ...card, panSequence } });
  const limits = { till: { findSale: () => of('01') }, tries, clock };
  for (let n = 0; n < 20; n += 1)
    await withinCardLimits(limits, { id: 'm', kind: 'forward', sale: 's', key: 'm', body: '{}' }, async () => ({
      ...{ means: 'undecided', note: '', settle() {} },
      counts: { response: '91' },
    }));
  expect(rig.clock.now()).toBeLessThan(now + DAY_MS);
  const kindOf = (panSequence: string) => mayTryAgain(of(panSequence), { tries, clock })?.kind;
  expect([kindOf('01'), kindOf('02')]).toEqual(['over', 'now']);
});

test.each([
  ['4761730000000010', 'visa'],
  ['5413330000000010', 'mastercard'],
  ['6759640000000010', 'mastercard'],
  ['3741010000000010', 'other'],
])('a card that begins like %s follows the rules of %s', async (maskedPan, scheme) => {
  run = rig.open();
  const sale = run.till.findSale(await storeOne());
  expect(schemeOf({ ...sale, card: { ...chipCard, maskedPan } })).toBe(scheme);
});
