/** Spec 2.21: the sellers of a marketplace, and what each gets. */
import { amt, text } from './kinds.ts';
import { section } from './section.ts';

export const marketplace = section('marketPlace.sellers[n]', {
  id: text([1, 255], 'The seller; its items carry it as sellerId.', { example: 'seller-7', echo: true }),
  amount: amt('What the seller gets.', { example: '5.60', echo: true }),
});
