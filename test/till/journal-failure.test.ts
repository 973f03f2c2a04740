/** A journal that fails during a sale: the fault must be true about the money, and journal and gateway must agree. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fault } from '../../src/base/fault.ts';
import type { Running } from '../../src/till/running.ts';
import { diskFull, failing, type Rig, tillRig, unsolicitedOf } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** The code and the text about the money that the cashier gets, or how the sale ended. */
const toldOf = (sale: Running): Promise<string[]> =>
  rig.clock.until(
    sale.done.then(
      ({ ending }) => ['ended', ending],
      ({ code, money }: Fault) => [code, money],
    ),
  );

const MAY_BE_CHARGED = [
  'till.unrecorded',
  'The customer may have been charged. The till checks automatically when it can write again.',
];

test('before the request is sent, a full disk is reported as "Nothing was charged.", which is true', async () => {
  const run = rig.open({ ledger: failing('cardRead') });
  const sale = run.sell(1_000n);
  expect(await toldOf(sale)).toEqual(['journal.unwritable', 'Nothing was charged.']);
  await run.passTime(2);
  run.close();
  expect(rig.booked(sale.sale)).toBe(0n);
});

test('a full disk after the recorded approval of a tap: reported as unknown, reversed at the next start', async () => {
  const run = rig.open({ ledger: failing('chipNotAsked') });
  const sale = run.sell(1_000n);
  expect(await toldOf(sale)).toEqual(MAY_BE_CHARGED);
  expect(rig.booked(sale.sale)).toBe(1_000n);
  run.close();

  const next = rig.open();
  next.till.recover();
  await next.drain();
  expect(next.says(sale.sale)).toEqual({ ending: 'declined restartedAfterApproval', charged: 0n });
  expect(rig.booked(sale.sale)).toBe(0n);
  next.close();
});

test('a silent gateway that cannot be recorded is reported as unknown', async () => {
  rig.fates.push('answerLost', 'answerLost');
  const run = rig.open({ ledger: failing('hostSilent') });
  const sale = run.sell(1_000n);
  expect(await toldOf(sale)).toEqual(MAY_BE_CHARGED);
  expect(rig.booked(sale.sale)).toBe(1_000n);
  run.close();
});

test('a write that failed but reached the disk: journal and gateway agree after the restart', async () => {
  const run = rig.open({ ledger: failing('hostApproved', 'after') });
  const sale = run.sell(1_000n);
  expect(await toldOf(sale)).toEqual(MAY_BE_CHARGED);
  run.close();

  const next = rig.open();
  next.till.recover();
  await next.passTime(2);
  expect(next.says(sale.sale)).toEqual({ ending: 'declined restartedAfterApproval', charged: 0n });
  expect(rig.booked(sale.sale)).toBe(0n);
  next.close();
});

test('a cancel that cannot be recorded does not count: the sale continues to its approval', async () => {
  const run = rig.open({ ledger: failing('cancelAsked') });
  const sale = run.sell(1_000n);
  rig.clock.after(60, () => sale.cancel());
  expect(await toldOf(sale)).toEqual(['ended', 'approved']);
  expect(run.says(sale.sale)).toEqual({ ending: 'approved approved', charged: 1_000n });
  expect(rig.booked(sale.sale)).toBe(1_000n);
  run.close();
});

test('a running till settles the sale it could not record before it sells again', async () => {
  rig.fates.push('answerLost');
  const run = rig.open({ ledger: failing('hostSilent') });
  const sale = run.sell(1_000n);
  await toldOf(sale);
  const other = run.sell(500n);
  expect((await rig.clock.until(other.done)).ending).toBe('approved');
  await run.passTime(2);
  expect([run.says(sale.sale).charged, rig.booked(sale.sale)]).toEqual([0n, 0n]);
  expect(rig.booked(other.sale)).toBe(500n);
  run.close();
});

test('with an unreadable queue nothing is taken offline, and no approval is lost', async () => {
  let state = '';
  let sale = '';
  const unsolicited = await unsolicitedOf(async () => {
    const run = rig.open({
      parts: {
        offline: () => {
          throw diskFull();
        },
      },
    });
    const running = run.sell(1_000n);
    sale = running.sale;
    await rig.clock.until(running.done);
    state = run.says(sale).ending;
    rig.fates.push('notReached');
    const cut = await rig.clock.until(run.sell(1_000n).done);
    expect([cut.ending, cut.reason, cut.why]).toEqual([
      'notSent',
      'offlineRefused',
      'the stored sales cannot be counted',
    ]);
    run.close();
  });
  expect({ state, booked: rig.booked(sale), strays: unsolicited }).toEqual({
    state: 'approved approved',
    booked: 1_000n,
    strays: [],
  });
});

test.each([
  [{ minor: 1_234n, currency: 'KWD' }, 'amount.unrepresentable'],
  [{ minor: 0n, currency: 'EUR' }, 'amount.unpositive'],
  [{ minor: -100n, currency: 'EUR' }, 'amount.unpositive'],
])('an amount that no request can carry (%o) is refused at once, before anything is written', (amount, code) => {
  const run = rig.open();
  expect(() => run.till.sell({ amount }, () => {})).toThrow(expect.objectContaining({ code }));
  expect(run.journal.length).toBe(0);
  run.close();
});
