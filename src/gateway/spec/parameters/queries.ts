/**
 * Spec 2.24, 2.25 and 2.33: finding payments; the settlements that a report covers, and their order; the reason of a
 * chargeback.
 */
import { date, dateTime, echoed, flag, oneOf, regex, required, text } from './kinds.ts';
import { section } from './row.ts';

// Spec 2.24: finding payments. Many of them may have the same reference.

const PAYMENT_TYPES = (
  'CB CD CR DB CP IV PA RB RC RF RL RV AD IN FI CL CF DR RG RR TE CT DS RS SD AC MD EA RI 3D SA EN ID IC DP CG TG ' +
  'SF IS VD DV AF GK RD TM FT KT AR AL PL FN FZ RE RX FO CS EX SE AU TK TF ER'
).split(' ');

const PAYMENT_METHODS = 'DD CT CC WA VA UA OT DC ET NT IV PP OD RM'.split(' ');

/** Two-letter codes separated by commas, without spaces. */
const listOf = (codes: readonly string[], text: string, example: string) => {
  const known = new Set(codes);
  return regex(
    /^[A-Z0-9]{2}(?:,[A-Z0-9]{2})*$/,
    {
      mustBe: `a comma separated list of codes of [${codes.join(', ')}]`,
      check: (value) => value.split(',').every((code) => known.has(code)),
      good: [...codes, codes.join(','), `${codes[0]},${codes[0]}`],
      bad: ['XX', `${codes[0]},XX`, `${codes[0]},`, `,${codes[0]}`, `${codes[0]}, ${codes[1]}`, `${codes[0]};XX`, 'db'],
    },
    text,
    { example },
  );
};

export const query = section('', {
  merchantTransactionId: text([1, 255], 'The reference to look for.', 'till-7-000042'),
  limit: regex(
    /^[1-4][0-9]{2}$|^500$/,
    {
      mustBe: 'a number from 100 to 500',
      good: ['100', '499', '500'],
      bad: ['99', '501', '1000', '-100', '0100', '100.0', 'x'],
    },
    'The maximum number; 100 if absent.',
    '100',
  ),
  'date.from': dateTime('Not before; with date.to.', '2026-11-01 00:00:00'),
  'date.to': dateTime('Not after; with date.from.', '2026-11-30 23:59:59'),
  paymentTypes: listOf(PAYMENT_TYPES, 'Only payments of these types.', 'DB,PA,CP'),
  paymentMethods: listOf(PAYMENT_METHODS, 'Only payments by these methods.', 'CC,DD'),
  includeLinkedTransactions: flag('Whether linked payments are included.', 'true'),
  shortId: text([1, 14], 'The short id that people read out.', '1234.5678.9012'),
});

export const reporting = section('', {
  'date.from': date('First day.', required('2026-11-01')),
  'date.to': date('Last day.', required('2026-11-30')),
  sortValue: oneOf(['SettlementTxDate'], 'The sort order of the detailed report.', 'SettlementTxDate'),
  sortOrder: oneOf(['ASC', 'DESC', 'asc', 'desc'], 'Up or down.', 'ASC'),
});

/** Not in the specification's table: parameters that clients of the paged report send. */
export const reportPages = section('', {
  reconciliationType: oneOf(
    ['SETTLED', 'FEE', 'CHARGEBACK', 'CHARGEBACK REVERSAL'],
    'Only records of this type (recordType).',
    'SETTLED',
  ),
  pageNo: regex(
    /^[1-9][0-9]{0,5}$/,
    { mustBe: 'a page from 1', good: ['1', '999999'], bad: ['0', '-1', '01', '1000000', 'x'] },
    'The page of a hundred records, from 1; 1 if absent.',
    '1',
  ),
});

/** Spec 2.33: the acquirer's reason for a chargeback. */
export const chargeback = section('', {
  chargebackResultCode: regex(
    /^000\.100\.2[0-9]{2}$/,
    {
      mustBe: '000.100.2 and two digits',
      good: ['000.100.200', '000.100.299'],
      bad: ['000.100.2', '000.100.20', '000.100.2000', '000.100.300', '000.100.199', '000x100x200', '00010020'],
    },
    'The acquirer’s reason.',
    echoed('000.100.203'),
  ),
});
