/** Sales that ended as never sent are inquired about once more: each of them, in time, whatever the clock says. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Host } from '../../../src/till/ports.ts';
import { chipCard, eur, type Rig, type TillRun, tillRig } from '../../support/till/till-rig.ts';

const LATE_MS = 600_001;
const DAY_MS = 86_400_000;

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const sellUnsent = async (run: TillRun, partial = false): Promise<string> => {
  rig.fates.push('notReached');
  const sale = run.till.sell({ amount: eur(7_000n), partial }, () => {});
  expect((await rig.clock.until(sale.done)).ending).toBe('notSent');
  return sale.sale;
};

/** The gateway accepts the request after all. */
const arrive = async (run: TillRun, sale: string, amount = '70.00'): Promise<void> => {
  const { key } = run.till.findSale(sale).intent;
  const sent = { amount, currency: 'EUR', paymentType: 'DB', merchantTransactionId: sale };
  await rig.clock.until(rig.host.pay(sent, key));
};

const ask = (run: TillRun, which?: 'all') => rig.clock.until(run.resolver.inquireLate(which));

test.each([400 * DAY_MS, -400 * DAY_MS])(
  'setting the clock by %d ms does not bring the inquiry forward',
  async (ms) => {
    const run = rig.open();
    const sale = await sellUnsent(run);
    rig.wall.jumpMs = ms;
    await rig.clock.advance(LATE_MS / 2);
    expect(run.ledger.late()).toEqual([]);
    await rig.clock.advance(LATE_MS / 2);
    expect(run.ledger.late()).toEqual([sale]);
    run.close();
  },
);

test('a close inquires about all unsent sales, and about recent ones once more when their time has come', async () => {
  const run = rig.open();
  const sales: string[] = [];
  for (let n = 0; n < 55; n++) sales.push(await sellUnsent(run));
  await arrive(run, sales[54] ?? '');
  expect(await ask(run)).toEqual([]);
  expect((await ask(run, 'all')).map(({ intent }) => intent.sale)).toEqual([sales[54]]);
  expect(rig.booked(sales[54] ?? '')).toBe(0n);
  await arrive(run, sales[53] ?? '');
  await rig.clock.advance(LATE_MS);
  expect(await ask(run)).toEqual([]);
  expect((await ask(run)).map(({ intent }) => intent.sale)).toEqual([sales[53]]);
  expect(run.ledger.late('all')).toEqual([]);
  run.close();
});

test('a sale of another gateway, or with an inconclusive answer, delays no other sale', async () => {
  const before = rig.open({ parts: { gateway: 'another' } });
  await sellUnsent(before);
  before.close();
  const pending: Record<string, unknown> = { result: { code: '000.200.000', description: '' } };
  let open: string | undefined;
  const host: Host = {
    ...rig.host,
    meaningOf: (code) => (code === '000.200.000' ? 'pending' : rig.host.meaningOf(code)),
    async find(reference) {
      const reply = await rig.host.find(reference);
      if (reference !== open || reply.kind !== 'answered') return reply;
      const payments = [{ ...pending, paymentType: 'DB', merchantTransactionId: reference }];
      return { ...reply, code: '000.100.110', means: 'approved', body: { payments } };
    },
  };
  const run = rig.open({ host });
  open = await sellUnsent(run);
  const sale = await sellUnsent(run);
  await arrive(run, sale);
  await rig.clock.advance(LATE_MS);
  expect((await ask(run)).map(({ intent }) => intent.sale)).toEqual([sale]);
  // The sale with the inconclusive answer has its turn again later.
  expect(run.ledger.late()).not.toContain(open);
  await rig.clock.advance(LATE_MS);
  expect(run.ledger.late()).toContain(open);
  run.close();
});

test('a late approval of a part is reversed for that part, and done', async () => {
  const run = rig.open();
  const sale = await sellUnsent(run, true);
  await arrive(run, sale, '60.00');
  await rig.clock.advance(LATE_MS);
  expect(await ask(run)).toHaveLength(1);
  expect([run.says(sale).ending, rig.booked(sale)]).toEqual(['declined approvedLate', 0n]);
  expect([run.outbox.waiting(), run.outbox.parked(), run.ledger.openSales()]).toEqual([[], [], []]);
  run.close();
});

test('a stored sale that was voided here is inquired about too: its first request may have arrived', async () => {
  rig.remove();
  rig = tillRig(chipCard);
  const run = rig.open();
  rig.fates.push('notReached');
  const { intent } = await rig.clock.until(run.sell(1_000n).done);
  await rig.clock.until(run.till.follow({ receipt: intent.receipt, operation: 'void' }, () => {}).done);
  expect(run.says(intent.sale).ending).toBe('notSent voidedBeforeSending');
  await arrive(run, intent.sale, '10.00');
  await rig.clock.advance(LATE_MS);
  expect(await ask(run)).toHaveLength(1);
  expect([run.says(intent.sale).ending, rig.booked(intent.sale)]).toEqual(['declined approvedLate', 0n]);
  run.close();
});
