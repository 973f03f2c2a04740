/** Proof that a terminal returned money counts, whatever the terminal, the till or a person had said before. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DeviceTurn, integratedDevice, type Question } from '../support/till/scripted-integrated-terminal.ts';
import { eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
let turns: Partial<Record<Question, DeviceTurn[]>>;
beforeEach(() => {
  rig = tillRig();
  turns = {};
  const device = integratedDevice({ clock: rig.clock, nextTurn: (question) => turns[question]?.shift() ?? 'works' });
  device.payByHand(eur(1n));
  run = rig.open({ parts: { integrated: device.keep() } });
});
afterEach(() => {
  run.close();
  rig.remove();
});

/** Approved, cancelled too late, and not reversed by the terminal. */
const refused = async (minor: bigint): Promise<string> => {
  turns = { reverse: ['declined'] };
  const running = run.sell(minor);
  rig.clock.after(1_700, () => running.cancel());
  expect(await rig.clock.until(running.done)).toMatchObject({ ending: 'approved', reason: 'reversalRefused' });
  return running.sale;
};
const refund = (receipt: number) => rig.clock.until(run.till.refund({ receipt }, () => {}).done);
const proof = { on: 'terminalReversed', how: 'reversed' } as const;

test('after a refusal', async () => {
  const sale = await refused(700n);
  run.ledger.record(sale, proof);
  expect(run.says(sale)).toEqual({ ending: 'declined cancelledAfterApproval', charged: 0n });
  expect(run.ledger.openSales()).toEqual([]);
});

test('proof that comes after a refund with the card is recorded, although too much was returned', async () => {
  const sale = await refused(800n);
  turns = { reverse: ['declined'] };
  expect(await refund(1)).toMatchObject({ ending: 'declined', reason: 'reversalDeclined' });
  expect(await refund(1)).toMatchObject({ ending: 'approved', reason: 'refunded' });
  run.ledger.record(sale, proof);
  expect(run.says(sale)).toEqual({ ending: 'declined cancelledAfterApproval', charged: 0n });
});

test('proof against a person’s decision leaves the decision, and is shown until somebody has looked', async () => {
  turns = { reverse: ['refused', 'refused'] };
  const running = run.sell(900n);
  rig.clock.after(1_700, () => running.cancel());
  await rig.clock.until(running.done);
  await rig.clock.until(run.till.settleAtTerminal());
  expect(run.till.find(1)).toMatchObject({ ending: 'unknown', forPerson: true });
  run.till.forceEnding(1, true);
  run.ledger.record(running.sale, proof);
  expect(run.till.find(1)).toMatchObject({
    ending: 'approved',
    reversal: 'done',
    differs: 'The terminal has taken the payment back',
  });
  expect(run.ledger.openSales()).toEqual([running.sale]);
});
