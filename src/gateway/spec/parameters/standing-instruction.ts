/** Spec 2.32: a card on file, by whose wish it is charged, and when. */
import { date, n, oneOf, text, UNSTATED } from './kinds.ts';
import { marked, section } from './section.ts';

const rows = {
  type: oneOf(['UNSCHEDULED', 'INSTALLMENT', 'RECURRING'], 'Kind of series.', { example: 'RECURRING' }),
  recurringType: oneOf(['STANDING_ORDER', 'SUBSCRIPTION'], 'Kind of recurring payment.', { example: 'SUBSCRIPTION' }),
  mode: oneOf(['INITIAL', 'REPEATED'], 'First of the series, or later.', { example: 'INITIAL' }),
  source: oneOf(['CIT', 'MIT'], 'Cardholder or merchant.', { example: 'CIT' }),
  initialTransactionId: text(UNSTATED, 'Reference of the first, from its answer.', { example: '286251730000042' }),
  industryPractice: oneOf(
    ['INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'],
    'Why the merchant charges.',
    { example: 'NO_SHOW' },
  ),
  expiry: date('No authorisation after this day.', { example: '2028-11-21' }),
  frequency: n([1, 4], 'Least days between authorisations.', { example: '28' }),
  numberOfInstallments: n([1, 3], 'Most authorisations.', { example: '12' }),
};

export const standingInstruction = section('standingInstruction', marked(rows, { req: 'C', echo: true }));
