/** Spec 2.5: the card, when its number travels with the request. */
import { letters, n, oneOf, shape } from './kinds.ts';
import { section } from './section.ts';

export const card = section('card', {
  number: n([8, 32], 'The card number, no spaces.', { secret: 'account', example: '4200000000000000' }),
  holder: letters([3, 128], 'The name on the card.', { secret: 'personal', example: 'Jane Jones' }),
  expiryMonth: shape(/^(0[1-9]|1[0-2])$/, '01 to 12', 'Month of expiry.', { secret: 'personal', example: '05' }),
  expiryYear: shape(/^(19|20)[0-9]{2}$/, 'a year of four digits starting 19 or 20', 'Year of expiry.', {
    secret: 'personal',
    example: '2034',
  }),
  cvv: n([3, 4], 'The security code; never stored.', { secret: 'authentication', example: '123' }),
  numberType: oneOf(['PAN', 'DPAN'], 'The card’s own number, or a device’s.', { example: 'PAN' }),
});
