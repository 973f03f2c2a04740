import { expect, test } from 'vitest';
import { acquirer, memory } from '../shop-counter.ts';
import { codesOf, purseBalances, type RequestParts, request } from './counter.ts';

const paypal = { brand: 'PAYPAL' };

const rows: [title: string, accountId: string, parts: RequestParts, expected: string][] = [
  ['any account', 'jane@example.com', {}, '000.100.110 00'],
  ['an account without @', 'jane', { type: 'PA' }, '000.100.110 00'],
  ['a payout', 'jane@example.com', { type: 'CD' }, '000.100.110 00'],
  ['closed', 'closed@example.com', {}, '800.100.172 62'],
  ['closed, in capitals', 'CLOSED@example.com', {}, '800.100.172 62'],
  ['unknown', 'unknown@example.com', {}, '800.100.195 14'],
  ['no funds', 'nofunds@example.com', { minor: 1n }, '800.100.155 51'],
  ['no funds, paid out', 'nofunds@example.com', { type: 'CD' }, '000.100.110 00'],
  ['poor, its whole balance', 'poor@example.com', { minor: 1_000n }, '000.100.110 00'],
  ['poor, a cent more', 'poor@example.com', { minor: 1_001n }, '800.100.155 51'],
  ['not closed: another name with that beginning', 'closedshop@example.com', {}, '000.100.110 00'],
  ['a property name of every object', 'constructor', {}, '000.100.110 00'],
  ['no account', '', {}, '100.100.100'],
  ['a trigger', 'jane@example.com', { minor: 800_091n }, '800.100.176 91'],
  ['asks, without a return address', 'asks@example.com', {}, '200.300.404'],
  ['asks, paid out at once', 'asks@example.com', { type: 'CD' }, '000.100.110 00'],
];

test.each(rows)('%s', async (_, accountId, options, expected) => {
  const answer = await acquirer().authorise(request('virtualAccount', { accountId }, { ...paypal, ...options }));
  expect(codesOf(answer)).toBe(expected);
});

test('the account that asks gets a redirect to the page first', async () => {
  const records = memory();
  const authorisation = request(
    'virtualAccount',
    { accountId: 'asks@x', shopperResultUrl: 'https://shop.example/back' },
    paypal,
  );
  const answer = await acquirer({ memory: records }).authorise(authorisation);
  expect(answer).toMatchObject({
    resultCode: '000.200.000',
    redirect: { url: `/v1/simulators/bank/${authorisation.id}`, method: 'GET', parameters: [], preconditions: [] },
  });
  expect(purseBalances(records)).toEqual([10_000_000_000n]);
});

test('each account has its own purse, ignoring upper and lower case', async () => {
  const records = memory();
  const wallet = acquirer({ memory: records });
  for (const accountId of ['poor@a.example', 'POOR@a.example', 'poor@b.example']) {
    await wallet.authorise(request('virtualAccount', { accountId }, { minor: 400n }));
  }
  expect(purseBalances(records).toSorted()).toEqual([2_000n, 6_000n]);
  expect(JSON.stringify([...records.documents])).not.toMatch(/poor|example/i);
});
