/** Spec 2.25: which settlements a report covers, and in which order. */
import { date, oneOf, shape } from './kinds.ts';
import { section } from './section.ts';

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
