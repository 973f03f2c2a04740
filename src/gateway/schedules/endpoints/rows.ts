/** What the requests about schedules take (spec 2.28, 2.32; 2.24: SD, RS, DS). */
import type { Rule } from '../../spec/operation.ts';
import { billing, shipping } from '../../spec/parameters/addresses.ts';
import { authentication } from '../../spec/parameters/authentication.ts';
import { customer } from '../../spec/parameters/customer.ts';
import { job } from '../../spec/parameters/job.ts';
import { an, oneOf } from '../../spec/parameters/kinds.ts';
import { merchant } from '../../spec/parameters/merchant.ts';
import { customParameters, payment } from '../../spec/parameters/payment.ts';
import { standingInstruction } from '../../spec/parameters/registration.ts';
import { paymentRules } from '../../spec/rules/payment.ts';

/** Each run takes over all but the job. The brand is the registration's. */
const { paymentBrand: _, integrity: __, paymentType, ...basic } = payment;

export const scheduleRows = {
  ...authentication,
  ...basic,
  paymentType,
  registrationId: an([32, 32], 'The stored account that is charged.', {
    example: '8ac7a4a1845f7e19018461a00b366a74',
    req: 'R',
  }),
  ...customer,
  ...billing,
  ...shipping,
  ...merchant,
  ...customParameters,
  ...standingInstruction,
  ...job,
};

export const descheduleRows = {
  ...authentication,
  ...customParameters,
  paymentType: oneOf(['DS'], 'DS, or left out.', { example: 'DS' }),
  testMode: payment.testMode,
};

/** A run comes from the merchant and is never the first: whatever else a standing instruction says. */
export const scheduleRules: readonly Rule[] = [
  ...paymentRules('onRegistration'),
  {
    name: 'standingInstruction.mode',
    says: 'must be REPEATED or left out: the first payment of a series is the one that the shopper makes',
    holds: (sent) => sent['standingInstruction.mode'] !== 'INITIAL',
  },
  {
    name: 'standingInstruction.source',
    says: 'must be MIT or left out: a scheduled payment is the merchant’s',
    holds: (sent) => sent['standingInstruction.source'] !== 'CIT',
  },
];
