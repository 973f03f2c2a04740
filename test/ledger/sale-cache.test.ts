/** Sales kept in memory: how many, which ones, and never one that may have changed. */
import { expect, test } from 'vitest';
import { openSaleCache } from '../../src/ledger/ledger.ts';
import { saleIn } from '../reconciliation/sale-cases.ts';

const [waiting, approved] = [saleIn('waiting'), saleIn('approved')];

test('only the most recently used are kept', () => {
  const read: string[] = [];
  const { of } = openSaleCache((id) => {
    read.push(id);
    return id === 'nobody' ? undefined : approved;
  }, 3);
  for (const id of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'd', 'b']) expect(of(id)).toBe(approved);
  expect(read).toEqual(['a', 'b', 'c', 'd', 'b']);
  for (let n = 0; n < 2; n += 1) expect(of('nobody')).toBeUndefined();
  expect(read.slice(5)).toEqual(['nobody', 'nobody']);
});

test('a sale that a step may have changed is read again until its state is known', () => {
  let journal = waiting;
  const { of, keep, forget } = openSaleCache(() => journal, 3);
  expect(of('a')).toBe(waiting);
  forget('a');
  journal = approved;
  expect(of('a')).toBe(approved);
  keep('a', waiting);
  expect(of('a')).toBe(waiting);
});
