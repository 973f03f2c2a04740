import { describe, expect, test } from 'vitest';
import type { Acquirer } from '../../../../src/gateway/payments/acquirer.ts';
import { acquirer, memory, reference } from '../shop-counter.ts';
import { codesOf, purseBalances, type RequestParts, request } from './counter.ts';

const PLAIN = '9911223344556677';

const authorise = (shop: Acquirer, parameters: Record<string, string>, options: RequestParts = {}) =>
  shop.authorise(request('giftCard', parameters, { brand: 'GIFTCARD', ...options }));

const rows: [
  title: string,
  parameters: Record<string, string>,
  parts: RequestParts,
  expected: string,
  balance: string | undefined,
][] = [
  ['any card has 100.00', { number: PLAIN }, {}, '000.100.110 00', '87.50'],
  ['all of it', { number: PLAIN }, { minor: 10_000n }, '000.100.110 00', '0.00'],
  ['a cent more', { number: PLAIN }, { minor: 10_001n }, '800.100.155 51', '100.00'],
  ['held', { number: PLAIN, pin: '6677' }, { type: 'PA' }, '000.100.110 00', '87.50'],
  ['topped up', { number: PLAIN }, { type: 'CD' }, '000.100.110 00', '112.50'],
  ['letters', { number: 'HAPPY-BIRTHDAY', pin: 'HDAY' }, {}, '000.100.110 00', '87.50'],
  ['in yen', { number: PLAIN }, { minor: 30n, currency: 'JPY' }, '000.100.110 00', '9970.00'],
  ['in dinars', { number: PLAIN }, { minor: 1_255n, currency: 'KWD' }, '000.100.110 00', '98.74'],
  ['empty', { number: '9900000000000000' }, { minor: 1n }, '800.100.155 51', '0.00'],
  ['10.00', { number: '9900000000000010' }, { minor: 999n }, '000.100.110 00', '0.01'],
  ['1,000.00', { number: '9900000000001000' }, {}, '000.100.110 00', '987.50'],
  ['full', { number: '9900000000050000' }, {}, '000.100.110 00', '49987.50'],
  ['full, topped up', { number: '9900000000050000' }, { type: 'CD', minor: 1n }, '800.100.162 61', '50000.00'],
  ['lost', { number: '9900000000000041' }, {}, '800.100.165 41', undefined],
  ['expired', { number: '9900000000000054' }, {}, '800.100.157 54', undefined],
  ['not activated', { number: '9900000000000062' }, {}, '800.100.168 62', undefined],
  ['a wrong PIN', { number: PLAIN, pin: '1234' }, {}, '800.100.166 55', undefined],
  ['no number', {}, {}, '100.100.100', undefined],
  ['a property name of every object', { number: 'constructor' }, {}, '000.100.110 00', '87.50'],
];

test.each(rows)('%s', async (_, parameters, options, expected, balance) => {
  const answer = await authorise(acquirer(), parameters, options);
  expect(codesOf(answer)).toBe(expected);
  expect(answer.details['Balance']).toBe(balance);
  expect(answer.details['BalanceCurrency']).toBe(balance && (options.currency ?? 'EUR'));
});

describe('PINs', () => {
  test('three wrong ones in a row lock the card, also for requests without a PIN', async () => {
    const shop = acquirer();
    const codes: string[] = [];
    for (const pin of ['0001', '0002', '0003', '6677'])
      codes.push(codesOf(await authorise(shop, { number: PLAIN, pin })));
    codes.push(codesOf(await authorise(shop, { number: PLAIN })));
    expect(codes).toEqual(['800.100.166 55', '800.100.166 55', '800.100.178 75', '800.100.178 75', '800.100.178 75']);
    expect(codesOf(await authorise(shop, { number: '9911223344550000' }))).toBe('000.100.110 00');
  });

  test('a right one resets the count; a request without a PIN does not', async () => {
    const shop = acquirer();
    for (const pin of ['0001', '0002', '6677', '0001', '0002'])
      await authorise(shop, { number: PLAIN, pin }, { minor: 1n });
    await authorise(shop, { number: PLAIN });
    expect(codesOf(await authorise(shop, { number: PLAIN, pin: '0003' }))).toBe('800.100.178 75');
  });

  test('a repeat of the request is not another attempt', async () => {
    const shop = acquirer();
    const wrongRequest = request('giftCard', { number: PLAIN, pin: '0001' });
    for (let times = 0; times < 5; times += 1)
      expect(codesOf(await shop.authorise(wrongRequest))).toBe('800.100.166 55');
    expect(codesOf(await authorise(shop, { number: PLAIN, pin: '6677' }))).toBe('000.100.110 00');
  });

  test('a refund to the card does not unlock it', async () => {
    const shop = acquirer();
    const paidRequest = request('giftCard', { number: PLAIN });
    await shop.authorise(paidRequest);
    for (const pin of ['0001', '0002', '0003']) await authorise(shop, { number: PLAIN, pin });
    expect(codesOf(await shop.refer(reference('refund', paidRequest.id)))).toBe('000.100.110 00');
    expect(codesOf(await authorise(shop, { number: PLAIN, pin: '6677' }))).toBe('800.100.178 75');
  });

  test('stored documents contain neither number nor PIN', async () => {
    const records = memory();
    await authorise(acquirer({ memory: records }), { number: PLAIN, pin: '471120930857' });
    expect(JSON.stringify([...records.documents])).not.toMatch(/99112233|471120930857/);
  });
});

test('a held or redeemed amount can be returned', async () => {
  const records = memory();
  const shop = acquirer({ memory: records });
  const heldRequest = request('giftCard', { number: PLAIN }, { type: 'PA', minor: 4_000n });
  const redeemed = request('giftCard', { number: PLAIN }, { minor: 6_000n });
  await shop.authorise(heldRequest);
  await shop.authorise(redeemed);
  expect(purseBalances(records)).toEqual([0n]);
  await shop.refer(reference('capture', heldRequest.id, { minor: 1_500n }));
  await shop.refer(reference('reverse', heldRequest.id, { minor: 2_500n }));
  await shop.refer(reference('refund', redeemed.id, { minor: 2_000n }));
  expect(purseBalances(records)).toEqual([45_000n]);
});
