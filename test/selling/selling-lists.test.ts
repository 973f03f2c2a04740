/** Lists of thousands of sales: pages, search and cashiers are read from the indexes, never by reading all sales. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { events, intent } from '../reconciliation/sale-cases.ts';
import { counterRig, type Rig } from './counter-rig.ts';

const SALES = 4_000;
let rig: Rig;
let till: Awaited<ReturnType<Rig['open']>>;
let replayed = 0;

beforeAll(async () => {
  rig = counterRig();
  till = await rig.open({
    around: {
      ledger: (full) => ({
        ...full,
        events(sale) {
          replayed += 1;
          return full.events(sale);
        },
      }),
    },
  });
  const { ledger, config } = till.running;
  for (let from = 0; from < SALES; from += 500) {
    const entries = Array.from({ length: 500 }, (_, index) => {
      const receipt = from + index + 1;
      const sale = receipt.toString(16).padStart(32, '0');
      const amount = { minor: BigInt(receipt), currency: 'EUR' };
      const facts = { sale, key: sale, receipt, sequence: receipt, terminalId: config.terminalId, amount };
      const cashier = receipt % 10 === 0 ? 'Berta' : 'Anna';
      const created = intent({ ...facts, at: rig.clock.now() + receipt * 1_000, cashier });
      return [{ on: 'intended', intent: created } as const, events.read, events.approved, events.done].map((event) => ({
        sale,
        event,
      }));
    });
    ledger.recordAll(entries.flat());
  }
}, 60_000);
afterAll(async () => {
  await till.close();
  rig.remove();
});

const receipts = (page: { rows: { receipt: number }[] }): number[] => page.rows.map(({ receipt }) => receipt);

test.each([
  ['the newest', { from: 0, most: 3 }, [4000, 3999, 3998], 4000],
  ['the last page', { from: 3998, most: 50 }, [2, 1], 4000],
  ['behind the end', { from: 5000, most: 50 }, [], 4000],
  ['one cashier’s', { from: 0, most: 2, cashier: 'Berta' }, [4000, 3990], 400],
  ['one cashier’s, further on', { from: 398, most: 5, cashier: 'Berta' }, [20, 10], 400],
  ['of nobody known', { from: 0, most: 5, cashier: 'Zoe' }, [], 0],
  ['a receipt, since four digits can be one', { from: 0, most: 2, search: '1234' }, [1234], 1],
  ['an amount', { from: 0, most: 5, search: '12,34' }, [1234], 1],
  ['an amount sold by another cashier', { from: 0, most: 5, search: '12,34', cashier: 'Berta' }, [], 0],
  ['a text that matches nothing', { from: 0, most: 5, search: 'ZZZZZZ' }, [], 0],
])('%s', (_, ask, expected, total) => {
  replayed = 0;
  const page = till.service.sales(ask);
  expect(receipts(page)).toEqual(expected);
  expect(page).toMatchObject({ total, from: ask.from });
  expect(replayed).toBeLessThanOrEqual(page.rows.length);
});

test('a claim reads only the sales that it names', () => {
  replayed = 0;
  const answer = till.service.claim({ amount: { amount: '12.34', currency: 'EUR' } });
  expect(answer).toMatchObject({ verdict: 'chargedOnce', sales: [{ receipt: 1234 }] });
  expect(replayed).toBeLessThan(10);
});

test('reading one sale with its details reads no other', () => {
  replayed = 0;
  expect(till.service.sale(77)).toMatchObject({ receipt: 77, cashier: 'Anna', ending: 'approved' });
  expect(replayed).toBeLessThan(10);
});
