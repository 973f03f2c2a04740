/** Spec 2.8: a bank account, for direct debit, SEPA and bank transfer. */
import { an, country, date, of, shape, text } from './kinds.ts';
import { section } from './section.ts';

const HEAD = 'AT61';

export const bankAccount = {
  ...section('bankAccount', {
    holder: text([4, 128], 'Whose account it is.', { secret: 'personal', example: 'Jane Jones', req: 'R', echo: true }),
    bankName: text([1, 255], 'The bank.', { example: 'Steiermärkische Sparkasse', req: 'C', echo: true }),
    number: an([3, 64], 'Account number; or iban.', { secret: 'account', example: '00234573201', req: 'C' }),
    iban: shape(
      /^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,27}$/,
      {
        wants: 'an IBAN: two letters, two digits, then 11 to 27 letters or digits, no spaces',
        good: [`${HEAD}${'1'.repeat(11)}`, `${HEAD}${'Z'.repeat(27)}`, 'DE89370400440532013000', 'NO9386011117947'],
        bad: [
          `${HEAD}${'1'.repeat(10)}`,
          `${HEAD}${'1'.repeat(28)}`,
          'D189370400440532013000',
          'DEX9370400440532013000',
        ],
      },
      'International account number; or number.',
      { secret: 'account', example: 'AT611904300234573201', req: 'C' },
    ),
    bankCode: text([1, 12], 'National bank code; or bic.', { example: '20815', req: 'C', echo: true }),
    bic: shape(
      /^(?:[A-Za-z0-9]{8}|[A-Za-z0-9]{11})$/,
      {
        wants: '8 or 11 letters or digits',
        good: ['MARKDEF1', 'MARKDEF1100'],
        bad: ['MARKDEF', 'MARKDEF11', 'MARKDEF110', 'MARKDEF11000', 'MARK-EF1'],
      },
      'Business identifier of the bank; or bankCode.',
      { example: 'STSPAT2GXXX', req: 'C', echo: true },
    ),
    country: country('Country of the account.', { example: 'AT', req: 'C', echo: true }),
    // "AN up to 256, letters and hyphen": AN has digits, and so have mandates.
    'mandate.id': of('alphanumericHyphen', [1, 256], 'The mandate.', {
      example: 'MANDATE-2026-0042',
      req: 'C',
      echo: true,
    }),
    'mandate.dateOfSignature': date('When it was signed.', { example: '2026-03-01', req: 'C', echo: true }),
  }),
  ...section('', {
    transactionDueDate: date('When the direct debit is due.', { example: '2026-12-01', req: 'C', echo: true }),
  }),
};
