/** Spec 2.7: the shopper's account at a virtual wallet. */
import { text } from './kinds.ts';
import { section } from './section.ts';

export const virtualAccount = section('virtualAccount', {
  accountId: text([1, 100], 'The shopper’s virtual account.', {
    secret: 'account',
    example: 'jane.jones@example.com',
    req: 'R',
  }),
});
