/** Fees and exchange, to the cent and half a cent. */
import { expect, test } from 'vitest';
import type { FeeRule } from '../../../src/gateway/reports/settings-shape.ts';
import { feesShape, settlementShape } from '../../../src/gateway/reports/settings-shape.ts';
import { exchange, feesFor, settlementFee } from '../../../src/gateway/reports/terms.ts';

const facts = { paymentType: 'DB', paymentMethod: 'CC', brand: 'VISA' } as const;
const eur = (minor: bigint) => ({ minor, currency: 'EUR' });

const cases: readonly [minor: bigint, rules: FeeRule[], fee: bigint][] = [
  [1_000n, [{ percentage: '1.2', fixed: '0.05' }], 17n],
  // Half a cent is rounded up, less is not.
  [1_000n, [{ percentage: '1.25' }], 13n],
  [996n, [{ percentage: '1.25' }], 12n],
  [1_000n, [{ percentage: '1.2', min: '0.30' }], 30n],
  [100_000n, [{ percentage: '2', max: '5.00' }], 500n],
  // The fee is never more than the amount.
  [3n, [{ fixed: '0.05' }], 3n],
  // The first matching rule counts.
  [1_000n, [{ brand: 'MASTER', fixed: '9.00' }, { brand: 'VISA', fixed: '0.10' }, { fixed: '0.20' }], 10n],
  [
    1_000n,
    [
      { paymentType: 'RF', fixed: '9.00' },
      { method: 'CC', fixed: '0.11' },
    ],
    11n,
  ],
  [1_000n, [{ currency: 'USD', fixed: '9.00' }], 0n],
  [1_000n, [{ type: 'AUTH_FEE', fixed: '0.10' }], 0n],
  [999_999_999_999n, [{ percentage: '0.0001' }], 1_000_000n],
];

test('deducts the fee from a payment, rounding half a cent up', () => {
  for (const [minor, rules, fee] of cases)
    expect(settlementFee(eur(minor), facts, rules), JSON.stringify(rules)).toEqual(eur(fee));
});

test('separate fees apply to their own payment types', () => {
  const rules: FeeRule[] = [
    { type: 'AUTH_FEE', fixed: '0.03' },
    { type: 'AUTH_FEE', paymentType: 'DB', fixed: '0.02' },
    { type: 'REFUND_FEE', fixed: '0.10', percentage: '1' },
    { type: 'CANCEL_FEE', fixed: '0.00' },
    { type: 'MONTHLY', fixed: '10.00' },
  ];
  const feeFor = (paymentType: 'PA' | 'DB' | 'RF' | 'RV') =>
    feesFor(eur(1_000n), { ...facts, paymentType }, rules).map(({ type, fee }) => [type, fee.minor]);
  expect(feeFor('PA')).toEqual([['AUTH_FEE', 3n]]);
  expect(feeFor('DB')).toEqual([['AUTH_FEE', 2n]]);
  expect(feeFor('RF')).toEqual([['REFUND_FEE', 20n]]);
  expect(feeFor('RV')).toEqual([]);
});

test('a fee in a currency without cents has whole units', () => {
  expect(settlementFee({ minor: 1_000n, currency: 'JPY' }, facts, [{ percentage: '1.25', fixed: '0.50' }]).minor).toBe(
    14n,
  );
  expect(settlementFee({ minor: 10_000n, currency: 'KWD' }, facts, [{ percentage: '1.25' }]).minor).toBe(130n);
});

const exchanges = [
  [eur(1_000n), { currency: 'USD', rates: { EUR: '1.0875' } }, { minor: 1_088n, currency: 'USD' }, '1.0875'],
  [eur(1_000n), { currency: 'JPY', rates: { EUR: '161.5' } }, { minor: 1_615n, currency: 'JPY' }, '161.50'],
  [{ minor: 1_615n, currency: 'JPY' }, { currency: 'EUR', rates: { JPY: '0.0062' } }, eur(1_001n), '0.0062'],
  [eur(1_000n), { currency: 'KWD', rates: { EUR: '0.3333' } }, { minor: 3_330n, currency: 'KWD' }, '0.3333'],
  [eur(1_000n), { currency: 'USD', rates: {} }, eur(1_000n), '1.00'],
  [eur(1_000n), { rates: { EUR: '2' } }, eur(1_000n), '1.00'],
  // The amount has too many digits in the settlement currency, so it stays in its own currency.
  [eur(900_000_000_000n), { currency: 'JPY', rates: { EUR: '161' } }, eur(900_000_000_000n), '1.00'],
] as const;

test('converts an amount to the settlement currency, and returns the rate', () => {
  for (const [amount, terms, settled, rate] of exchanges)
    expect(exchange(amount, terms), JSON.stringify(terms)).toEqual({ settled, rate });
});

test.each([
  { fees: [{ type: 'FREE', fixed: '1.00' }] },
  { fees: [{}] },
  { fees: [{ percentage: '101' }] },
  { fees: [{ percentage: '-1' }] },
  { fees: [{ fixed: '1' }] },
  { fees: [{ fixed: '1.00', min: '2.00', max: '1.00' }] },
  { fees: [{ type: 'MONTHLY', percentage: '1' }] },
])('refuses the fee schedule %j', ({ fees }) => {
  expect(feesShape.safeParse(fees).success).toBe(false);
});

const server = { host: 'files.example.com', user: 'shop', hostKey: `SHA256:${'A'.repeat(43)}`, password: 'x' };
const { hostKey: _, ...unpinned } = server;

test.each([
  [{ folder: 'settlement' }],
  [{ folder: '/x', timeZone: 'Mars/Base' }],
  [{ folder: '/x', at: '24:00' }],
  [{ folder: '/x', rates: { USD: '0' } }],
  [{ folder: '/x', rates: { XYZ: '1' } }],
  [{ folder: '/x', sftp: unpinned }],
  [{ folder: '/x', sftp: { ...server, hostKey: 'MD5:aa' } }],
  [{ folder: '/x', sftp: { ...server, keyFile: '/key' } }],
  [{ folder: '/x', sftp: { ...server, password: undefined } }],
])('refuses the settlement settings %j', (settlement) => {
  expect(settlementShape.safeParse(settlement).success).toBe(false);
  expect(settlementShape.safeParse({ folder: '/x', sftp: server, rates: { USD: '0.92' } }).success).toBe(true);
});
