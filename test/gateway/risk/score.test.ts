/** The score: each sign alone, the sum of the signs, its limits, and the refusal at a channel's limit. */
import { describe, expect, test } from 'vitest';
import { type RiskRules, riskFactsOf } from '../../../src/gateway/risk/facts.ts';
import { scoreOf, signs } from '../../../src/gateway/risk/score.ts';
import { payment, type SentValues, screening } from './screening.ts';

const DAY = 86_400_000;

const requestScore = (form: SentValues, rules: RiskRules = {}): number =>
  scoreOf({ facts: riskFactsOf(form), rules, allowed: false, cardsOnIp: 1 });

const without = (...names: string[]): SentValues =>
  Object.fromEntries(Object.entries(payment()).filter(([name]) => !names.includes(name)));

const merchants = { 'standingInstruction.source': 'MIT' };
const chip = { amount: '10.00', currency: 'EUR', 'pos.entryMode': 'ICC' };

test.each<[string, SentValues, number]>([
  ['nothing', payment(), 0],
  ['goods to the same country', payment({ 'shipping.country': 'de' }), 0],
  ['goods to another country', payment({ 'shipping.country': 'AT' }), 30],
  ['no name', without('card.holder'), 10],
  ['the customer’s name', { ...without('card.holder'), 'customer.surname': 'Jones' }, 0],
  ['a company’s name', { ...without('card.holder'), 'customer.companyName': 'Jones Ltd' }, 0],
  ['no name and no shopper', { ...without('card.holder'), ...merchants }, 0],
  ['a disposable e-mail', payment({ 'customer.email': 'x@Mailinator.com' }), 40],
  ['one that only ends the same way', payment({ 'customer.email': 'x@notmailinator.com' }), 0],
  ['no IP address where one should be', payment({ 'customer.ip': 'unknown' }), 10],
  ['the all-zero address, which is valid', payment({ 'customer.ip': '::' }), 0],
  ['no security code', without('card.cvv'), 20],
  ['no security code for a device’s number', { ...without('card.cvv'), 'card.numberType': 'DPAN' }, 0],
  ['no security code, and no shopper', { ...without('card.cvv'), ...merchants }, 0],
  ['no security code for a bank account', without('card.cvv', 'card.number'), 0],
  ['a new customer', payment({ 'customer.status': 'NEW' }), 10],
  ['a known customer', payment({ 'customer.status': 'EXISTING' }), -10],
  ['a chip', chip, -40],
  ['a contactless chip', { ...chip, 'pos.entryMode': 'NFC_ICC' }, -40],
  ['a magnetic stripe', { ...chip, 'pos.entryMode': 'MAGSTRIPE' }, 0],
  ['3D Secure', payment({ 'threeDSecure.eci': '05' }), -40],
  ['3-D Secure of the other scheme', payment({ 'threeDSecure.eci': '02' }), -40],
  ['3-D Secure that was attempted', payment({ 'threeDSecure.eci': '06' }), -20],
  ['3D Secure that failed', payment({ 'threeDSecure.eci': '07' }), 0],
  [
    'several signs',
    payment({ 'shipping.country': 'AT', 'customer.email': 'x@yopmail.com', 'customer.status': 'NEW' }),
    80,
  ],
])('%s', (_, form, score) => {
  expect(requestScore(form)).toBe(score);
});

test.each<[string, string, number]>([
  ['7.99', '10.00', 0],
  ['8.00', '10.00', 20],
  ['10.00', '10.00', 20],
  ['0.01', '0.01', 20],
])('%s of at most %s', (amount, amountMax, score) => {
  expect(requestScore(payment({ amount }), { amountMax })).toBe(score);
});

test('no sign against a payment is worth 50 alone, except many cards on one address', () => {
  const maximumPoints = signs.map(({ pointsOf: points }) =>
    Math.max(
      ...[payment({ 'shipping.country': 'AT', 'customer.email': 'x@yopmail.com', 'customer.ip': 'x' }), chip].map(
        (form) => points({ facts: riskFactsOf(form), rules: { amountMax: '10.00' }, allowed: false, cardsOnIp: 1 }),
      ),
    ),
  );
  expect(Math.max(...maximumPoints)).toBe(40);
});

describe('many cards on one IP address', () => {
  const cardOf = (n: number): SentValues => payment({ 'card.number': `4539578763${String(n).padStart(6, '0')}` });

  test('count from the third on, each once, up to ten', async () => {
    const { pay } = screening({});
    const scores: number[] = [];
    for (let n = 0; n < 15; n += 1) {
      scores.push((await pay(cardOf(n))).score);
      expect((await pay(cardOf(n))).score).toBe(scores.at(-1));
    }
    expect(scores).toEqual([0, 0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 200, 200, 200]);
  });

  test('are forgotten after a day', async () => {
    const { pay } = screening({});
    for (const n of [0, 1, 2]) await pay(cardOf(n), 0);
    expect((await pay(cardOf(3), DAY - 1)).score).toBe(40);
    expect((await pay(cardOf(4), DAY)).score).toBe(0);
  });

  test('are stored once each, not once per payment', async () => {
    const { pay, sightings } = screening({});
    for (let times = 0; times < 10; times += 1) await pay(cardOf(1));
    expect(sightings).toHaveLength(2);
  });
});

test('the allow list outweighs all others together, and the limits hold', async () => {
  const { score } = await screening({ allow: { customers: ['C1'] } }).pay(payment({ 'shipping.country': 'AT' }));
  expect(score).toBe(-99_969);
  const knownCustomer = payment({ 'customer.status': 'EXISTING' });
  expect((await screening({ allow: { customers: ['C1'] } }).pay(knownCustomer)).score).toBe(-99_999);
});

test.each<[number, string]>([
  [29, '100.400.002'],
  [30, '100.400.002'],
  [31, 'passed'],
])('a score of 30 against a limit of %i', async (refuseFrom, verdict) => {
  const firstScreening = screening({ score: { refuseFrom } });
  expect(await firstScreening.verdict(payment({ 'shipping.country': 'AT' }))).toBe(verdict);
});
