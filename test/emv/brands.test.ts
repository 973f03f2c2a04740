import { expect, test } from 'vitest';
import { type Brand, brandOfAid, brandOfPan } from '../../src/emv/brands.ts';
import { testCards } from '../../src/emv/test-cards.ts';

// Both ends of every range, and the numbers just outside.
test.each<[string, Brand | undefined]>([
  ['4000000000000000', 'VISA'],
  ['4999999999999999', 'VISA'],
  ['2221000000000009', 'MASTER'],
  ['2720999999999996', 'MASTER'],
  ['2220999999999999', undefined],
  ['2721000000000000', undefined],
  ['5100000000000000', 'MASTER'],
  ['5599999999999999', 'MASTER'],
  ['5600000000000000', 'MAESTRO'],
  ['5899999999999999', 'MAESTRO'],
  ['5900000000000000', undefined],
  ['5018000000000000', 'MAESTRO'],
  ['6304000000000000', 'MAESTRO'],
  ['6759000000000000', 'MAESTRO'],
  ['340000000000000', 'AMEX'],
  ['370000000000000', 'AMEX'],
  ['350000000000000', undefined],
  ['30000000000000', 'DINERS'],
  ['30599999999999', 'DINERS'],
  ['30600000000000', undefined],
  ['30950000000000', 'DINERS'],
  ['36000000000000', 'DINERS'],
  ['38000000000000', 'DINERS'],
  ['39999999999999', 'DINERS'],
  ['6011000000000000', 'DISCOVER'],
  ['6440000000000000', 'DISCOVER'],
  ['6500000000000000', 'DISCOVER'],
  ['6439990000000000', undefined],
  ['6012000000000000', undefined],
  ['3527999999999999', undefined],
  ['3528000000000000', 'JCB'],
  ['3589999999999999', 'JCB'],
  ['3590000000000000', undefined],
  ['6200000000000000', 'UNIONPAY'],
  ['8100000000000000', 'UNIONPAY'],
  ['5085000000000000', undefined],
  ['5067000000000000', undefined],
  ['6362970000000000', undefined],
  ['476173******0010', 'VISA'],
  ['', undefined],
  ['47617', undefined],
  ['****', undefined],
  [' 476173', undefined],
])('the number %s is %s', (pan, brand) => {
  expect(brandOfPan(pan)).toBe(brand);
});

test.each<[string, Brand | undefined]>([
  ['A0000000031010', 'VISA'],
  ['A0000000032010', 'VISA'],
  ['A0000000980840', 'VISA'],
  ['A0000000041010', 'MASTER'],
  ['A0000000043060', 'MAESTRO'],
  ['A0000000042203', 'MAESTRO'],
  ['A000000025010402', 'AMEX'],
  ['a0000000651010', 'JCB'],
  ['A0000001523010', 'DISCOVER'],
  ['A000000333010101', 'UNIONPAY'],
  ['A0000000421010', 'CARTEBLEUE'],
  ['A0000002771010', 'INTERAC'],
  ['A0000003591010028001', undefined],
  ['A000', undefined],
  ['', undefined],
])('the application %s is %s', (aid, brand) => {
  expect(brandOfAid(aid)).toBe(brand);
});

test('the simulated cards have their brand by chip, and by number if the scheme has numbers', () => {
  for (const { pan, aid, brand } of Object.values(testCards)) {
    const byNumber = brand === 'INTERAC' ? 'VISA' : brand;
    expect([pan, brandOfPan(pan), brandOfAid(aid)]).toEqual([pan, byNumber, brand]);
  }
});
