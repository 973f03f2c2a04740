/** Spec 2.25: which settlements a report covers, and in which order. */
import { date, oneOf } from './kinds.ts';
import { section } from './section.ts';

export const reporting = section('', {
  'date.from': date('First day.', { example: '2026-11-01', req: 'R' }),
  'date.to': date('Last day.', { example: '2026-11-30', req: 'R' }),
  sortValue: oneOf(['SettlementTxDate'], 'What the detailed report is sorted by.', { example: 'SettlementTxDate' }),
  sortOrder: oneOf(['ASC', 'DESC', 'asc', 'desc'], 'Up or down.', { example: 'ASC' }),
});
