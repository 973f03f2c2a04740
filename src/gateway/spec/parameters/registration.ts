/** Spec 2.23 and 2.32: storing payment details, importing those stored elsewhere, and charging them. */
import { isMoment } from './formats.ts';
import { an, date, echoed, flag, n, oneOf, regex, text, UNSTATED } from './kinds.ts';
import { section, withOptions } from './row.ts';

// One-click payment: the stored accounts that a checkout offers, and the one that the shopper selects. The
// specification's tables lack these rows; clients of this interface know them.

const ID: readonly [number, number] = [32, 32];
const example = 'a1939c2f1b02c1c0a5e9b2f3d4c5e6f7';

export const offeredRegistrations = section('', {
  'registrations[n].id': an(ID, 'A stored account offered to the shopper.', { example }),
});

export const chosenRegistration = section('', {
  registrationId: an(ID, 'The stored account that the shopper selects, one of those that the checkout offers.', {
    example,
  }),
});

const reference = (example: string) =>
  text([1, 128], 'Acquirer’s detail of the first payment.', { example, req: 'C', echo: true });

export const registration = {
  ...section('', {
    createRegistration: flag('Whether the payment details are stored.', 'true'),
    overrideHolder: flag('Whether a holder may be sent in place of an empty stored one.', 'true'),
  }),
  ...section('recurringMigration', {
    paymentType: oneOf(['DB', 'CD', 'PA'], 'Type of the first payment.', { example: 'DB', req: 'R', echo: true }),
    amount: regex(
      /^[0-9]{1,8}(?:\.[0-9]{2})?$/,
      {
        mustBe: 'up to 8 digits, then optionally a dot and 2 decimals',
        good: ['0', '1', '99999999', '99999999.99'],
        bad: ['100000000', '100000000.00', '1.5', '1.', '.50', '-1', '1,00'],
      },
      'Amount of the first payment.',
      echoed('12.50'),
    ),
    requestTimestamp: regex(
      /^(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} ?[+-](?:0[0-9]|1[0-4]):?[0-5][0-9]$/,
      {
        mustBe: 'a date, a time and its offset, yyyy-MM-dd HH:mm:ss+0000',
        check: isMoment,
        good: ['2020-02-29 23:59:59+0000', '2020-01-01 00:00:00 +1400', '1999-12-31 12:00:00-12:00'],
        bad: [
          '2020-02-29 23:59:59',
          '2020-02-29T23:59:59+0000',
          '2020-02-30 10:00:00+0000',
          '2020-02-29 24:00:00+0000',
          '2020-02-29 10:00:00+1500',
          '2020-02-29 10:00:00+01',
          '2020-02-29 10:00:00+0060',
        ],
      },
      'The time of the first payment’s request.',
      { example: '2020-06-15 10:30:00+0200', req: 'C', echo: true },
    ),
    connectorTxId1: reference('8312000000042'),
    connectorTxId2: reference('MCC1A2B3C'),
    connectorTxId3: reference('1120'),
  }),
};

const rows = {
  type: oneOf(['UNSCHEDULED', 'INSTALLMENT', 'RECURRING'], 'Kind of series.', 'RECURRING'),
  recurringType: oneOf(['STANDING_ORDER', 'SUBSCRIPTION'], 'Kind of recurring payment.', 'SUBSCRIPTION'),
  mode: oneOf(['INITIAL', 'REPEATED'], 'The first of the series, or a later one.', 'INITIAL'),
  source: oneOf(['CIT', 'MIT'], 'Cardholder or merchant.', 'CIT'),
  initialTransactionId: text(UNSTATED, 'Reference of the first payment, from its answer.', '286251730000042'),
  industryPractice: oneOf(
    ['INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'],
    'The merchant’s reason for the charge.',
    'NO_SHOW',
  ),
  expiry: date('No authorisation after this day.', '2028-11-21'),
  frequency: n([1, 4], 'Minimum number of days between authorisations.', '28'),
  numberOfInstallments: n([1, 3], 'Most authorisations.', '12'),
};

/** Spec 2.32: a card on file, who initiates the charge, and when. */
export const standingInstruction = section('standingInstruction', withOptions(rows, { req: 'C', echo: true }));
