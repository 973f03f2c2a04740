/** Allowed follow-ups and their effect on the account. Each line is the life of one authorisation of 100.00. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money } from '../../../src/base/money.ts';
import {
  applyOperation,
  createPurseMove,
  type PurseMove,
  takenAmount,
} from '../../../src/gateway/acquirers/simulator/purse.ts';
import { worthOf } from '../../../src/gateway/acquirers/simulator/worth.ts';
import type { ReferenceOperation } from '../../../src/gateway/payments/acquirer.ts';

const operations: Readonly<Record<string, ReferenceOperation>> = {
  cp: 'capture',
  rv: 'reverse',
  rf: 'refund',
  up: 'increase',
  rb: 'rebill',
  rc: 'receipt',
  cb: 'chargeback',
  cr: 'chargebackReversal',
};

/** `PA cp:60 rv:40` → the account's loss at the end, or the code that refused the last step. */
const live = (line: string): string => {
  const [type, ...steps] = line.split(' ');
  let move = createPurseMove(type as PurseMove['type'], money(10_000n, 'EUR'));
  for (const [index, step] of steps.entries()) {
    const [operationName = '', units = ''] = step.split(':');
    const operation = operations[operationName];
    if (operation === undefined) return `no such step: ${operationName}`;
    const result = applyOperation(move, operation, money(BigInt(units) * 100n, 'EUR'));
    if (!result.ok) return index === steps.length - 1 ? result.resultCode : `refused early at ${step}`;
    move = result.moved;
  }
  return String(takenAmount(move) / 100_000_000n);
};

test.each([
  ['PA', '100'],
  ['DB', '100'],
  ['CD', '-100'],
  ['PA rv:100', '0'],
  ['PA rv:30', '70'],
  ['PA rv:30 rv:70', '0'],
  ['PA rv:30 rv:71', '700.400.300'],
  ['PA cp:100', '100'],
  ['PA cp:60 rv:40', '60'],
  ['PA cp:60 cp:40', '100'],
  ['PA cp:60 cp:41', '700.400.100'],
  ['PA cp:60 rv:41', '700.400.300'],
  ['PA rv:100 cp:1', '700.400.100'],
  ['PA rf:1', '700.400.200'],
  ['PA cp:60 rf:60', '40'],
  ['PA cp:60 rf:61', '700.400.200'],
  ['PA cp:60 rf:60 rv:40', '0'],
  ['DB rf:40 rf:60', '0'],
  ['DB rf:40 rf:61', '700.400.200'],
  ['DB rv:100', '0'],
  ['DB rv:100 rv:1', '700.400.300'],
  ['DB rv:40 rf:60', '0'],
  ['DB rv:40 rf:61', '700.400.200'],
  ['DB rf:1 rv:99', '700.400.300'],
  ['DB cp:1', '700.400.100'],
  ['CD rv:100', '0'],
  ['CD rf:40', '-60'],
  ['DB rf:0', '100.550.300'],
  ['PA up:20', '120'],
  ['PA up:20 cp:120', '120'],
  ['PA up:20 cp:121', '700.400.100'],
  ['PA cp:60 up:10 cp:50', '110'],
  ['PA rv:40 up:10 cp:70', '70'],
  ['PA rv:40 up:10 cp:71', '700.400.100'],
  ['PA rv:100 up:1', '700.400.100'],
  ['PA cp:100 up:1', '700.400.100'],
  ['DB up:1', '700.100.700'],
  ['CD up:1', '700.100.700'],
  ['PA rc:60', '100'],
  ['PA rc:60 rf:60', '40'],
  ['PA rc:60 rf:61', '700.400.200'],
  ['PA rc:60 rc:41', '700.400.100'],
  ['PA rc:60 cp:40 rf:100', '0'],
  ['PA rv:100 rc:1', '700.400.100'],
  ['DB rc:1', '100'],
  ['DB rc:100 rf:100', '0'],
  ['DB rv:40 rc:61', '700.400.100'],
  ['CD rc:1', '700.100.700'],
  ['DB rb:50', '100'],
  ['PA cp:60 rb:100', '100'],
  ['PA rb:1', '700.100.700'],
  ['CD rb:1', '700.100.700'],
  ['DB rv:100 rb:1', '700.100.700'],
  ['DB cb:100', '0'],
  ['DB cb:40', '60'],
  ['DB cb:40 rf:60', '0'],
  ['DB cb:40 rf:61', '700.400.200'],
  ['DB rf:40 cb:60', '0'],
  ['DB rf:40 cb:61', '700.400.400'],
  ['DB cb:100 cb:1', '700.400.400'],
  ['DB cb:60 cb:41', '700.400.400'],
  ['DB cb:1 rv:99', '700.400.300'],
  ['DB cb:60 cr:60 rv:100', '0'],
  ['PA cb:1', '700.400.550'],
  ['CD cb:1', '700.400.550'],
  ['PA cp:60 cb:60 rv:40', '0'],
  ['DB cb:60 cr:60', '100'],
  ['DB cb:60 cr:20 cr:40', '100'],
  ['DB cb:60 cr:61', '700.400.410'],
  ['DB cb:60 cr:60 cr:1', '700.400.410'],
  ['DB cb:60 cr:60 rf:100', '0'],
  ['DB cb:60 cr:60 cb:60 rf:40', '0'],
  ['DB cr:1', '700.400.420'],
])('%s → %s', (line, end) => {
  expect(live(line)).toBe(end);
});

test('another currency is refused', () => {
  const result = applyOperation(createPurseMove('DB', money(100n, 'EUR')), 'refund', money(100n, 'USD'));
  expect(result).toEqual({ ok: false, resultCode: '700.100.500' });
});

const step = fc.record({
  operation: fc.constantFrom(...Object.values(operations)),
  minor: fc.bigInt({ min: -5n, max: 60n }),
});

test('a payment always stays within its bounds, and a refused step does not change it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('PA' as const, 'DB' as const, 'CD' as const),
      fc.array(step, { maxLength: 40 }),
      (type, steps) => {
        let move = createPurseMove(type, money(100n, 'EUR'));
        const sums = { capture: 0n, increase: 0n, reverse: 0n, refund: 0n, chargeback: 0n };
        for (const { operation, minor } of steps) {
          const result = applyOperation(move, operation, money(minor, 'EUR'));
          if (!result.ok) continue;
          move = result.moved;
          const { authorised, captured, reversed, refunded, chargedBack } = move;
          expect(minor > 0n && refunded >= 0n && chargedBack >= 0n && reversed >= 0n).toBe(true);
          expect(refunded + chargedBack <= captured && captured <= authorised - reversed).toBe(true);
          if (operation === 'chargebackReversal') sums.chargeback -= minor;
          else if (operation === 'receipt') sums.capture += minor;
          else if (operation !== 'rebill') sums[operation] += minor;
        }
        const { refund, reverse, chargeback, increase } = sums;
        expect([move.refunded, move.reversed, move.chargedBack]).toEqual([refund, reverse, chargeback]);
        const remaining = 100n + increase - refund - reverse - chargeback;
        expect(takenAmount(move)).toBe((type === 'CD' ? -1_000_000n : 1_000_000n) * remaining);
        if (type === 'PA') expect(move.captured).toBe(sums.capture);
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  [1_250n, 'EUR', 1_250_000_000n],
  [1_250n, 'JPY', 1_250_000_000n],
  [12_505n, 'KWD', 1_250_500_000n],
  [12_500n, 'IDR', 1_250_000n],
  [1n, 'LBP', 10n],
])('%d minor units of %s are worth %d grains', (minor, currency, expectedGrains) => {
  expect(worthOf(money(minor, currency))).toBe(expectedGrains);
});
