/** Spec 2.24: how payments are found. The same reference may stand on many of them. */
import { shape, text } from './kinds.ts';
import { section } from './section.ts';

export const query = section('', {
  merchantTransactionId: text([1, 255], 'The reference to look for.', { example: 'till-7-000042' }),
  limit: shape(/^[1-4][0-9]{2}$|^500$/, 'a number from 100 to 500', 'How many at most; 100 if absent.', {
    example: '100',
  }),
});
