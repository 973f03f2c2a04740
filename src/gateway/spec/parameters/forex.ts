/** Spec 2.3: a conversion of currencies that takes place with the payment. Given back; what is moved is the amount. */
import { amount, currency } from './kinds.ts';
import { section } from './section.ts';

export const forex = section('forex', {
  amount: amount('The amount in the other currency.', { example: '13.70', req: 'C', echo: true }),
  currency: currency('The other currency.', { example: 'USD', req: 'C', echo: true }),
});
