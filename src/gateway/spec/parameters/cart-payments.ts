/** Spec 2.20: what was paid towards the cart already. */
import { amt, flag, of, oneOf, text } from './kinds.ts';
import { marked, section } from './section.ts';

const rows = {
  name: text([1, 255], 'What it is called.', { example: 'Summer voucher' }),
  type: oneOf(['GIFTCARD', 'PROMOTION'], 'Kind of payment.', { example: 'PROMOTION' }),
  amount: amt('How much.', { example: '5.00' }),
  currency: of('latin', [3, 3], 'Its currency.', { example: 'EUR' }),
  status: oneOf(['pending', 'authorized', 'captured'], 'How far it got.', { example: 'captured' }),
  brand: text([1, 255], 'Its brand.', { example: 'VOUCHER' }),
  primary: flag('Whether it is the main payment.', { example: 'false' }),
};

export const cartPayments = section('cart.payments[n]', marked(rows, { echo: true }));
