/** Charges without the card: the account's funds and limits apply as usual, to cards and purses alike. */
import { describe, expect, test } from 'vitest';
import type { IssuerAccount } from '../../../src/gateway/acquirers/simulator/accounts.ts';
import type { Acquirer, Reference } from '../../../src/gateway/payments/acquirer.ts';
import {
  acquirer,
  available,
  cardOf,
  documents,
  inquire,
  type Memory,
  memory,
  NOW,
  reference,
} from './shop-counter.ts';

const pan = '4242424242424242';
const account: IssuerAccount = { pan, psn: '00', brand: 'VISA', pin: '1111', account: 'open', availableMinor: 10_000n };

const code = async (issuer: Acquirer, request: Reference) => (await issuer.refer(request)).details['AcquirerResponse'];

const payOnce = async (issuer: Acquirer, options: Parameters<typeof cardOf>[1] = {}) => {
  const request = cardOf(pan, { minor: 1_000n, ...options });
  expect((await issuer.authorise(request)).resultCode).toBe('000.100.110');
  return request.id;
};

describe('a rebill', () => {
  test('is a new debit: taken from the account, refunded by its own id', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records, accounts: [account] });
    const parentId = await payOnce(issuer);
    const rebill = reference('rebill', parentId, { minor: 3_000n });
    const answer = await issuer.refer(rebill);
    expect(answer).toMatchObject({ resultCode: '000.100.110', account: { last4Digits: '4242', holder: 'Jane Jones' } });
    expect(await issuer.refer(rebill)).toEqual(answer);
    expect(available(records)).toEqual([60_000n]);
    expect((await issuer.refer(reference('refund', parentId, { minor: 1_001n }))).resultCode).toBe('700.400.200');
    expect(await code(issuer, reference('refund', rebill.id, { minor: 3_000n }))).toBe('00');
    expect(await code(issuer, reference('chargeback', parentId, { minor: 1_000n }))).toBe('00');
    expect(available(records)).toEqual([100_000n]);
    expect(await code(issuer, reference('rebill', rebill.id, { minor: 10_000n }))).toBe('00');
    expect(available(records)).toEqual([0n]);
  });

  test('that is declined moves nothing, is recorded, and allows no follow-up', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records, accounts: [account] });
    const rebill = reference('rebill', await payOnce(issuer), { minor: 9_001n });
    expect(await code(issuer, rebill)).toBe('51');
    expect((await inquire(issuer, rebill.id))?.resultCode).toBe('800.100.155');
    expect((await issuer.refer(reference('refund', rebill.id, { minor: 1n }))).resultCode).toBe('700.400.520');
    expect(available(records)).toEqual([90_000n]);
  });

  test.each<[string, Partial<IssuerAccount>, bigint, string]>([
    ['exactly the funds left', {}, 9_000n, '00'],
    ['more than the funds left', {}, 9_001n, '51'],
    ['up to the limit', { perTransactionMinor: 2_000n }, 2_000n, '00'],
    ['above the limit', { perTransactionMinor: 2_000n }, 2_001n, '61'],
    ['one payment too many', { perDay: 1 }, 1n, '65'],
    ['one more', { perDay: 2 }, 1n, '00'],
  ])('%s', async (_, rules, minor, expected) => {
    const issuer = acquirer({ accounts: [{ ...account, ...rules }] });
    expect(await code(issuer, reference('rebill', await payOnce(issuer), { minor }))).toBe(expected);
  });

  test('counts towards the day’s number of payments', async () => {
    const issuer = acquirer({ accounts: [{ ...account, perDay: 2 }] });
    const parentId = await payOnce(issuer);
    expect(await code(issuer, reference('rebill', parentId, { minor: 1n }))).toBe('00');
    expect(await code(issuer, reference('rebill', parentId, { minor: 1n }))).toBe('65');
    expect(await code(issuer, reference('rebill', parentId, { minor: 1n, at: NOW + 86_400_000 }))).toBe('00');
  });

  test.each<[string, Partial<IssuerAccount>, string]>([
    ['reported stolen since', { account: 'stolen' }, '43'],
    ['restricted since', { account: 'restricted' }, '62'],
    ['expired since', { expiry: '2605' }, '54'],
  ])('on a card %s', async (_, change, expected) => {
    const records = memory();
    const parentId = await payOnce(acquirer({ memory: records, accounts: [account] }));
    const restartedAcquirer = acquirer({ memory: records, accounts: [{ ...account, ...change }] });
    expect(await code(restartedAcquirer, reference('rebill', parentId))).toBe(expected);
    expect(await code(restartedAcquirer, reference('refund', parentId, { minor: 1_000n }))).toBe('00');
  });
});

describe('an increase', () => {
  test('holds more, which can be captured or reversed completely', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records, accounts: [account] });
    const parentId = await payOnce(issuer, { type: 'PA' });
    expect(await code(issuer, reference('increase', parentId, { minor: 2_000n }))).toBe('00');
    expect(available(records)).toEqual([70_000n]);
    expect(await code(issuer, reference('capture', parentId, { minor: 2_500n }))).toBe('00');
    expect(await code(issuer, reference('reverse', parentId, { minor: 500n }))).toBe('00');
    expect(available(records)).toEqual([75_000n]);
  });

  test.each<[string, Partial<IssuerAccount>, bigint, string]>([
    ['exactly the funds left', {}, 9_000n, '00'],
    ['more than the funds left', {}, 9_001n, '51'],
    ['up to the limit in total', { perTransactionMinor: 2_000n }, 1_000n, '00'],
    ['above the limit in total', { perTransactionMinor: 2_000n }, 1_001n, '61'],
    ['does not count as another payment', { perDay: 1 }, 1n, '00'],
  ])('%s', async (_, rules, minor, expected) => {
    const records = memory();
    const issuer = acquirer({ memory: records, accounts: [{ ...account, ...rules }] });
    const parentId = await payOnce(issuer, { type: 'PA' });
    expect(await code(issuer, reference('increase', parentId, { minor }))).toBe(expected);
    expect(available(records)).toEqual([90_000n - (expected === '00' ? minor * 10n : 0n)]);
  });
});

/** A payment of 10.00 from a purse with 50.00, as stored for an account that is not a card. */
const storePurse = (memory: Memory, type: 'PA' | 'DB'): string => {
  const id = `purse-${type}`;
  const captured = type === 'PA' ? '0' : '1000';
  const noMoves = { reversed: '0', refunded: '0', chargedBack: '0', chargebackReversed: '0' };
  const outcome = {
    operation: type,
    minor: '1000',
    currency: 'EUR',
    purse: 'gift',
    answer: { resultCode: '000.100.110', details: {} },
    moved: { type, currency: 'EUR', authorised: '1000', captured, ...noMoves },
  };
  memory.documents.set(`simulator/outcome/${id}`, JSON.stringify(outcome));
  memory.documents.set('simulator/purse/gift', JSON.stringify({ available: '40000' }));
  return id;
};

describe('the money of a purse', () => {
  test.each<[string, 'PA' | 'DB', string, string]>([
    ['refund', 'DB', 'refund:400', '44000'],
    ['reversal', 'PA', 'reverse:1000', '50000'],
    ['capture', 'PA', 'capture:1000', '40000'],
    ['capture and refund', 'PA', 'capture:600 refund:600', '46000'],
    ['receipt and refund', 'PA', 'receipt:600 refund:600', '46000'],
    ['rebill', 'DB', 'rebill:4000', '0'],
    ['increase', 'PA', 'increase:1500 capture:2500', '25000'],
    ['chargeback and its reversal', 'DB', 'chargeback:1000 chargebackReversal:300', '47000'],
  ])('%s', async (_, type, line, left) => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    const parentId = storePurse(records, type);
    for (const step of line.split(' ')) {
      const [operation, minor = ''] = step.split(':');
      const request = reference(operation as Reference['operation'], parentId, { minor: BigInt(minor) });
      expect((await issuer.refer(request)).resultCode).toBe('000.100.110');
    }
    expect(documents(records, 'purse')).toEqual([{ available: left }]);
  });

  test('stays right for many simultaneous payments', async () => {
    const records = memory();
    const acquirers = [acquirer({ memory: records }), acquirer({ memory: records })];
    const starts = [storePurse(records, 'DB'), storePurse(records, 'PA')];
    const follow = [reference('refund', starts[0] ?? ''), reference('reverse', starts[1] ?? '')];
    const requests = follow.map((request) => ({ ...request, amount: { minor: 700n, currency: 'EUR' } }));
    const answers = await Promise.all(requests.map((request, index) => acquirers[index]?.refer(request)));
    expect(answers.map((answer) => answer?.resultCode)).toEqual(['000.100.110', '000.100.110']);
    expect(documents(records, 'purse')).toEqual([{ available: '54000' }]);
  });

  test.each(['rebill', 'increase'] as const)('a %s for more than its balance is declined', async (operation) => {
    const records = memory();
    const parentId = storePurse(records, operation === 'rebill' ? 'DB' : 'PA');
    expect(await code(acquirer({ memory: records }), reference(operation, parentId, { minor: 4_001n }))).toBe('51');
    expect(documents(records, 'purse')).toEqual([{ available: '40000' }]);
  });

  test('a missing purse is refused by name', async () => {
    const records = memory();
    const parentId = storePurse(records, 'DB');
    records.documents.delete('simulator/purse/gift');
    await expect(acquirer({ memory: records }).refer(reference('refund', parentId))).resolves.toMatchObject({
      resultCode: '700.400.200',
    });
    const refund = reference('refund', parentId, { minor: 1n });
    await expect(acquirer({ memory: records }).refer(refund)).rejects.toThrow('purse gift');
  });
});
