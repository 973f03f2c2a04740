/**
 * Spec 2.25 and 2.33: which settlements a report covers, and in which order; why the acquirer charged a payment back.
 */
import { date, oneOf, shape } from './kinds.ts';
import { section } from './row.ts';

export const reporting = section('', {
  'date.from': date('First day.', { example: '2026-11-01', req: 'R' }),
  'date.to': date('Last day.', { example: '2026-11-30', req: 'R' }),
  sortValue: oneOf(['SettlementTxDate'], 'What the detailed report is sorted by.', { example: 'SettlementTxDate' }),
  sortOrder: oneOf(['ASC', 'DESC', 'asc', 'desc'], 'Up or down.', { example: 'ASC' }),
});

/** Not in the section's table: what clients of the paged report send. */
export const reportPages = section('', {
  reconciliationType: oneOf(
    ['SETTLED', 'FEE', 'CHARGEBACK', 'CHARGEBACK REVERSAL'],
    'Only records of this type (recordType).',
    { example: 'SETTLED' },
  ),
  pageNo: shape(
    /^[1-9][0-9]{0,5}$/,
    { wants: 'a page from 1', good: ['1', '999999'], bad: ['0', '-1', '01', '1000000', 'x'] },
    'Which hundred records, from 1; 1 if absent.',
    { example: '1' },
  ),
});

// Spec 2.33: why the acquirer charged a payment back.

export const chargeback = section('', {
  chargebackResultCode: shape(
    /^000\.100\.2[0-9]{2}$/,
    {
      wants: '000.100.2 and two digits',
      good: ['000.100.200', '000.100.299'],
      bad: ['000.100.2', '000.100.20', '000.100.2000', '000.100.300', '000.100.199', '000x100x200', '00010020'],
    },
    'The acquirer’s reason.',
    { example: '000.100.203', echo: true },
  ),
});
