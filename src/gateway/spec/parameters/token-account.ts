/** Spec 2.9: a token that an external provider or a card network issued for a card. */
import { month, n, oneOf, shape, year } from './kinds.ts';
import { section } from './section.ts';

/** Padded, or with the padding left out. */
const isBase64 = (value: string): boolean => (value.endsWith('=') ? value.length % 4 === 0 : value.length % 4 !== 1);

export const tokenAccount = section('tokenAccount', {
  number: n([12, 19], 'The token.', { secret: 'account', example: '4895370012003478', req: 'R' }),
  type: oneOf(['EXTERNAL', 'NETWORK'], 'Who issued it.', { example: 'NETWORK', req: 'R', echo: true }),
  expiryMonth: month('Month of expiry.', { secret: 'personal', example: '05', echo: true }),
  expiryYear: year('Year of expiry.', { secret: 'personal', example: '2034', echo: true }),
  cryptogram: shape(
    /^(?=.{28,32}$)[A-Za-z0-9+/]+={0,2}$/,
    {
      wants: '28 to 32 characters of base64',
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
