/** Offline sales: forwarded once, inquired about before they are sent again, ended only by an issuer's decision. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Host } from '../../src/till/ports.ts';
import { chipCard, createReply, LIFE_MS, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => rig.remove());

const takenOffline = async (run: TillRun, minor = 1_000n): Promise<string> => {
  rig.fates.push('notReached');
  const sale = run.sell(minor);
  expect((await rig.clock.until(sale.done)).offline).toBe('chip');
  return sale.sale;
};

const forwardedOf = (run: TillRun, sale: string) => {
  const now = run.till.findSale(sale);
  return now.at === 'ended' ? now.forwarded?.approved : undefined;
};

const debitsOf = (sale: string) => rig.ofSale(sale).filter(({ paymentType }) => paymentType === 'DB').length;

/** The gateway, except for the answer of `instead` to payments while `trouble.on`. */
const withTrouble = (instead: Host['pay']) => {
  const trouble = { on: false, queries: 0 };
  const host: Host = {
    ...rig.host,
    pay: (parameters, key) => (trouble.on ? instead(parameters, key) : rig.host.pay(parameters, key)),
    find(reference) {
      trouble.queries += 1;
      return rig.host.find(reference);
    },
  };
  return { trouble, host };
};

test('an offline sale is charged once, when the line is up again', async () => {
  const run = rig.open();
  const sale = await takenOffline(run);
  expect([forwardedOf(run, sale), rig.booked(sale)]).toEqual([undefined, 0n]);
  await run.drain();
  await run.passTime(2);
  expect([forwardedOf(run, sale), rig.booked(sale), debitsOf(sale)]).toEqual([true, 1_000n, 1]);
  run.close();
});

const approvedBody = (sale: string) => ({
  id: 'f'.repeat(32),
  amount: '10.00',
  currency: 'EUR',
  merchantTransactionId: sale,
});

test.each([
  ['another amount', { amount: '1.00' }],
  ['another currency', { currency: 'USD' }],
  ['another sale', { merchantTransactionId: '0'.repeat(32) }],
  ['no payment', { id: undefined }],
  ['no amount', { amount: undefined }],
])('an approval that names %s is not the answer to the stored sale', async (_, wrong) => {
  const { trouble, host } = withTrouble(async (parameters) =>
    createReply('000.100.110', 'approved', { ...approvedBody(String(parameters['merchantTransactionId'])), ...wrong }),
  );
  const run = rig.open({ host });
  const sale = await takenOffline(run);
  trouble.on = true;
  await run.drain();
  expect([forwardedOf(run, sale), run.outbox.waiting().length]).toEqual([undefined, 1]);
  trouble.on = false;
  await run.drain();
  expect([forwardedOf(run, sale), rig.booked(sale)]).toEqual([true, 1_000n]);
  run.close();
});

test('a stored sale whose answer was lost is inquired about: a forgotten key charges nothing twice', async () => {
  const forgetful = rig.newHost();
  let later = false;
  const run = rig.open({
    host: { ...rig.host, pay: (parameters, key) => (later ? forgetful : rig.host).pay(parameters, key) },
  });
  const sale = await takenOffline(run);
  rig.fates.push('answerLost');
  await run.drain();
  expect(rig.booked(sale)).toBe(1_000n);
  later = true;
  await run.passTime(1, 2 * 86_400_000);
  expect([debitsOf(sale), forgetful.books.length, forwardedOf(run, sale)]).toEqual([1, 0, true]);
  run.close();
});

test('a forgotten key charges nothing twice after a restart between the two tries either', async () => {
  const run = rig.open();
  const sale = await takenOffline(run);
  rig.fates.push('answerLost');
  await run.drain();
  run.close();
  const forgetful = rig.newHost();
  const next = rig.open({ host: { ...rig.host, pay: forgetful.pay } });
  next.till.recover();
  await next.passTime(1);
  expect([debitsOf(sale), forgetful.books.length, forwardedOf(next, sale)]).toEqual([1, 0, true]);
  next.close();
});

test.each(['100.396.103', '900.100.310', '900.100.301'])(
  '%s is not an issuer’s decision: the stored sale is sent again and charged',
  async (code) => {
    const { trouble, host } = withTrouble(async () => createReply(code, 'declined'));
    const run = rig.open({ host });
    const sale = await takenOffline(run);
    trouble.on = true;
    await run.drain();
    expect(forwardedOf(run, sale)).toBeUndefined();
    trouble.on = false;
    await run.passTime(2);
    expect([rig.booked(sale), debitsOf(sale)]).toEqual([1_000n, 1]);
    run.close();
  },
);

test('an issuer’s decline of a stored sale ends it, and nothing of it waits', async () => {
  const { trouble, host } = withTrouble(async () => createReply('800.100.155', 'declined'));
  const run = rig.open({ host });
  const sale = await takenOffline(run);
  trouble.on = true;
  await run.drain();
  expect(run.says(sale)).toEqual({ ending: 'declined declinedOnForwarding', charged: 0n });
  expect([run.outbox.waiting(), run.outbox.parked()]).toEqual([[], []]);
  run.close();
});

test('a temporarily uncertain gateway (900.100.300) is asked what it has, and the sale is charged once', async () => {
  const { trouble, host } = withTrouble(async () => createReply('900.100.300', 'unknown'));
  const run = rig.open({ host });
  const sale = await takenOffline(run);
  trouble.on = true;
  for (let n = 0; n < 10; n++) await run.drain();
  expect(trouble.queries).toBe(9);
  trouble.on = false;
  await run.passTime(1);
  expect([rig.booked(sale), debitsOf(sale), run.outbox.parked()]).toEqual([1_000n, 1, []]);
  run.close();
});

test('a gateway that stays uncertain leaves the sale to a person, whose decision gives it another turn', async () => {
  const { trouble, host } = withTrouble(async () => createReply('900.100.300', 'unknown'));
  const run = rig.open({ host });
  const sale = await takenOffline(run);
  trouble.on = true;
  for (let n = 0; n < 11; n++) await run.drain();
  expect(run.outbox.parked().map(({ sale }) => sale)).toEqual([sale]);
  expect(run.outbox.unpark(rig.clock.now())).toBe(1);
  // A new count: the next uncertain answer does not park it at once.
  expect(await run.drain()).toEqual({ done: 0, later: 1, parked: 0 });
  trouble.on = false;
  await run.passTime(1, LIFE_MS);
  expect([rig.booked(sale), debitsOf(sale), run.outbox.parked()]).toEqual([1_000n, 1, []]);
  run.close();
});

test('an answer that settles a stored sale is recorded once; one that settles nothing is evidence', async () => {
  const { trouble, host } = withTrouble(async () => createReply('999.999.999', 'unknown'));
  const run = rig.open({ host });
  const sale = await takenOffline(run);
  const steps = () => run.ledger.events(sale).map((event) => (event.on === 'asked' ? event.what : event.on));
  const before = steps();
  trouble.on = true;
  await run.drain();
  expect(steps().slice(before.length)).toEqual(['request']);
  trouble.on = false;
  const other = await takenOffline(run, 1_100n);
  const since = run.ledger.events(other).length;
  await run.passTime(1);
  expect(
    run.ledger
      .events(other)
      .slice(since)
      .map(({ on }) => on),
  ).toEqual(['forwarded']);
  run.close();
});
