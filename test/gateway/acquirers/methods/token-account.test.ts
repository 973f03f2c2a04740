import { expect, test } from 'vitest';
import { luhnIsValid } from '../../../../src/emv/luhn.ts';
import { strictToken, testTokens } from '../../../../src/gateway/acquirers/simulator/methods/token-account.ts';
import { acquirer, memory, reference } from '../shop-counter.ts';
import { codesOf, purseBalances, type RequestParts, request } from './counter.ts';

const TOKEN = '4895370013193500';
const CRYPTOGRAM = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';
const ZEROS = 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=';

const network = { number: TOKEN, type: 'NETWORK', expiryMonth: '12', expiryYear: '2031' };

const rows: [
  title: string,
  parameters: Record<string, string>,
  parts: RequestParts,
  expected: string,
  proof: string | undefined,
][] = [
  ['a network token with its cryptogram', { ...network, cryptogram: CRYPTOGRAM }, {}, '000.100.110 00', 'cryptogram'],
  ['with a verification code', { ...network, dtvc: '123' }, {}, '000.100.110 00', 'dtvc'],
  ['with neither', network, {}, '000.100.110 00', 'none'],
  ['without expiry', { number: TOKEN, type: 'NETWORK' }, { type: 'PA' }, '000.100.110 00', 'none'],
  ['an outside token', { number: TOKEN, type: 'EXTERNAL' }, {}, '000.100.110 00', 'none'],
  ['an outside token, credited', { number: TOKEN, type: 'EXTERNAL' }, { type: 'CD' }, '000.100.110 00', 'none'],
  ['a cryptogram of zeros', { ...network, cryptogram: ZEROS }, {}, '800.100.158 82', 'cryptogram'],
  ['a code of zeros', { ...network, dtvc: '000' }, {}, '800.100.158 82', 'dtvc'],
  [
    'an outside token needs no cryptogram',
    { ...network, type: 'EXTERNAL', cryptogram: ZEROS },
    {},
    '000.100.110 00',
    'none',
  ],
  ['not eligible', { ...network, expiryYear: '2032' }, {}, '800.100.170 57', 'none'],
  ['unsupported', { ...network, expiryYear: '2033' }, {}, '800.100.154 12', 'none'],
  ['an outside token of 2032', { ...network, type: 'EXTERNAL', expiryYear: '2032' }, {}, '000.100.110 00', 'none'],
  ['expired', { ...network, expiryYear: '2026', expiryMonth: '05' }, {}, '800.100.157 54', 'none'],
  ['in its last month', { ...network, expiryYear: '2026', expiryMonth: '06' }, {}, '000.100.110 00', 'none'],
  ['10.00 on it', { number: '4895370000000056', type: 'NETWORK' }, {}, '800.100.155 51', 'none'],
  ['suspended', { number: '4895370000000064', type: 'NETWORK' }, {}, '800.100.168 62', 'none'],
  ['deleted', { number: '4895370000000072', type: 'EXTERNAL' }, {}, '800.100.151 14', 'none'],
  ['strict, without proof', { ...network, number: strictToken }, {}, '300.100.100 1A', 'none'],
  ['strict, with proof', { ...network, number: strictToken, dtvc: '1234' }, {}, '000.100.110 00', 'dtvc'],
  ['a wrong check digit', { ...network, number: '4895370013193501' }, {}, '100.100.101', undefined],
  ['of no brand', { ...network, number: '9999999999999995' }, {}, '100.100.501', undefined],
  ['no number', { type: 'NETWORK' }, {}, '100.100.100', undefined],
  ['above the limit', network, { minor: 2_500_001n }, '800.100.162 61', 'none'],
];

test.each(rows)('%s', async (_, parameters, options, expected, proof) => {
  const answer = await acquirer().authorise(request('tokenAccount', parameters, options));
  expect(codesOf(answer)).toBe(expected);
  expect(answer.details['TokenAuthentication']).toBe(proof);
});

test('the token is shown masked, and not stored', async () => {
  const records = memory();
  const shop = acquirer({ memory: records });
  const paidRequest = request('tokenAccount', { ...network, cryptogram: CRYPTOGRAM });
  const shown = { brand: 'VISA', bin: '489537', last4Digits: '3500', expiryMonth: '12', expiryYear: '2031' };
  expect((await shop.authorise(paidRequest)).account).toEqual(shown);
  expect((await shop.refer(reference('refund', paidRequest.id))).account).toEqual(shown);
  const written = JSON.stringify([...records.documents]);
  expect(written).not.toContain(TOKEN);
  expect(written).not.toContain(CRYPTOGRAM);
  expect(purseBalances(records)).toEqual([10_000_000_000n]);
});

test('the test tokens are valid numbers', () => {
  expect([...testTokens.keys(), strictToken].filter((number) => !luhnIsValid(number))).toEqual([]);
});
