/** The simulator's stored documents: amounts are digits, fields keep their order. */
import { expect, test } from 'vitest';
import { type DocumentChange, documentOf, jsonFormOf } from '../../../src/gateway/acquirers/simulator/documents.ts';
import { createPurseMove } from '../../../src/gateway/acquirers/simulator/purse.ts';
import { GRAINS_PER_THOUSANDTH } from '../../../src/gateway/acquirers/simulator/worth.ts';

const answer = { resultCode: '000.100.110', details: { AcquirerResponse: '00' } };
const move = createPurseMove('DB', { minor: 1250n, currency: 'EUR' });

const changes: DocumentChange[] = [
  {
    kind: 'account',
    name: 'a',
    document: {
      available: -500_000n,
      pin: { wrong: 1, at: 7 },
      counters: { '01': { highest: 3, used: 'F' } },
      day: { date: '2026-11-22', payments: 2 },
    },
  },
  { kind: 'purse', name: 'p', document: { available: 10n ** 20n } },
  { kind: 'outcome', name: 'o', document: { operation: 'DB', minor: 1250n, currency: 'EUR', moved: move, answer } },
  { kind: 'outcome', name: 'o', document: { operation: 'DB', minor: 0n, currency: 'EUR', account: 'a', answer } },
  { kind: 'key', name: 'k', document: { highest: 9, used: '1' } },
  { kind: 'tries', name: 't', document: { wrong: 2 } },
  { kind: 'visit', name: 'v', document: { returnTo: 'https://shop.example/', shop: 'Shop' } },
];

test.each(changes)('$kind is stored field by field and read back unchanged', (change) => {
  const digits = (key: string, value: unknown) =>
    typeof value === 'bigint' ? (key === 'available' ? value / GRAINS_PER_THOUSANDTH : value).toString() : value;
  const stored = JSON.stringify(jsonFormOf(change));
  expect(stored).toBe(JSON.stringify(change.document, digits));
  expect(documentOf(change.kind, JSON.parse(stored))).toEqual(change.document);
});

test.each([
  [1_234_567n, { available: '12', rest: '34567' }],
  [-1n, { available: '-1', rest: '99999' }],
  [0n, { available: '0' }],
])('%d grains are stored as thousandths of a euro, the unit of earlier versions, and a rest', (available, stored) => {
  expect(jsonFormOf({ kind: 'purse', name: 'p', document: { available } })).toEqual(stored);
  expect(documentOf('purse', stored)).toEqual({ available });
});
