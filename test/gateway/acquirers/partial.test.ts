/** Partial approvals: only if the request accepts them, and never for more than the account has. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printAmount } from '../../../src/base/money.ts';
import type { Authorisation } from '../../../src/gateway/payments/acquirer.ts';
import { request } from './methods/counter.ts';
import { acquirer, available, cardOf, inquire, memory, present, reference } from './shop-counter.ts';

const partial = { partialApproval: 'true' };
const POOR = '4761739001010168';
const GIFT_OF_TEN = '9900000000000010';

const gift = (minor: bigint, extra: Parameters<typeof request>[2] = {}) =>
  request('giftCard', { number: GIFT_OF_TEN }, { brand: 'GIFTCARD', minor, custom: partial, ...extra });

type Row = readonly [title: string, request: () => Authorisation, code: string, approved: string | undefined];

const rows: readonly Row[] = [
  ['a chip with too little', () => present('visa-poor', { custom: partial }), '000.100.110', '10.00'],
  ['without saying so', () => present('visa-poor'), '800.100.155', undefined],
  [
    'saying something else',
    () => present('visa-poor', { custom: { partialApproval: 'yes' } }),
    '800.100.155',
    undefined,
  ],
  ['a card with enough', () => present('visa-credit', { custom: partial }), '000.100.110', undefined],
  ['exactly the funds', () => present('visa-poor', { minor: 1_000n, custom: partial }), '000.100.110', undefined],
  ['a cent more', () => present('visa-poor', { minor: 1_001n, custom: partial }), '000.100.110', '10.00'],
  ['only held', () => present('visa-poor', { type: 'PA', custom: partial }), '000.100.110', '10.00'],
  ['typed in', () => cardOf(POOR, { custom: partial, month: '12' }), '000.100.110', '10.00'],
  ['in yen', () => present('visa-poor', { currency: 'JPY', minor: 1_300n, custom: partial }), '000.100.110', '1000.00'],
  [
    'kept offline: the goods are gone',
    () => present('visa-poor', { custom: { ...partial, offline: 'deferred' } }),
    '800.100.155',
    undefined,
  ],
  ['a triggered decline', () => present('visa-poor', { minor: 800_051n, custom: partial }), '800.100.155', undefined],
  ['a stolen card', () => present('visa-stolen', { custom: partial }), '800.100.159', undefined],
  ['a gift card', () => gift(1_250n), '000.100.110', '10.00'],
  ['a gift card, without accepting a part', () => gift(1_250n, { custom: {} }), '800.100.155', undefined],
  ['a gift card, topped up', () => gift(1_250n, { type: 'CD' }), '000.100.110', undefined],
];

test.each(rows)('%s', async (_, make, code, approved) => {
  const authorisation = make();
  const issuer = acquirer();
  const answer = await issuer.authorise(authorisation);
  expect(answer).toMatchObject({ resultCode: code });
  expect(answer.approvedAmount).toBe(approved);
  expect(answer.details['RequestedAmount']).toBe(approved && printAmount(authorisation.amount));
  expect(await issuer.authorise(authorisation)).toEqual(answer);
  expect(await inquire(issuer, authorisation.id)).toEqual(answer);
});

test('an empty account approves nothing', async () => {
  const issuer = acquirer();
  await issuer.authorise(present('visa-poor', { minor: 1_000n }));
  expect(await issuer.authorise(present('visa-poor', { custom: partial }))).toMatchObject({
    resultCode: '800.100.155',
  });
  const empty = request('giftCard', { number: '9900000000000000' }, { brand: 'GIFTCARD', custom: partial });
  expect(await issuer.authorise(empty)).toMatchObject({ resultCode: '800.100.155', details: { Balance: '0.00' } });
});

test('the answer gives a gift card’s balance of zero', async () => {
  expect((await acquirer().authorise(gift(1_250n))).details).toMatchObject({ Balance: '0.00', AcquirerResponse: '10' });
});

test('the chip gets the code of a full approval, because not every chip knows that of a partial one', async () => {
  const answer = await acquirer().authorise(present('visa-poor', { custom: partial }));
  expect(answer.iccDataResponse).toContain('8A023030');
});

describe('follow-ups use the approved amount', () => {
  const payPartially = async () => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    const paidRequest = present('visa-poor', { custom: partial });
    await issuer.authorise(paidRequest);
    return { memory: records, issuer, id: paidRequest.id };
  };

  test('the account has lost that amount, and no more', async () => {
    expect(available((await payPartially()).memory)).toEqual([0n]);
  });

  test.each(['refund', 'reverse'] as const)('%s works for the approved part, but for no more', async (operation) => {
    const { memory, issuer, id } = await payPartially();
    const tooMuchAnswer = await issuer.refer(reference(operation, id, { minor: 1_001n }));
    expect(tooMuchAnswer.resultCode).toBe({ refund: '700.400.200', reverse: '700.400.300' }[operation]);
    expect(await issuer.refer(reference(operation, id, { minor: 1_000n }))).toMatchObject({
      resultCode: '000.100.110',
    });
    expect(available(memory)).toEqual([10_000n]);
  });
});

test('whatever is requested, an account never goes below zero, and the answer has the amount it lost', async () => {
  const amounts = fc.array(fc.tuple(fc.bigInt(1n, 1_500n), fc.boolean()), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(amounts, async (payments) => {
      const records = memory();
      const issuer = acquirer({ memory: records });
      let remaining = 1_000n;
      for (const [minor, part] of payments) {
        const answer = await issuer.authorise(present('visa-poor', { minor, custom: part ? partial : {} }));
        const paidMinor = minor <= remaining ? minor : part ? remaining : 0n;
        expect(answer.resultCode).toBe(paidMinor > 0n ? '000.100.110' : '800.100.155');
        expect(answer.approvedAmount).toBe(
          paidMinor > 0n && paidMinor < minor ? printAmount({ minor: paidMinor, currency: 'EUR' }) : undefined,
        );
        remaining -= paidMinor;
        expect(available(records)).toEqual([remaining * 10n]);
      }
    }),
    { numRuns: 40 },
  );
});
