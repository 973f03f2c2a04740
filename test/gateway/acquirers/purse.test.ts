/** What may follow what, and what it does to the account. Each line is a life of one authorisation of 100.00. */
import { expect, test } from 'vitest';
import { money } from '../../../src/base/money.ts';
import { type Moved, opened, refer, taken, thousandths } from '../../../src/gateway/acquirers/simulator/purse.ts';

const words = { cp: 'capture', rv: 'reverse', rf: 'refund' } as const;

/** `PA cp:60 rv:40` → what the account lost at the end, or the code that refused the last step. */
const live = (line: string): string => {
  const [type, ...steps] = line.split(' ');
  let moved = opened(type as Moved['type'], money(10_000n, 'EUR'));
  for (const [index, step] of steps.entries()) {
    const [word = '', units = ''] = step.split(':');
    const result = refer(moved, words[word as keyof typeof words], money(BigInt(units) * 100n, 'EUR'));
    if (!result.ok) return index === steps.length - 1 ? result.resultCode : `refused early at ${step}`;
    moved = result.moved;
  }
  return String(taken(moved) / 1000n);
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
])('%s → %s', (line, end) => {
  expect(live(line)).toBe(end);
});

test('another currency is refused', () => {
  const result = refer(opened('DB', money(100n, 'EUR')), 'refund', money(100n, 'USD'));
  expect(result).toEqual({ ok: false, resultCode: '700.100.500' });
});

test.each([
  [1_250n, 'EUR', 12_500n],
  [1_250n, 'JPY', 1_250_000n],
  [12_505n, 'KWD', 12_505n],
])('%d minor units of %s weigh %d thousandths', (minor, currency, weight) => {
  expect(thousandths(money(minor, currency))).toBe(weight);
});
