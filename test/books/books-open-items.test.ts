/** The manager's open items: one row per sale, the possible actions, and nothing done twice. */
import { afterEach, expect, test } from 'vitest';
import { lineStates } from '../../src/selling/watch.ts';
import { LIFE_MS } from '../support/till/till-rig.ts';
import { booksRig, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const ends = ['chargeAgain', 'settleOtherwise', 'writeOff'];
const statement = { reason: 'the bank confirmed it', evidence: 'statement of 3 January, line 4' };

test('a stored sale waits, and pressing the button once sends it once', async () => {
  rig = booksRig();
  const till = await rig.open();
  rig.line.up = false;
  const { intent } = await till.sell(1_500n);
  const [item, ...others] = till.service.openItems();
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    ...{ receipt: intent.receipt, kind: 'waiting', state: 'offline', actions: ['sendNow'] },
    sale: { amount: { amount: '15.00', currency: 'EUR' }, counter: 'T1', waiting: true },
  });
  expect(item?.evidence.map(({ words }) => words)).toEqual(
    expect.arrayContaining([expect.stringContaining('not sent')]),
  );
  expect(JSON.stringify(item)).not.toContain('npm run');
  // The line is still down, so the sale keeps waiting.
  expect(await rig.done(till.service.act(intent.receipt, 'sendNow', max))).toMatchObject({ kind: 'waiting', tries: 1 });
  rig.line.up = true;
  const both = [till.service.act(intent.receipt, 'sendNow', max), till.service.sendAll(max)];
  await rig.done(Promise.all(both));
  expect(till.service.openItems()).toEqual([]);
  expect(rig.host.books.filter(({ merchantTransactionId }) => merchantTransactionId === intent.sale)).toHaveLength(1);
  await expect(rig.done(till.service.act(intent.receipt, 'sendNow', max))).rejects.toMatchObject({
    code: 'queue.nothingWaits',
  });
  expect(till.told).toContainEqual({ on: 'changed', what: 'openItems' });
  await till.close();
});

test('an unresolved sale is inquired about; a person can end it only with a reason, evidence and a name', async () => {
  rig = booksRig();
  const till = await rig.open();
  // The request and the inquiry are lost.
  rig.line.fates.push('requestLost');
  rig.line.up = false;
  const { intent } = await till.sell(1_500n);
  const [item] = till.service.openItems();
  expect(item).toMatchObject({ kind: 'unknown', state: 'unknown', actions: ['askNow', 'sayCharged', 'sayNotCharged'] });
  expect(await rig.done(till.service.act(intent.receipt, 'askNow', max))).toMatchObject({ kind: 'unknown' });

  const declareCharged = (actor = max, words: typeof statement | undefined = statement) =>
    rig.done(till.service.act(intent.receipt, 'sayNotCharged', actor, words));
  await expect(declareCharged({ permissions: max.permissions })).rejects.toMatchObject({ code: 'staff.needed' });
  await expect(declareCharged(max, { reason: 'x', evidence: 'y' })).rejects.toMatchObject({
    code: 'request.malformed',
  });
  await expect(rig.done(till.service.act(intent.receipt, 'sayNotCharged', max))).rejects.toMatchObject({
    code: 'request.malformed',
  });
  await declareCharged();
  const now = till.running.till.find(intent.receipt);
  expect(now).toMatchObject({ at: 'ended', ending: 'notSent', forced: { who: 'Max', role: 'manager', ...statement } });
  // Inquiries continue, so the gateway's answer is compared with the person's decision.
  rig.line.up = true;
  await rig.clock.advance(LIFE_MS);
  await rig.done(till.service.sendAll(max));
  expect(till.service.openItems()).toEqual([]);
  await till.close();
});

test('a person’s decision that the gateway contradicts is listed first, for a person', async () => {
  rig = booksRig();
  const till = await rig.open();
  rig.line.fates.push('answerLost');
  rig.line.up = false;
  const { intent } = await till.sell(1_500n);
  await rig.done(till.service.act(intent.receipt, 'sayCharged', max, statement));
  await till.sell(900n);
  rig.line.up = true;
  await rig.clock.advance(LIFE_MS);
  await rig.done(till.service.sendAll(max));
  const [first] = till.service.openItems();
  expect(first).toMatchObject({ receipt: intent.receipt, kind: 'differs', state: 'person' });
  expect(first?.actions).toEqual(['sayCharged', 'sayNotCharged']);
  await till.close();
});

test('an unknown receipt is refused, and a sale in progress is not an open item', async () => {
  rig = booksRig();
  const till = await rig.open();
  await expect(rig.done(till.service.act(99, 'askNow', max))).rejects.toMatchObject({ code: 'till.notFound' });
  const running = till.running.till.sell({ amount: { minor: 100n, currency: 'EUR' } }, () => {});
  expect(till.service.openItems()).toEqual([]);
  await rig.done(running.done);
  await till.close();
});

test('a stored sale that the bank then declines is an open item until somebody closes it', async () => {
  rig = booksRig();
  const till = await rig.open();
  rig.line.up = false;
  await till.sell(1_500n);
  rig.line.up = true;
  rig.approvals.push(false);
  await till.drain();
  const [item] = till.service.openItems();
  const missing = { amount: '15.00', currency: 'EUR' };
  expect(item).toMatchObject({ kind: 'task', state: 'person', missing, actions: ends });
  expect(item?.person.length).toBeGreaterThan(10);
  expect(item?.sale.unpaid).toEqual({ state: 'open', missing, mayCharge: true });
  expect(till.service.today().openItems).toBe(1);
  expect(lineStates(till.running, rig.clock)().forPerson).toBe(1);
  // The scheme's month is over: the card is not tried again, and the money is still missing.
  await rig.clock.advance(31 * 86_400_000);
  expect(till.service.openItems()).toMatchObject([{ kind: 'task', actions: ends.slice(1) }]);
  expect(() => till.running.unpaid.toCharge(1, { minor: 1_500n, currency: 'EUR' })).toThrow('no further try');
  await till.close();
});

test('a stored sale without a clear answer is parked; a person says how it ended, and the day closes', async () => {
  rig = booksRig();
  const till = await rig.open();
  rig.line.up = false;
  const { intent } = await till.sell(1_500n);
  rig.line.up = true;
  for (let n = 0; n < 11; n++) {
    rig.line.fates.push('nonsense');
    await till.drain();
  }
  expect(till.service.openItems()).toMatchObject([
    { receipt: intent.receipt, kind: 'parked', state: 'person', actions: ['retry', 'sayCharged', 'sayNotCharged'] },
  ]);
  await rig.done(till.service.act(intent.receipt, 'sayNotCharged', max, statement));
  expect(till.running.till.find(intent.receipt)).toMatchObject({ ending: 'notSent', reason: 'personSaidNot' });
  expect(till.running.outbox.parked()).toEqual([]);
  // The goods have left, so this is a loss that somebody must deal with.
  expect(till.service.openItems()).toMatchObject([{ kind: 'task', why: statement.reason, actions: ends }]);
  expect(till.running.resolver.open()).toEqual([]);
  // The gateway's late answer is shown to everybody.
  await rig.clock.advance(700_000);
  await rig.done(till.service.sendAll(max));
  expect(till.service.openItems()[0]).toMatchObject({ kind: 'differs', actions: ['sayCharged', 'sayNotCharged'] });
  await till.close();
});

test('a reversal that has not succeeded after fifteen minutes calls for a person everywhere', async () => {
  rig = booksRig();
  const till = await rig.open();
  const lineNow = lineStates(till.running, rig.clock);
  rig.line.fates.push('requestLost');
  rig.line.up = false;
  await till.sell(1_500n);
  expect(lineNow()).toMatchObject({ unknown: 1, forPerson: 0 });
  await rig.clock.advance(15 * 60_000);
  expect(till.service.openItems()).toMatchObject([
    { kind: 'overdue', state: 'person', actions: ['askNow', 'sayCharged', 'sayNotCharged'] },
  ]);
  expect(lineNow()).toMatchObject({ unknown: 0, forPerson: 1 });
  const { checks, mayClose } = await rig.done(till.service.closing());
  const open = checks.find(({ what }) => what === 'nothingUnknown')?.open;
  expect(open?.map(({ told: messages }) => messages?.why)).toMatchObject([
    { code: 'closing.overdue', facts: { minutes: 15 } },
  ]);
  expect(mayClose).toBe(false);
  // The button makes the till inquire at once, and the reversal ends.
  rig.line.up = true;
  expect(await rig.done(till.service.act(1, 'askNow', max))).toBeUndefined();
  expect(till.service.openItems()).toEqual([]);
  await till.close();
});

test.each([
  ['spent', 'the card’s scheme allows no further try of this sale', ['sayCharged', 'sayNotCharged']],
  ['handed over', 'handed over to another till', []],
  ['refused', '100.150.100 the registration is invalid', ['retry', 'sayCharged', 'sayNotCharged']],
] as const)(
  'a message that was set aside (%s) can be ended, here or at the till that sends it',
  async (_, note, actions) => {
    rig = booksRig();
    const till = await rig.open();
    rig.line.up = false;
    const { intent } = await till.sell(1_500n);
    const [message] = till.running.outbox.waiting();
    till.running.outbox.park(message?.id ?? '', note);
    expect(till.service.openItems()).toMatchObject([{ receipt: intent.receipt, kind: 'parked', actions }]);
    const attempt = rig.done(till.service.act(intent.receipt, 'sayCharged', max, statement));
    if (actions.length === 0) await expect(attempt).rejects.toMatchObject({ code: 'till.nothingOpen' });
    else expect(await attempt).toBeUndefined();
    expect(till.running.outbox.parked()).toHaveLength(actions.length === 0 ? 1 : 0);
    await till.close();
  },
);
