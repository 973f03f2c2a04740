import { describe, expect, test } from 'vitest';
import { type Decision, decidePending } from '../../../../src/gateway/acquirers/simulator/methods/shopper-decision.ts';
import { acquirer, cardOf, memory, NOW, reference } from '../shop-counter.ts';
import { codesOf, pendingRooms, purseBalances, type RequestParts, request } from './counter.ts';

const RICH = 10_000_000_000n;
const GOOD = 'DE23100000001234567890';
const POOR = 'DE66100000001234567892';

const shop = () => {
  const records = memory();
  const bank = acquirer({ memory: records });
  const startPending = async (parameters: Record<string, string> = {}, options: RequestParts = {}) => {
    const returnParameters = { shopperResultUrl: 'https://shop.example/back' };
    const authorisation = request(
      'bankAccount',
      { ...returnParameters, ...parameters },
      { brand: 'SOFORTUEBERWEISUNG', ...options },
    );
    return { authorisation, answer: await bank.authorise(authorisation) };
  };
  return {
    memory: records,
    bank,
    begin: startPending,
    decide: (id: string, choice: Decision) => decidePending(pendingRooms(records), id, choice),
  };
};

test('starts as pending with a redirect, and takes nothing', async () => {
  const { memory, bank, begin: startPending } = shop();
  const { authorisation, answer } = await startPending({ iban: GOOD, 'simulator.baseUrl': 'https://pay.example/' });
  expect(answer).toMatchObject({
    resultCode: '000.200.000',
    redirect: {
      url: `https://pay.example/v1/simulators/bank/${authorisation.id}`,
      method: 'GET',
      parameters: [],
      preconditions: [],
    },
  });
  expect(answer.statusText).toBeUndefined();
  expect(answer.clearing).toBeUndefined();
  expect(purseBalances(memory)).toEqual([RICH]);
  expect(await bank.authorise(authorisation)).toEqual(answer);
  expect(await bank.inquire(authorisation.id, NOW)).toEqual(answer);
});

test.each([
  ['pays', {}, '000.100.110 00', []],
  ['pays', { iban: GOOD }, '000.100.110 00', [RICH - 12_500n]],
  ['refuses', { iban: GOOD }, '100.396.101', [RICH]],
  ['leaves', { iban: GOOD }, '100.396.104', [RICH]],
] as const)('%s %o → %s', async (decision, parameters, expected, left) => {
  const { memory, bank, begin: startPending, decide } = shop();
  const { authorisation } = await startPending(parameters, { type: 'PA' });
  const ending = await decide(authorisation.id, decision);
  expect(ending && codesOf(ending)).toBe(expected);
  expect(ending?.redirect).toBeUndefined();
  expect(await bank.inquire(authorisation.id, NOW)).toEqual(ending);
  expect(purseBalances(memory)).toEqual(left);
});

test('declines if the money is gone when the shopper decides', async () => {
  const { memory, bank, begin: startPending, decide } = shop();
  const { authorisation } = await startPending({ iban: POOR }, { minor: 1_000n });
  await bank.authorise(request('bankAccount', { iban: POOR }, { minor: 1n }));
  const ending = await decide(authorisation.id, 'pays');
  expect(ending && codesOf(ending)).toBe('800.100.155 51');
  expect(purseBalances(memory)).toEqual([9_990n]);
});

test('is decided once, and later decisions change nothing', async () => {
  const { memory, begin: startPending, decide } = shop();
  const { authorisation } = await startPending({ iban: GOOD });
  const all = await Promise.all([
    decide(authorisation.id, 'pays'),
    decide(authorisation.id, 'refuses'),
    decide(authorisation.id, 'pays'),
  ]);
  expect(all.map((answer) => answer?.resultCode)).toEqual(Array(3).fill('000.100.110'));
  expect(new Set(all.map((answer) => answer?.clearing?.identifier)).size).toBe(1);
  expect(purseBalances(memory)).toEqual([RICH - 12_500n]);
});

test('a payment that does not wait cannot be decided', async () => {
  const { memory, bank, decide } = shop();
  expect(await decide('neverseen', 'pays')).toBeUndefined();
  const card = cardOf('4111111111111111');
  const answer = await bank.authorise(card);
  expect(await decide(card.id, 'refuses')).toEqual(answer);
  expect(purseBalances(memory)).toEqual([]);
});

test('follow-ups are refused until the shopper has paid', async () => {
  const { memory, bank, begin: startPending, decide } = shop();
  const { authorisation } = await startPending({ iban: GOOD });
  expect(codesOf(await bank.refer(reference('refund', authorisation.id)))).toBe('700.400.570');
  expect(codesOf(await bank.refer(reference('reverse', authorisation.id)))).toBe('700.400.570');
  await decide(authorisation.id, 'pays');
  expect(codesOf(await bank.refer(reference('refund', authorisation.id, { minor: 250n })))).toBe('000.100.110 00');
  expect(purseBalances(memory)).toEqual([RICH - 10_000n]);
});

describe('requests that never reach the shopper', () => {
  test.each<[title: string, parameters: Record<string, string>, parts: RequestParts, expected: string]>([
    ['no way back', { shopperResultUrl: '' }, {}, '200.300.404'],
    ['a relative way back', { shopperResultUrl: '/back' }, {}, '200.300.404'],
    ['a return address that is a script', { shopperResultUrl: 'javascript:alert(1)' }, {}, '200.300.404'],
    ['a wrong IBAN', { iban: 'DE24100000001234567890' }, {}, '100.100.101'],
    ['a closed account', { iban: 'DE93100000001234567891' }, {}, '800.100.172 AC04'],
    ['insufficient funds', { iban: POOR }, { minor: 1_001n }, '800.100.155 AM04'],
    ['a trigger', {}, { minor: 800_005n }, '800.100.152 05'],
    ['a forced result', {}, { custom: { forceResultCode: '000.100.110' } }, '000.100.110 00'],
    ['a payout', { iban: GOOD }, { type: 'CD' }, '000.100.110 00'],
  ])('%s', async (_, parameters, options, expected) => {
    const { begin: startPending } = shop();
    const { answer } = await startPending(parameters, options);
    expect(codesOf(answer)).toBe(expected);
    expect(answer.redirect).toBeUndefined();
  });
});
