/** The types that the books give to whatever displays them. */
export { explanations } from '../locales/messages/en/settlement.ts';
export type { Batch } from '../reconciliation/batches.ts';
export type { OpenMoney } from '../reconciliation/open-money.ts';
export { isOff, type Reconciliation } from '../reconciliation/reconcile.ts';
export type { Finding } from '../reconciliation/settlement-explain.ts';
export type { SaleOff } from './check.ts';
