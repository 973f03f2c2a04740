/** Which requests get the stored answer of their id, and which are refused as duplicates. */
import { expect, test } from 'vitest';
import type { OperationOutcome } from '../../../src/gateway/acquirers/simulator/documents.ts';
import { type AccountOrPurse, outcomeOf, repeatAnswer } from '../../../src/gateway/acquirers/simulator/record.ts';
import { cardOf, seededRandom } from './shop-counter.ts';

const request = cardOf('4111111111111111');
const answer = { resultCode: '000.100.110', details: { of: 'the first' } };

test.each<[string, Partial<typeof request>, AccountOrPurse, AccountOrPurse, 'stored' | 'refused']>([
  ['the same', {}, { account: 'a' }, { account: 'a' }, 'stored'],
  ['the same without money', {}, {}, {}, 'stored'],
  ['another card', {}, { account: 'a' }, { account: 'b' }, 'refused'],
  ['another purse', {}, { purse: 'a' }, { purse: 'b' }, 'refused'],
  ['a purse with the same name as the account', {}, { account: 'a' }, { purse: 'a' }, 'refused'],
  ['another amount', { amount: { minor: 1n, currency: 'EUR' } }, { purse: 'a' }, { purse: 'a' }, 'refused'],
  ['another currency', { amount: { ...request.amount, currency: 'USD' } }, {}, {}, 'refused'],
  ['another type', { paymentType: 'PA' }, {}, {}, 'refused'],
])('%s', (_, changes, before, place, expected) => {
  const change = outcomeOf(request, answer, before);
  const recordedOutcome = change.kind === 'outcome' ? change.document : undefined;
  if (recordedOutcome === undefined) throw new TypeError('no outcome');
  const repeat = repeatAnswer({ random: seededRandom() }, { ...request, ...changes }, { seen: recordedOutcome, place });
  if (expected === 'stored') expect(repeat).toEqual(answer);
  else expect(repeat.resultCode).toBe('800.110.100');
});

test.each([
  ['000.100.110', true, undefined],
  ['800.100.152', false, undefined],
  ['000.200.000', false, true],
  ['900.100.300', false, undefined],
])('%s as an outcome', (resultCode, moves, pending) => {
  const { document } = outcomeOf(request, { resultCode, details: {} }, { purse: 'a' });
  expect(document).toMatchObject({ operation: 'DB', minor: 1_250n, currency: 'EUR', purse: 'a' });
  const { moved: move, pending: isPending } = document as OperationOutcome;
  expect([move !== undefined, isPending]).toEqual([moves, pending]);
});
