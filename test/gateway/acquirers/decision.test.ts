/** Every row of the decision table, by the one fact that makes it apply. */
import { describe, expect, test } from 'vitest';
import { type DecisionFacts, decide, guards, judgements } from '../../../src/gateway/acquirers/simulator/decision.ts';

const good: DecisionFacts = {
  type: 'DB',
  advice: false,
  key: 'fresh',
  chip: 'genuine',
  amountAgrees: 'yes',
  counter: 'fresh',
  chipSays: 'goOnline',
  claimedOffline: 'no',
  trigger: 'none',
  status: 'open',
  expired: 'no',
  pin: 'right',
  wrongPins: 0,
  verificationValue: 'none',
  securityCode: 'none',
  amount: 12_500n,
  perTransaction: 25_000_000n,
  paymentsLeftToday: 1,
  available: 12_500n,
};

type Line = [says: string, changed: Partial<DecisionFacts>, request: string, advice: string];
const table: Line[] = [
  ['nothing against it', {}, '00', '00'],
  ['exactly the funds left', { amount: 12_500n }, '00', '00'],
  ['a thousandth more than the funds left', { amount: 12_501n }, '51', '00'],
  ['key used before', { key: 'replayed' }, '63', '63'],
  ['chip data incomplete', { chip: 'malformed' }, '30', '30'],
  ['cryptogram wrong', { chip: 'wrong' }, '82', '82'],
  ['another amount', { amountAgrees: 'no' }, '13', '13'],
  ['counter used', { counter: 'used' }, '94', '94'],
  ['counter too old', { counter: 'tooOld' }, '94', '94'],
  ['claimed to be approved offline', { claimedOffline: 'chip' }, '12', '00'],
  ['deferred', { claimedOffline: 'deferred' }, '00', '00'],
  ['the chip declined', { chipSays: 'declined' }, '12', '00'],
  ['a credit, although the chip declined', { chipSays: 'declined', type: 'CD' }, '00', '00'],
  ['trigger', { trigger: '91' }, '91', '00'],
  ['trigger before status', { trigger: '05', status: 'stolen' }, '05', '43'],
  ['cryptogram before trigger', { trigger: '05', chip: 'wrong' }, '82', '82'],
  ['lost', { status: 'lost' }, '41', '41'],
  ['stolen', { status: 'stolen' }, '43', '43'],
  ['restricted', { status: 'restricted' }, '62', '00'],
  ['expired', { expired: 'yes' }, '54', '00'],
  ['PIN block unreadable', { pin: 'unreadable' }, '81', '00'],
  ['PIN wrong', { pin: 'wrong', wrongPins: 1 }, '55', '00'],
  ['PIN wrong for the third time', { pin: 'wrong', wrongPins: 3 }, '75', '00'],
  ['PIN right, too late', { pin: 'right', wrongPins: 3 }, '75', '00'],
  ['PIN tries used up, no PIN sent', { pin: 'none', wrongPins: 3 }, '00', '00'],
  ['stripe wrong', { verificationValue: 'wrong' }, '82', '00'],
  ['security code wrong', { securityCode: 'wrong' }, 'N7', '00'],
  ['a debit of nothing', { amount: 0n }, '13', '00'],
  ['an authorisation with amount zero', { amount: 0n, type: 'PA' }, '00', '00'],
  ['above the limit', { amount: 25_000_001n, available: 99_000_000n }, '61', '00'],
  ['too many today', { paymentsLeftToday: 0 }, '65', '00'],
  ['a credit needs no funds', { type: 'CD', available: 0n, paymentsLeftToday: 0, perTransaction: 0n }, '00', '00'],
  ['authorised by trigger beyond funds', { trigger: 'approve', available: 0n }, '00', '00'],
  ['authorised by trigger, stolen', { trigger: 'approve', status: 'stolen' }, '43', '43'],
];

describe('a request', () => {
  test.each(table)('%s', (_, changed, request) => {
    expect(decide({ ...good, ...changed })).toBe(request);
  });
});

describe('an advice about an approval by the chip', () => {
  test.each(table)('%s', (_, changed, __, advice) => {
    expect(decide({ ...good, chipSays: 'approved', ...changed, advice: true })).toBe(advice);
  });
});

test('the table above reaches every row', () => {
  const reached = (facts: DecisionFacts) => [...guards, ...judgements].find((row) => row.test(facts));
  const rows = new Set(table.map(([, changed]) => reached({ ...good, ...changed })));
  expect([...guards, ...judgements].filter((row) => !rows.has(row)).map(({ text }) => text)).toEqual([]);
});
