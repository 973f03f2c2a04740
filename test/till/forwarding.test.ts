/** Offline sales: forwarded once, inquired about before they are sent again, ended only by an issuer's decision. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Host } from '../../src/till/ports.ts';
import { answered, chipCard, LIFE_MS, type Life, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => rig.remove());

const takenOffline = async (life: Life, minor = 1_000n): Promise<string> => {
  rig.fates.push('notReached');
  const sale = life.sell(minor);
  expect((await rig.clock.until(sale.done)).offline).toBe('chip');
  return sale.sale;
};

const forwardedOf = (life: Life, sale: string) => {
  const now = life.till.findSale(sale);
  return now.at === 'ended' ? now.forwarded?.approved : undefined;
};

const debitsOf = (sale: string) => rig.ofSale(sale).filter(({ paymentType }) => paymentType === 'DB').length;

/** The gateway, except for the answer of `instead` to payments while `trouble.on`. */
const troubled = (instead: Host['pay']) => {
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
  const life = rig.open();
  const sale = await takenOffline(life);
  expect([forwardedOf(life, sale), rig.booked(sale)]).toEqual([undefined, 0n]);
  await life.drain();
  await life.pass(2);
  expect([forwardedOf(life, sale), rig.booked(sale), debitsOf(sale)]).toEqual([true, 1_000n, 1]);
  life.close();
});

const good = (sale: string) => ({
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
  const { trouble, host } = troubled(async (parameters) =>
    answered('000.100.110', 'approved', { ...good(String(parameters['merchantTransactionId'])), ...wrong }),
  );
  const life = rig.open({ host });
  const sale = await takenOffline(life);
  trouble.on = true;
  await life.drain();
  expect([forwardedOf(life, sale), life.outbox.waiting().length]).toEqual([undefined, 1]);
  trouble.on = false;
  await life.drain();
  expect([forwardedOf(life, sale), rig.booked(sale)]).toEqual([true, 1_000n]);
  life.close();
});

test('a stored sale whose answer was lost is inquired about: a forgotten key charges nothing twice', async () => {
  const forgetful = rig.newHost();
  let later = false;
  const life = rig.open({
    host: { ...rig.host, pay: (parameters, key) => (later ? forgetful : rig.host).pay(parameters, key) },
  });
  const sale = await takenOffline(life);
  rig.fates.push('answerLost');
  await life.drain();
  expect(rig.booked(sale)).toBe(1_000n);
  later = true;
  await life.pass(1, 2 * 86_400_000);
  expect([debitsOf(sale), forgetful.books.length, forwardedOf(life, sale)]).toEqual([1, 0, true]);
  life.close();
});

test('the same holds after a restart between the two tries', async () => {
  const life = rig.open();
  const sale = await takenOffline(life);
  rig.fates.push('answerLost');
  await life.drain();
  life.close();
  const forgetful = rig.newHost();
  const next = rig.open({ host: { ...rig.host, pay: forgetful.pay } });
  next.till.recover();
  await next.pass(1);
  expect([debitsOf(sale), forgetful.books.length, forwardedOf(next, sale)]).toEqual([1, 0, true]);
  next.close();
});

test.each(['100.396.103', '900.100.310', '900.100.301'])(
  '%s is not an issuer’s decision: the stored sale is sent again and charged',
  async (code) => {
    const { trouble, host } = troubled(async () => answered(code, 'declined'));
    const life = rig.open({ host });
    const sale = await takenOffline(life);
    trouble.on = true;
    await life.drain();
    expect(forwardedOf(life, sale)).toBeUndefined();
    trouble.on = false;
    await life.pass(2);
    expect([rig.booked(sale), debitsOf(sale)]).toEqual([1_000n, 1]);
    life.close();
  },
);

test('an issuer’s decline of a stored sale ends it, and nothing of it waits', async () => {
  const { trouble, host } = troubled(async () => answered('800.100.155', 'declined'));
  const life = rig.open({ host });
  const sale = await takenOffline(life);
  trouble.on = true;
  await life.drain();
  expect(life.says(sale)).toEqual({ ending: 'declined declinedOnForwarding', charged: 0n });
  expect([life.outbox.waiting(), life.outbox.parked()]).toEqual([[], []]);
  life.close();
});

test('a temporarily uncertain gateway (900.100.300) is asked what it has, and the sale is charged once', async () => {
  const { trouble, host } = troubled(async () => answered('900.100.300', 'unknown'));
  const life = rig.open({ host });
  const sale = await takenOffline(life);
  trouble.on = true;
  for (let n = 0; n < 10; n++) await life.drain();
  expect(trouble.queries).toBe(9);
  trouble.on = false;
  await life.pass(1);
  expect([rig.booked(sale), debitsOf(sale), life.outbox.parked()]).toEqual([1_000n, 1, []]);
  life.close();
});

test('one that stays uncertain leaves it to a person, whose decision gives it another turn', async () => {
  const { trouble, host } = troubled(async () => answered('900.100.300', 'unknown'));
  const life = rig.open({ host });
  const sale = await takenOffline(life);
  trouble.on = true;
  for (let n = 0; n < 11; n++) await life.drain();
  expect(life.outbox.parked().map(({ sale }) => sale)).toEqual([sale]);
  expect(life.outbox.unpark(rig.clock.now())).toBe(1);
  // A new count: the next uncertain answer does not park it at once.
  expect(await life.drain()).toEqual({ done: 0, later: 1, parked: 0 });
  trouble.on = false;
  await life.pass(1, LIFE_MS);
  expect([rig.booked(sale), debitsOf(sale), life.outbox.parked()]).toEqual([1_000n, 1, []]);
  life.close();
});

test('an answer that settles a stored sale is recorded once; one that settles nothing is evidence', async () => {
  const { trouble, host } = troubled(async () => answered('999.999.999', 'unknown'));
  const life = rig.open({ host });
  const sale = await takenOffline(life);
  const steps = () => life.ledger.events(sale).map((event) => (event.on === 'asked' ? event.what : event.on));
  const before = steps();
  trouble.on = true;
  await life.drain();
  expect(steps().slice(before.length)).toEqual(['request']);
  trouble.on = false;
  const other = await takenOffline(life, 1_100n);
  const since = life.ledger.events(other).length;
  await life.pass(1);
  expect(
    life.ledger
      .events(other)
      .slice(since)
      .map(({ on }) => on),
  ).toEqual(['forwarded']);
  life.close();
});
