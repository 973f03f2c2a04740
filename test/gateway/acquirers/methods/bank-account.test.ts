import { describe, expect, test } from 'vitest';
import { testBankAccounts } from '../../../../src/gateway/acquirers/simulator/methods/simulated-accounts.ts';
import { ibanIsValid } from '../../../../src/gateway/spec/iban.ts';
import { acquirer, memory, reference } from '../shop-counter.ts';
import { codesOf, purseBalances, type RequestParts, request } from './counter.ts';

const GOOD = 'DE23100000001234567890';
const RICH = 10_000_000_000n;
const debit = { brand: 'DIRECTDEBIT_SEPA' };

const authorise = async (parameters: Record<string, string>, options: RequestParts = {}) =>
  acquirer().authorise(request('bankAccount', { holder: 'Jane Jones', ...parameters }, { ...debit, ...options }));

describe('direct debit', () => {
  const rows: [title: string, parameters: Record<string, string>, parts: RequestParts, expected: string][] = [
    ['a valid account', { iban: GOOD }, {}, '000.100.110 00'],
    ['held first', { iban: GOOD }, { type: 'PA' }, '000.100.110 00'],
    ['paid out', { iban: GOOD }, { type: 'CD' }, '000.100.110 00'],
    ['number and bank code', { number: '1234567890', bankCode: '10000000' }, {}, '000.100.110 00'],
    ['number and BIC', { number: '1234567890', bic: 'MARKDEF1100' }, {}, '000.100.110 00'],
    ['closed', { iban: 'DE93100000001234567891' }, {}, '800.100.172 AC04'],
    ['closed, paid out', { iban: 'DE93100000001234567891' }, { type: 'CD' }, '800.100.172 AC04'],
    ['10.00 from an account with 10.00', { iban: 'DE66100000001234567892' }, { minor: 1_000n }, '000.100.110 00'],
    ['a cent more than the account has', { iban: 'DE66100000001234567892' }, { minor: 1_001n }, '800.100.155 AM04'],
    ['a payout to an account with 10.00', { iban: 'DE66100000001234567892' }, { type: 'CD' }, '000.100.110 00'],
    ['no mandate', { iban: 'DE39100000001234567893' }, {}, '800.100.403 MD01'],
    ['with a mandate', { iban: 'DE39100000001234567893', 'bankAccount.mandate.id': 'M-A' }, {}, '000.100.110 00'],
    ['no mandate, paid out', { iban: 'DE39100000001234567893' }, { type: 'CD' }, '000.100.110 00'],
    ['a wrong IBAN', { iban: 'DE24100000001234567890' }, {}, '100.100.101'],
    ['a wrong IBAN beside a good number', { iban: 'DE24', number: '1', bic: 'MARKDEF1' }, {}, '100.100.101'],
    ['a number without its bank', { number: '1234567890' }, {}, '100.100.100'],
    ['no account', {}, {}, '100.100.100'],
    ['nothing to take', { iban: GOOD }, { minor: 0n }, '800.100.174 13'],
    ['above the limit', { iban: GOOD }, { minor: 2_500_001n }, '800.100.162 61'],
    ['a trigger', { iban: GOOD }, { minor: 800_005n }, '800.100.152 05'],
    ['forced to pend', { iban: GOOD }, { custom: { forceResultCode: '000.200.000' } }, '000.200.000'],
    [
      'forced, though closed',
      { iban: 'DE93100000001234567891' },
      { custom: { forceResultCode: '000.000.000' } },
      '000.000.000 00',
    ],
  ];
  test.each(rows)('%s', async (_, parameters, options, expected) => {
    expect(codesOf(await authorise(parameters, options))).toBe(expected);
  });

  test('the test accounts are valid IBANs', () => {
    expect([...testBankAccounts.keys()].filter((iban) => !ibanIsValid(iban))).toEqual([]);
  });

  test('an approval debits, a payout credits, a decline changes nothing', async () => {
    const records = memory();
    const bank = acquirer({ memory: records });
    await bank.authorise(request('bankAccount', { iban: GOOD }, debit));
    expect(purseBalances(records)).toEqual([RICH - 12_500n]);
    await bank.authorise(request('bankAccount', { iban: GOOD }, { ...debit, type: 'CD', minor: 250n }));
    await bank.authorise(request('bankAccount', { iban: GOOD }, { ...debit, minor: 800_051n }));
    expect(purseBalances(records)).toEqual([RICH - 10_000n]);
  });

  test('an IBAN and a number are two accounts, and neither is readable in the stored documents', async () => {
    const records = memory();
    const bank = acquirer({ memory: records });
    await bank.authorise(request('bankAccount', { iban: GOOD }, debit));
    await bank.authorise(request('bankAccount', { number: '1234567890', bankCode: '10000000' }, debit));
    expect(purseBalances(records)).toHaveLength(2);
    expect(JSON.stringify([...records.documents])).not.toContain('1234567890');
  });
});

describe('prepayment', () => {
  const prepayment = { brand: 'PREPAYMENT', type: 'PA' } as const;

  test('returns the account to transfer to, and takes nothing', async () => {
    const records = memory();
    const authorisation = request(
      'bankAccount',
      { holder: 'Jane Jones' },
      { ...prepayment, id: `${'0'.repeat(20)}abcdef123456` },
    );
    const answer = await acquirer({ memory: records }).authorise(authorisation);
    expect(answer).toMatchObject({
      resultCode: '000.100.110',
      merchantBankAccount: { holder: 'Tillgate Test Merchant', number: GOOD, bic: 'MARKDEF1100', country: 'DE' },
      details: { TransferUsage: 'ABCD EF12 3456' },
    });
    expect(purseBalances(records)).toEqual([]);
  });

  test('the receipt books the money received, up to the agreed amount', async () => {
    const bank = acquirer();
    const authorisation = request('bankAccount', {}, prepayment);
    await bank.authorise(authorisation);
    const refund = () => bank.refer(reference('refund', authorisation.id, { minor: 100n }));
    expect(codesOf(await refund())).toBe('700.400.200');
    expect(codesOf(await bank.refer(reference('receipt', authorisation.id, { minor: 1_000n })))).toBe('000.100.110 00');
    expect(codesOf(await bank.refer(reference('receipt', authorisation.id, { minor: 251n })))).toBe('700.400.100');
    expect(codesOf(await bank.refer(reference('receipt', authorisation.id, { minor: 250n })))).toBe('000.100.110 00');
    expect(codesOf(await refund())).toBe('000.100.110 00');
  });

  test.each([
    ['a debit', { type: 'DB' }, '600.200.500'],
    ['a trigger', { minor: 800_005n }, '800.100.152 05'],
  ] as const)('%s', async (_, options, expected) => {
    const answer = await acquirer().authorise(request('bankAccount', {}, { ...prepayment, ...options }));
    expect(codesOf(answer)).toBe(expected);
    expect(answer.merchantBankAccount).toBeUndefined();
    expect(answer.details['TransferUsage']).toBeUndefined();
  });

  test('a payout goes to the given account', async () => {
    const bank = acquirer();
    const credit = (parameters: Record<string, string>) =>
      bank.authorise(request('bankAccount', parameters, { ...prepayment, type: 'CD' }));
    expect(codesOf(await credit({ iban: GOOD }))).toBe('000.100.110 00');
    expect(codesOf(await credit({}))).toBe('100.100.100');
  });
});
