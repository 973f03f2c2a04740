/** An interrupted import of chargebacks with a settlement in between: the money is taken once. */
import { expect, test } from 'vitest';
import { hurry } from '../../../src/gateway/reports/batch.ts';
import { importChargeback } from '../../../src/gateway/reports/chargeback-import.ts';
import type { ListedChargeback } from '../../../src/gateway/reports/chargeback-list.ts';
import { parseRows } from '../../../src/gateway/reports/settlement-csv.ts';
import { settlementFileOf } from '../../../src/gateway/reports/settlement-file.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { entityId, payment, type TestGateway, testGateway, token } from '../../support/gateway/gateway.ts';

const channel = { entityId, token };
const notice: ListedChargeback = {
  id: 'acq-9',
  facts: { recordType: 'CHARGEBACK', amount: '10.00', currency: 'EUR', last4: '0000', presentedOn: '2026-01-02' },
};

/** The store of a process that crashes in its n-th settlement transaction from now on. */
const failingAfter = (store: Store, n: number): Store => {
  let workCount = 0;
  const atomically: Store['transact'] = (names, work) => {
    if (names.some((name) => name.startsWith('settlement '))) workCount += 1;
    return workCount >= n ? Promise.reject(new Error('the program died')) : store.transact(names, work);
  };
  return new Proxy(store, { get: (target, name) => (name === 'transact' ? atomically : Reflect.get(target, name)) });
};

const days = ['2026-01-02', '2026-01-03', '2026-01-04'];

const settleDay = async ({ store, clock }: TestGateway) => {
  await clock.advance(86_400_000);
  await hurry({ store, clock, terms: termsOf({ entityId }) });
};

test.each([1, 2, 3])(
  'an import that is interrupted at transaction %i, settled, and repeated takes the money once',
  async (n) => {
    const gateway = await testGateway();
    const { store, app } = gateway;
    const load = (from: Store = store) =>
      importChargeback({ gateway: { ...app.gateway, store: from }, channel }, notice);
    // The notice came before the sale: its payment is not known yet.
    expect(await load()).toMatchObject({ outcome: 'kept', status: 'NOT_MATCHED' });
    await gateway.post('v1/payments', payment());
    await load(failingAfter(store, n)).catch(() => {});
    await settleDay(gateway);
    await load();
    await settleDay(gateway);
    const rows = [];
    for (const date of days) {
      const file = await settlementFileOf(store, { entityId, date });
      rows.push(...parseRows(file.trimEnd().split('\n').slice(1)));
    }
    const chargebackRows = rows.filter((row) => row['ReconciliationType'] === 'CHARGEBACK');
    expect(chargebackRows.map((row) => [row['Cashflow'], row['Amount']])).toEqual([['NEG', '10.00']]);
  },
);
