/** Spec 2.5: the card, when its number travels with the request. */
import { letters, month, n, oneOf, year } from './kinds.ts';
import { section } from './section.ts';

export const card = section('card', {
  number: n([8, 32], 'The card number, no spaces.', { secret: 'account', example: '4200000000000000', req: 'R' }),
  holder: letters([3, 128], 'The name on the card.', { secret: 'personal', example: 'Jane Jones' }),
  expiryMonth: month('Month of expiry.', { secret: 'personal', example: '05', req: 'R' }),
  expiryYear: year('Year of expiry.', { secret: 'personal', example: '2034', req: 'R' }),
  cvv: n([3, 4], 'The security code; never stored.', { secret: 'authentication', example: '123', req: 'C' }),
  numberType: oneOf(['PAN', 'DPAN'], 'The card’s own number, or a device’s.', { example: 'PAN' }),
});
