/** The sequence number of a request that is sent as a new one: the same for the same try, and never another sale's. */
import { expect, test } from 'vitest';
import { pointOfSale } from '../../src/gateway/spec/parameters/point-of-sale.ts';
import { parametersOf } from '../../src/till/gateway/delivered.ts';
import { saleNumberIn } from '../../src/till/gateway/request.ts';

const name = 'pos.transactionSequenceNumber';
const message = { kind: 'forward', sale: 'a'.repeat(32), key: 'b'.repeat(32), body: '{}' } as const;
const numberOf = (sequence: number | string, again: number): string =>
  parametersOf({ [name]: String(sequence) }, { ...message, again })[name] ?? '';

test('the first request has the sale’s own number, and a request without one gets none', () => {
  expect(numberOf(42, 0)).toBe('42');
  expect(parametersOf({ amount: '1.00' }, { ...message, again: 3 })).toEqual({ amount: '1.00' });
});

test('no retry has the number of a sale, past or future, nor that of another retry', () => {
  const sequences = [1, 10, 100, 1_001, 9_000_000_001, Number.MAX_SAFE_INTEGER];
  const retries = [1, 2, 10, 11, 999, 1_000, 1_001, 999_999];
  const numbers = sequences.flatMap((sequence) => retries.map((again) => numberOf(sequence, again)));
  expect(new Set(numbers).size).toBe(sequences.length * retries.length);
  // Sales count on from the highest number so far, without leading zeros.
  for (const number of numbers) expect(BigInt(number)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  expect(numberOf(1, 1)).toBe(numberOf(1, 1));
  // A reader, such as a till that learns its sales from the gateway, finds the sale's own number.
  for (const sequence of sequences)
    for (const again of [0, ...retries]) expect(saleNumberIn(numberOf(sequence, again))).toBe(sequence);
  for (const text of ['', 'x', '1x', '9'.repeat(17)]) expect(saleNumberIn(text)).toBe(0);
});

test('the gateway accepts such a number', () => {
  const { form } = pointOfSale[name];
  expect(form).toMatchObject({ kind: 'text', of: 'digits' });
  expect(numberOf(Number.MAX_SAFE_INTEGER, 999_999)).toMatch(/^\d+$/);
  expect(numberOf(Number.MAX_SAFE_INTEGER, 999_999).length).toBeLessThanOrEqual('max' in form ? form.max : 0);
});
