/** Proof that a terminal returned money counts, whatever the terminal, the till or a person had said before. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { integratedDevice, type Question, type Turn } from '../support/till/scripted-integrated-terminal.ts';
import { eur, type Life, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let life: Life;
let turns: Partial<Record<Question, Turn[]>>;
beforeEach(() => {
  rig = tillRig();
  turns = {};
  const device = integratedDevice({ clock: rig.clock, turn: (question) => turns[question]?.shift() ?? 'works' });
  device.payByHand(eur(1n));
  life = rig.open({ parts: { integrated: device.keep() } });
});
afterEach(() => {
  life.close();
  rig.remove();
});

/** Approved, cancelled too late, and not reversed by the terminal. */
const refused = async (minor: bigint): Promise<string> => {
  turns = { reverse: ['declined'] };
  const running = life.sell(minor);
  rig.clock.after(1_700, () => running.cancel());
  expect(await rig.clock.until(running.done)).toMatchObject({ ending: 'approved', reason: 'reversalRefused' });
  return running.sale;
};
const refund = (receipt: number) => rig.clock.until(life.till.refund({ receipt }, () => {}).done);
const proof = { on: 'terminalReversed', how: 'reversed' } as const;

test('after a refusal', async () => {
  const sale = await refused(700n);
  life.ledger.record(sale, proof);
  expect(life.says(sale)).toEqual({ ending: 'declined cancelledAfterApproval', charged: 0n });
  expect(life.ledger.openSales()).toEqual([]);
});

test('after a refund with the card because of the refusal: recorded, although too much was returned', async () => {
  const sale = await refused(800n);
  turns = { reverse: ['declined'] };
  expect(await refund(1)).toMatchObject({ ending: 'declined', reason: 'reversalDeclined' });
  expect(await refund(1)).toMatchObject({ ending: 'approved', reason: 'refunded' });
  life.ledger.record(sale, proof);
  expect(life.says(sale)).toEqual({ ending: 'declined cancelledAfterApproval', charged: 0n });
});

test('after a person’s decision: it stays, and the difference is shown until somebody has looked', async () => {
  turns = { reverse: ['refused', 'refused'] };
  const running = life.sell(900n);
  rig.clock.after(1_700, () => running.cancel());
  await rig.clock.until(running.done);
  await rig.clock.until(life.till.settleAtTerminal());
  expect(life.till.find(1)).toMatchObject({ ending: 'unknown', forPerson: true });
  life.till.personSays(1, true);
  life.ledger.record(running.sale, proof);
  expect(life.till.find(1)).toMatchObject({
    ending: 'approved',
    reversal: 'done',
    differs: 'The terminal has taken the payment back',
  });
  expect(life.ledger.openSales()).toEqual([running.sale]);
});
