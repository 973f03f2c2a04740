/** Spec 2.5 to 2.9 and 2.26: the accounts that pay. First the card, if its number comes with the request. */
import { an, chars, country, date, echoed, letters, month, n, oneOf, regex, text, UNSTATED, year } from './kinds.ts';
import { section } from './row.ts';

export const card = section('card', {
  number: n([8, 32], 'The card number, no spaces.', { secret: 'account', example: '4200000000000000', req: 'R' }),
  holder: letters([3, 128], 'The name on the card.', { secret: 'personal', example: 'Jane Jones' }),
  expiryMonth: month('Month of expiry.', { secret: 'personal', example: '05', req: 'R' }),
  expiryYear: year('Year of expiry.', { secret: 'personal', example: '2034', req: 'R' }),
  cvv: n([3, 4], 'The security code; never stored.', { secret: 'authentication', example: '123', req: 'C' }),
  numberType: oneOf(['PAN', 'DPAN'], 'The card’s own number, or a device’s.', 'PAN'),
});

// Spec 2.6: wallets, by the provider's token (to be decrypted here) or with the card that the merchant decrypted.

/** The maximum length of a whole encrypted payment with its certificates. */
const TOKEN: readonly [number, number] = [1, 16_384];

const tokenRow = (message: string, example: string) => text(TOKEN, message, { secret: 'account', example, req: 'C' });
const sourceRow = (example: 'web' | 'app') =>
  oneOf(['web', 'app'], 'The origin of the card that the merchant decrypted.', { example, req: 'C', echo: true });

/**
 * Wallet A of the spec is Apple Pay, B Google Pay, C Samsung Pay. Each token is required only if the wallet is sent as
 * a token, and each source only if it was decrypted, so both are conditional.
 */
export const wallets = {
  ...section('applePay', {
    paymentToken: tokenRow('The token’s paymentData, as the device returned it.', '{"version":"EC_v1","data":"gQFB"}'),
    cardNetwork: text(UNSTATED, 'token.paymentMethod.network.', echoed('Visa')),
    cardType: text(UNSTATED, 'token.paymentMethod.type.', echoed('debit')),
    source: sourceRow('web'),
  }),
  ...section('googlePay', {
    paymentToken: tokenRow('The token, as the device returned it.', '{"protocolVersion":"ECv2","signature":"MEUC"}'),
    source: sourceRow('app'),
  }),
  ...section('samsungPay', {
    paymentToken: tokenRow('The token, as the device returned it.', 'eyJhbGciOiJSU0ExXzUifQ.eyJhbW91bnQiOiIxMDAifQ'),
    source: sourceRow('app'),
  }),
};

/** Spec 2.7: the shopper's account at a virtual wallet. */
export const virtualAccount = section('virtualAccount', {
  accountId: text([1, 100], 'The shopper’s virtual account.', {
    secret: 'account',
    example: 'jane.jones@example.com',
    req: 'R',
  }),
});

const HEAD = 'AT61';

/** Spec 2.8: a bank account, for direct debit, SEPA and bank transfer. */
export const bankAccount = {
  ...section('bankAccount', {
    holder: text([4, 128], 'The account’s holder.', {
      secret: 'personal',
      example: 'Jane Jones',
      req: 'R',
      echo: true,
    }),
    bankName: text([1, 255], 'The bank.', { example: 'Steiermärkische Sparkasse', req: 'C', echo: true }),
    number: an([3, 64], 'Account number; or iban.', { secret: 'account', example: '00234573201', req: 'C' }),
    iban: regex(
      /^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,27}$/,
      {
        mustBe: 'an IBAN: two letters, two digits, then 11 to 27 letters or digits, no spaces',
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
    bic: regex(
      /^(?:[A-Za-z0-9]{8}|[A-Za-z0-9]{11})$/,
      {
        mustBe: '8 or 11 letters or digits',
        good: ['MARKDEF1', 'MARKDEF1100'],
        bad: ['MARKDEF', 'MARKDEF11', 'MARKDEF110', 'MARKDEF11000', 'MARK-EF1'],
      },
      'Business identifier of the bank; or bankCode.',
      { example: 'STSPAT2GXXX', req: 'C', echo: true },
    ),
    country: country('Country of the account.', { example: 'AT', req: 'C', echo: true }),
    // "AN up to 256, letters and hyphen": AN includes digits, and mandates have them.
    'mandate.id': chars('alphanumericHyphen', [1, 256], 'The mandate.', {
      example: 'MANDATE-2026-0042',
      req: 'C',
      echo: true,
    }),
    'mandate.dateOfSignature': date('The date of its signature.', { example: '2026-03-01', req: 'C', echo: true }),
  }),
  ...section('', {
    transactionDueDate: date('The due date of the direct debit.', { example: '2026-12-01', req: 'C', echo: true }),
  }),
};

/** With or without padding. */
const isBase64 = (value: string): boolean => (value.endsWith('=') ? value.length % 4 === 0 : value.length % 4 !== 1);

/** Spec 2.9: a token that an external provider or a card network issued for a card. */
export const tokenAccount = section('tokenAccount', {
  number: n([12, 19], 'The token.', { secret: 'account', example: '4895370012003478', req: 'R' }),
  type: oneOf(['EXTERNAL', 'NETWORK'], 'Who issued it.', { example: 'NETWORK', req: 'R', echo: true }),
  expiryMonth: month('Month of expiry.', { secret: 'personal', example: '05', echo: true }),
  expiryYear: year('Year of expiry.', { secret: 'personal', example: '2034', echo: true }),
  cryptogram: regex(
    /^(?=.{28,32}$)[A-Za-z0-9+/]+={0,2}$/,
    {
      mustBe: '28 to 32 characters of base64',
      check: isBase64,
      good: ['AgAAAAAABk4DWZ4C28yUQAAAAAA=', 'A'.repeat(28), `${'+/9z'.repeat(7)}AA==`, 'z'.repeat(32)],
      bad: [
        'A'.repeat(24),
        'A'.repeat(27),
        'A'.repeat(33),
        'A'.repeat(36),
        `${'A'.repeat(25)}===`,
        `${'A'.repeat(27)}-`,
      ],
    },
    'The EMV cryptogram; never stored.',
    { secret: 'authentication', example: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', req: 'C' },
  ),
  dtvc: n([3, 4], 'Dynamic token verification code; never stored.', {
    secret: 'authentication',
    example: '735',
    req: 'C',
  }),
});

const BOUNDS: readonly [number, number] = [2, 255];

const OCCASIONS = [
  'ANNIVERSARY',
  'BIRTHDAY',
  'CONGRATULATIONS',
  'APRIL_FOOLS_DAY',
  'EASTER',
  'FATHERS_DAY',
  'GRADUATION',
  'HOLIDAY',
  'SEASONS_GREETINGS',
  'PASSOVER',
  'KWANZAA',
  'HALLOWEEN',
  'MOTHERS_DAY',
  'NEW_YEARS_DAY',
  'BOSSES_DAY',
  'ST_PATRICKS_DAY',
  'SWEETEST_DAY',
  'CHRISTMAS',
  'BABY_SHOWER',
  'THANKSGIVING',
  'OTHER',
  'VALENTINES_DAY',
  'WEDDING',
  'SECRETARYS_DAY',
  'CHINESE_NEW_YEAR',
  'HANUKKAH',
  'CELEBRATE_FALL',
  'GRANDPARENTS_DAY',
  'INDEPENDENCE_DAY',
] as const;

/** Spec 2.26: a gift card. */
export const giftCard = section('giftCard', {
  number: text(BOUNDS, 'The number on the card.', { secret: 'account', example: '6036280000000000000' }),
  pin: text(BOUNDS, 'The card’s PIN; never stored.', { secret: 'authentication', example: '4821' }),
  holder: text(BOUNDS, 'Whose it is.', { secret: 'personal', example: 'Jane Jones', echo: true }),
  message: text([2, 160], 'A message to the recipient.', { secret: 'personal', example: 'Enjoy!', echo: true }),
  type: oneOf(OCCASIONS, 'The occasion.', echoed('BIRTHDAY')),
});
