/**
 * A till and a terminal that authorises by itself, under faults at random steps: links that break before, during and
 * after a payment, cancels, and a till that dies at any write. At the end the records of both agree on every cent.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import type { FullLedger } from '../../src/ledger/ledger.ts';
import type { Sale } from '../../src/till/machine/sale.ts';
import { byNight } from '../support/night/night.ts';
import { type DeviceTurn, integratedDevice } from '../support/till/scripted-integrated-terminal.ts';
import { type TillRun, tillRig } from '../support/till/till-rig.ts';

type DayStep = {
  /** Sells, or refunds one of the earlier sales. */
  refundOf: number | undefined;
  /** The fates of the payments and reversals that the terminal is asked for, one each; afterwards everything works. */
  pays: readonly DeviceTurn[];
  /** The fates of its opening and of inquiries. */
  asks: readonly DeviceTurn[];
  cancelAtMs: number | undefined;
  /** The till dies at this write: before or after it is durable. */
  dies: { write: number; when: 'before' | 'after' } | undefined;
};

const payTurn = fc.constantFrom<DeviceTurn>(
  'works',
  'lostBefore',
  'lostDuring',
  'lostAfter',
  'declined',
  'declinedBare',
  'notBegun',
);
const askTurn = fc.constantFrom<DeviceTurn>('works', 'works', 'lostBefore', 'lostAfter');
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const act: fc.Arbitrary<DayStep> = fc.record({
  refundOf: sometimes(fc.nat(3)),
  pays: fc.oneof(fc.constant([]), fc.array(payTurn, { maxLength: 4 })),
  // The first three questions come before anything has begun.
  asks: fc.oneof(
    fc.constant([]),
    fc.array(askTurn, { maxLength: 30 }).map((later): DeviceTurn[] => ['works', 'works', 'works', ...later]),
    fc.array(askTurn, { maxLength: 8 }),
  ),
  cancelAtMs: sometimes(fc.integer({ min: 0, max: 3_000 })),
  dies: sometimes(fc.record({ write: fc.integer({ min: 1, max: 6 }), when: fc.constantFrom('before', 'after') })),
});
const acts = fc.array(act, { minLength: 1, maxLength: 8 });
/** A payment lost at a terminal without any payment: few days have one. */
const asksAPerson: DayStep = {
  refundOf: undefined,
  pays: ['lostBefore'],
  asks: [],
  cancelAtMs: undefined,
  dies: undefined,
};

/** `alike`: all payments have one amount. `fresh`: the terminal knows no payment at first. */
type Kind = { alike: boolean; fresh: boolean };
const kinds = fc.record({ alike: fc.boolean(), fresh: fc.boolean() });

/** A dead till writes nothing more. */
const dying =
  ({ write, when }: NonNullable<DayStep['dies']>, died: () => void) =>
  (ledger: FullLedger): FullLedger => {
    let left = write;
    const disconnected = () => {
      died();
      return new Fault('journal.unwritable', { why: 'the till is dead' });
    };
    return {
      ...ledger,
      record(sale, event, message) {
        left -= 1;
        if (left < 0 || (left === 0 && when === 'before')) throw disconnected();
        ledger.record(sale, event, message);
        if (left === 0) throw disconnected();
      },
    };
  };

const play = async (day: readonly DayStep[], { alike, fresh }: Kind) => {
  const rig = tillRig();
  const turns: { pays: DeviceTurn[]; asks: DeviceTurn[] } = { pays: [], asks: [] };
  const device = integratedDevice({
    clock: rig.clock,
    nextTurn: (question) =>
      (['pay', 'refund', 'reverse'].includes(question) ? turns.pays : turns.asks).shift() ?? 'works',
  });
  const host = { requestCount: 0 };
  const parts = () => ({
    integrated: device.keep(),
    host: new Proxy(rig.host, {
      get: (target, name, self) => {
        host.requestCount += 1;
        return Reflect.get(target, name, self) as unknown;
      },
    }),
  });
  const open = (around: Parameters<typeof rig.open>[0] = {}): TillRun => {
    const run = rig.open({ ...around, parts: parts() });
    run.till.recover();
    return run;
  };
  // Yesterday's last payment: on some days the terminal has forgotten it.
  if (!fresh) device.payByHand({ minor: 1n, currency: 'EUR' });
  let tillRun = open();
  for (const [at, act] of day.entries()) {
    let died = false;
    if (act.dies !== undefined) {
      tillRun.close();
      const wrap = dying(act.dies, () => {
        died = true;
      });
      tillRun = rig.open({ ledger: wrap, parts: parts() });
    }
    Object.assign(turns, { pays: [...act.pays], asks: [...act.asks] });
    await actOut(rig, tillRun, { ...act, at: alike ? 0 : at }).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
    });
    if (act.dies !== undefined || died) {
      tillRun.close();
      // The device completes what it has begun, whoever listens.
      await rig.clock.advance(10_000);
      tillRun = open();
    }
  }
  Object.assign(turns, { pays: [], asks: [] });
  await rig.clock.advance(10_000);
  for (let n = 0; n < 3; n++) await rig.clock.until(tillRun.till.settleAtTerminal());
  const sales = [...tillRun.ledger.all()];
  const left = {
    open: tillRun.till.openAtTerminal().filter(({ forPerson }) => forPerson !== true),
    queued: tillRun.outbox.waiting(),
    requestCount: host.requestCount,
  };
  tillRun.close();
  rig.remove();
  return { device, sales, left };
};

const actOut = async (rig: ReturnType<typeof tillRig>, run: TillRun, act: DayStep & { at: number }): Promise<void> => {
  const amount = { minor: 1_000n + BigInt(act.at), currency: 'EUR' };
  const receipt = (act.refundOf ?? 0) + 1;
  const running =
    act.refundOf === undefined ? run.till.sell({ amount }, () => {}) : run.till.refund({ receipt }, () => {});
  if (act.cancelAtMs !== undefined) rig.clock.after(act.cancelAtMs, () => running.cancel());
  await rig.clock.until(running.done);
};

/** What the till believes was moved for the sale with this amount, or undefined while a person must look. */
const amountAtTill = (sales: readonly Sale[], minor: bigint): bigint | undefined => {
  const ownSales = sales.filter(({ intent }) => intent.amount.minor === minor);
  if (ownSales.some((sale) => sale.at !== 'ended' || sale.ending === 'unknown')) return undefined;
  return ownSales
    .filter((sale) => sale.at === 'ended' && sale.ending === 'approved')
    .reduce((sum, { intent }) => sum + (intent.operation === 'sale' ? minor : -minor), 0n);
};

test('till and terminal agree on every cent, no payment is made twice, and the gateway is never asked', async () => {
  const counts = { sales: 0, person: 0, approved: 0, givenBack: 0, neverMade: 0, refunds: 0 };
  await fc.assert(
    fc.asyncProperty(acts, kinds, async (day, kind) => {
      const { device, sales, left } = await play(day, kind);
      expect(left).toMatchObject({ open: [], queued: [], requestCount: 0 });
      for (const { intent } of sales) {
        const { minor } = intent.amount;
        const payments = device.books.filter(({ kind, amount }) => kind === 'pay' && amount.minor === minor);
        const requests = sales.filter((sale) => sale.intent.operation === 'sale' && sale.intent.amount.minor === minor);
        expect(payments.length, `payments of ${minor}`).toBeLessThanOrEqual(requests.length);
        const held = amountAtTill(sales, minor);
        if (held !== undefined) expect(held, `of ${minor}`).toBe(device.charged(minor));
        // Never more is returned than was charged.
        expect(device.charged(minor)).toBeGreaterThanOrEqual(0n);
      }
      for (const sale of sales) {
        counts.sales += 1;
        if (sale.at !== 'ended') throw new Error(`a sale is still ${sale.at}`);
        if (sale.ending === 'unknown') expect(sale.forPerson).toBe(true);
        if (sale.forPerson) counts.person += 1;
        if (sale.ending === 'approved') counts.approved += 1;
        if (sale.reversal === 'done') counts.givenBack += 1;
        if (sale.reason === 'neverMade') counts.neverMade += 1;
        if (sale.intent.operation === 'refund' && sale.ending === 'approved') counts.refunds += 1;
      }
    }),
    { numRuns: byNight({ day: 50, night: 600 }), examples: [[[asksAPerson], { alike: false, fresh: true }]] },
  );
  // Every ending occurred, and few needed a person.
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
  expect(counts.person).toBeLessThan(counts.sales / 5);
}, 300_000);
