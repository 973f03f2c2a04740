/**
 * The funds of the simulated cards: 5,000.00 EUR and its equivalent in each currency, and one card whose funds never
 * run out.
 */
import { describe, expect, test } from 'vitest';
import { exponentOf } from '../../../src/base/money.ts';
import { acquirer, available, cardOf, memory, present, reference } from './shop-counter.ts';

const ENDLESS = '4200000000000000';
const OTHER = '5454545454545454';
const expires = { month: '12', year: '2031' };

const codeOf = async (number: string, options: Parameters<typeof cardOf>[1], issuer = acquirer()) =>
  (await issuer.authorise(cardOf(number, { ...expires, ...options }))).details['AcquirerResponse'];

describe('a card with 5,000.00 EUR', () => {
  /** A usual price, and an amount above 5,000 euros. Whole units. */
  test.each<[currency: string, sells: bigint, tooMuch: bigint]>([
    ['EUR', 5_000n, 5_001n],
    ['USD', 5_000n, 5_001n],
    ['KWD', 1_500n, 5_001n],
    ['SEK', 40_000n, 50_001n],
    ['JPY', 30_000n, 500_001n],
    ['INR', 400_000n, 500_001n],
    ['HUF', 1_900_000n, 5_000_001n],
    ['KRW', 5_000_000n, 5_000_001n],
    ['IDR', 50_000_000n, 50_000_001n],
    ['VND', 50_000_000n, 50_000_001n],
    ['LBP', 450_000_000n, 500_000_001n],
  ])('in %s', async (currency, sells, tooMuch) => {
    const minor = (units: bigint) => units * 10n ** BigInt(exponentOf(currency));
    expect(await codeOf(OTHER, { currency, minor: minor(sells) })).toBe('00');
    expect(await codeOf(OTHER, { currency, minor: minor(tooMuch) })).toBe('51');
  });

  test('refunds exactly what it took, to the smallest unit', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    for (const [currency, minor] of [
      ['IDR', 3n],
      ['JPY', 7n],
      ['LBP', 1n],
    ] as const) {
      const sale = cardOf(OTHER, { ...expires, currency, minor });
      await issuer.authorise(sale);
      expect(available(records)[0]).toBeLessThan(5_000_000n);
      await issuer.refer(reference('refund', sale.id, { currency, minor }));
      expect(available(records)).toEqual([5_000_000n]);
      expect(await codeOf(OTHER, { minor: 500_000n, type: 'PA', id: `all${currency}` }, issuer)).toBe('00');
      await issuer.refer(reference('reverse', `all${currency}`, { minor: 500_000n }));
    }
  });
});

describe('the card whose funds never run out', () => {
  test('pays typed, swiped, after a longer hold, and as a rebill', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    for (let sale = 0; sale < 5; sale += 1) expect(await codeOf(ENDLESS, { minor: 490_000n }, issuer)).toBe('00');
    const swiped = await issuer.authorise(present('visa-stripe', { by: 'swipe', minor: 490_000n }));
    expect(swiped.details['AcquirerResponse']).toBe('00');
    const heldRequest = cardOf(ENDLESS, { ...expires, type: 'PA', minor: 490_000n });
    await issuer.authorise(heldRequest);
    for (const operation of ['increase', 'capture', 'rebill'] as const) {
      const answer = await issuer.refer(reference(operation, heldRequest.id, { minor: 490_000n }));
      expect([operation, answer.details['AcquirerResponse']]).toEqual([operation, '00']);
    }
    expect(available(records)).toEqual([5_000_000n - 9n * 4_900_000n]);
  });

  test('declines as documented: above 25,000.00, and by trigger amounts', async () => {
    expect(await codeOf(ENDLESS, { minor: 2_500_000n })).toBe('00');
    expect(await codeOf(ENDLESS, { minor: 2_500_001n })).toBe('61');
    expect(await codeOf(ENDLESS, { minor: 800_051n })).toBe('51');
  });
});
