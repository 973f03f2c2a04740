/** One scene of the demo's day, done at its counter. */
import { parseAmount } from '../../base/money.ts';
import { billOfSale } from '../../ledger/bills.ts';
import type { Scene } from './day.ts';
import type { DemoCounter } from './shop.ts';

export type Played = Exclude<Scene, { kind: 'line' }>;

/** `receipts`: of the scenes that later ones follow, by name. Throws what the till throws. */
export const act = (counter: DemoCounter, scene: Played, receipts: ReadonlyMap<string, number>) => {
  const { till, config } = counter.till;
  const amountOf = (text: string) => parseAmount(text, config.currency);
  const receiptOf = (name: string): number => receipts.get(name) ?? 0;
  const amount = amountOf(scene.amount);
  const hear = () => {};
  if (scene.kind === 'gift') return till.payByGiftCard({ amount, number: scene.number }, hear);
  if (scene.kind === 'follow') {
    const { operation, of, tip } = scene;
    const request = { operation, receipt: receiptOf(of), amount, ...(tip !== undefined && { tip: amountOf(tip) }) };
    return till.follow(request, hear);
  }
  counter.comes(scene.comes);
  if (scene.operation === 'preauthorisation') return till.preauthorise({ amount }, hear);
  if (scene.operation === 'credit') return till.credit({ amount }, hear);
  const bill = scene.rest === undefined ? undefined : billOfSale(counter.till, till.find(receiptOf(scene.rest)));
  const { partial } = scene;
  return till.sell(
    { amount, ...(partial && { partial }), ...(bill && { bill: { id: bill.id, total: bill.total } }) },
    hear,
  );
};
