/** Sales that are kept in memory as they stand: how many, which, and never one that may have become another. */
import { expect, test } from 'vitest';
import { openSaleCache } from '../../src/ledger/ledger.ts';
import { saleIn } from '../reconciliation/sale-cases.ts';

const [waiting, approved] = [saleIn('waiting'), saleIn('approved')];

test('those that were wanted last are kept, and no more of them', () => {
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

test('one that a step may have changed is read again, until it is known how it stands', () => {
  let journal = waiting;
  const { of, keep, forget } = openSaleCache(() => journal, 3);
  expect(of('a')).toBe(waiting);
  forget('a');
  journal = approved;
  expect(of('a')).toBe(approved);
  keep('a', waiting);
  expect(of('a')).toBe(waiting);
});
