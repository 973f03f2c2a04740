/** How often and how much within a time: at the limits of the number, the sum and the window. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { screeningNames } from '../../../src/gateway/risk/assess.ts';
import type { Subject } from '../../../src/gateway/risk/facts.ts';
import { entityId, hash, payment, type SentValues, screening } from './screening.ts';

const MINUTE = 60_000;

/** For each subject: a parameter that makes it a different one, and the codes that refuse it. */
const subjects: readonly (readonly [per: Subject, other: SentValues, most: string, total: string])[] = [
  ['card', { 'card.number': '4000056655665556' }, '800.120.101', '800.120.201'],
  ['ip', { 'customer.ip': '192.0.2.8' }, '800.120.102', '800.120.202'],
  ['email', { 'customer.email': 'john@example.com' }, '800.120.103', '800.120.203'],
  ['customer', { 'customer.merchantCustomerId': 'C2' }, '800.120.401', '800.120.401'],
];

describe.each(subjects)('per %s', (per, other, tooManyVerdict, tooMuchVerdict) => {
  test('the allowed number passes, one more is refused', async () => {
    const { verdict } = screening({ velocity: [{ per, withinMinutes: 60, most: 3 }] });
    for (const expected of ['passed', 'passed', 'passed', tooManyVerdict])
      expect(await verdict(payment())).toBe(expected);
    expect(await verdict(payment(other))).toBe('passed');
  });

  test('the sum may reach the limit, but not exceed it', async () => {
    const { verdict } = screening({ velocity: [{ per, withinMinutes: 60, total: '30.00' }] });
    expect(await verdict(payment({ amount: '29.99' }))).toBe('passed');
    expect(await verdict(payment({ amount: '0.02' }))).toBe(tooMuchVerdict);
    expect(await verdict(payment({ amount: '0.01' }))).toBe('passed');
    expect(await verdict(payment({ amount: '0.01' }))).toBe(tooMuchVerdict);
    expect(await verdict(payment({ ...other, amount: '30.00' }))).toBe('passed');
  });

  test('a payment as old as the window is outside of it; one millisecond younger, it counts', async () => {
    const { verdict } = screening({ velocity: [{ per, withinMinutes: 60, most: 1, total: '10.00' }] });
    expect(await verdict(payment(), 0)).toBe('passed');
    expect(await verdict(payment(), 60 * MINUTE - 1)).toBe(tooManyVerdict);
    const newScreening = screening({ velocity: [{ per, withinMinutes: 60, most: 1, total: '10.00' }] });
    await newScreening.pay(payment(), 0);
    expect(await newScreening.verdict(payment(), 60 * MINUTE)).toBe('passed');
  });

  test('a payment without the subject does not count', async () => {
    const { verdict, sightings } = screening({ velocity: [{ per, withinMinutes: 60, most: 1 }] });
    const withoutSubject = { amount: '10.00', currency: 'EUR' };
    expect([await verdict(withoutSubject), await verdict(withoutSubject)]).toEqual(['passed', 'passed']);
    expect(sightings).toEqual([]);
  });

  test('each channel counts separately', async () => {
    const { verdict } = screening({ velocity: [{ per, withinMinutes: 60, most: 1 }] });
    expect(await verdict(payment(), 0)).toBe('passed');
    expect(await verdict(payment(), 0, 'b'.repeat(32))).toBe('passed');
  });
});

test.each<[string, SentValues, SentValues]>([
  ['an e-mail in other case', { 'customer.email': 'a@b.com' }, { 'customer.email': 'A@B.COM' }],
  ['an IP address in another spelling', { 'customer.ip': '10.0.0.1' }, { 'customer.ip': '::ffff:a00:1' }],
  ['IPv6 in full', { 'customer.ip': '2001:db8::1' }, { 'customer.ip': '2001:0db8:0000:0:0:0:0:0001' }],
  ['a text that is not an IP address', { 'customer.ip': 'Proxy' }, { 'customer.ip': 'proxy ' }],
])('%s is the same', async (_, first, second) => {
  const per = 'customer.ip' in first ? 'ip' : 'email';
  const { verdict } = screening({ velocity: [{ per, withinMinutes: 1, most: 1 }] });
  expect(await verdict(payment(first))).toBe('passed');
  expect(await verdict(payment(second))).not.toBe('passed');
});

test('a refused payment counts as an attempt, and not as money', async () => {
  const combinedScreening = screening({
    amountMax: '50.00',
    velocity: [{ per: 'card', withinMinutes: 60, most: 3, total: '50.00' }],
  });
  expect(await combinedScreening.verdict(payment({ amount: '50.01' }))).toBe('100.550.312');
  expect(combinedScreening.sightings.every(({ minor }) => minor === 0n)).toBe(true);
  expect(await combinedScreening.verdict(payment({ amount: '50.00' }))).toBe('passed');
  expect(await combinedScreening.verdict(payment({ amount: '0.01' }))).toBe('800.120.201');
  expect(await combinedScreening.verdict(payment({ amount: '0.01' }))).toBe('800.120.101');
});

test('money counts by currency, attempts in any', async () => {
  const sums = screening({ velocity: [{ per: 'card', withinMinutes: 60, total: '10.00' }] });
  expect(await sums.verdict(payment())).toBe('passed');
  expect(await sums.verdict(payment({ currency: 'CHF' }))).toBe('passed');
  expect(await sums.verdict(payment({ currency: 'CHF' }))).toBe('800.120.201');
  const countingScreening = screening({ velocity: [{ per: 'card', withinMinutes: 60, most: 1 }] });
  expect(await countingScreening.verdict(payment())).toBe('passed');
  expect(await countingScreening.verdict(payment({ currency: 'CHF' }))).toBe('800.120.101');
});

test('risk.amount is the amount that counts, if it is sent', async () => {
  const { verdict } = screening({ velocity: [{ per: 'card', withinMinutes: 60, total: '30.00' }] });
  expect(await verdict(payment({ amount: '1.00', 'risk.amount': '30.00' }))).toBe('passed');
  expect(await verdict(payment({ amount: '0.01' }))).toBe('800.120.201');
});

test('each of several rules applies to its own window', async () => {
  const { verdict } = screening({
    velocity: [
      { per: 'card', withinMinutes: 1, most: 1 },
      { per: 'card', withinMinutes: 10, most: 2 },
    ],
  });
  expect(await verdict(payment(), 0)).toBe('passed');
  expect(await verdict(payment(), MINUTE)).toBe('passed');
  expect(await verdict(payment(), 2 * MINUTE)).toBe('800.120.101');
  expect(await verdict(payment(), 12 * MINUTE)).toBe('passed');
});

test('stored sightings identify nobody', async () => {
  const velocity = subjects.map(([per]) => ({ per, withinMinutes: 60, most: 1, total: '1.00' }));
  const { pay, sightings } = screening({ velocity });
  await pay(payment());
  expect(sightings.length).toBeGreaterThan(0);
  expect(sightings.every(({ subject }) => /^[0-9a-f]{64}$/.test(subject))).toBe(true);
});

test('transactions that count the same subject share a screening name, and those that count nothing have none', () => {
  const names = (form: SentValues, rules = { velocity: [{ per: 'card', withinMinutes: 1, most: 1 }] as const }) =>
    screeningNames({ rules, request: payment(form), entityId, hash });
  expect(names({})).toHaveLength(1);
  expect(names({})).toEqual(names({ 'customer.ip': '192.0.2.9', currency: 'CHF', amount: '1.00' }));
  expect(names({})).not.toEqual(names({ 'card.number': '4000056655665556' }));
  expect(names({})[0]).not.toContain('4539578763621486');
  expect(screeningNames({ rules: { amountMax: '1.00' }, request: payment(), entityId, hash })).toEqual([]);
});

test('no window lets more pass than the rule allows, in whatever order', async () => {
  const attempt = fc.record({ gapMs: fc.integer({ min: 0, max: MINUTE }), cents: fc.integer({ min: 1, max: 500 }) });
  const limits = fc.record({ most: fc.integer({ min: 1, max: 5 }), euros: fc.integer({ min: 1, max: 10 }) });
  await fc.assert(
    fc.asyncProperty(limits, fc.array(attempt, { maxLength: 20 }), async ({ most, euros }, payments) => {
      const { verdict } = screening({ velocity: [{ per: 'card', withinMinutes: 1, most, total: `${euros}` }] });
      const acceptedPayments: { at: number; cents: number }[] = [];
      let at = 0;
      for (const { gapMs, cents } of payments) {
        at += gapMs;
        const amount = (cents / 100).toFixed(2);
        if ((await verdict(payment({ amount }), at)) !== 'passed') continue;
        acceptedPayments.push({ at, cents });
        const window = acceptedPayments.filter((each) => each.at > at - MINUTE);
        expect(window.length).toBeLessThanOrEqual(most);
        expect(window.reduce((sum, each) => sum + each.cents, 0)).toBeLessThanOrEqual(euros * 100);
      }
    }),
  );
});
