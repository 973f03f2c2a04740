/** What belongs to one way of asking only: the shopper who is sent away, and types by brand (spec 2.2, 2.31). */
import { brandOf } from '../brands.ts';
import { hasAny, needed, type Rule } from '../operations/operation.ts';

/** A shopper who is sent to a bank must be able to come back. */
export const asynchronousRules: readonly Rule[] = needed(
  (sent) => brandOf(sent['paymentBrand'] ?? '')?.asynchronous === true,
  ['shopperResultUrl'],
  'may not be empty: with this brand the shopper is sent away and must find back',
);

export const noOverrides: readonly Rule[] = [
  {
    name: 'overridePaymentType[key]',
    says: 'is accepted only when a checkout is created',
    holds: (sent) => !hasAny(sent, 'overridePaymentType['),
  },
];
