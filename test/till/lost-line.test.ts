/** The line to the terminal breaks between two sales: the next one opens it again, and no sale is lost. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { eur, type Rig, tapCard, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** A line that counts its openings, breaks on demand, and is restored by the next opening unless it is dead. */
const createLine = () => {
  const state = { opened: 0, lost: false, dead: false };
  const open = () =>
    scriptedTerminal(rig.clock, {
      card: () => tapCard,
      read: () => 'goOnline',
      complete: () => 'none',
      takesMs: () => 10,
      isLost: () => state.lost,
    });
  let stored: ReturnType<typeof open> | undefined;
  const terminals = {
    async get() {
      if (stored === undefined) {
        state.opened += 1;
        state.lost = state.dead;
        stored = open();
      }
      return stored;
    },
    async drop() {
      stored = undefined;
    },
  };
  return { state, terminals };
};

test('a terminal lost between two sales is opened once more and the second sale is made', async () => {
  const { state, terminals } = createLine();
  const run = rig.open({ parts: { terminals } });
  expect((await rig.clock.until(run.sell(1_000n).done)).ending).toBe('approved');
  state.lost = true;
  const second = await rig.clock.until(run.sell(2_000n).done);
  expect([second.ending, second.reason, state.opened]).toEqual(['approved', 'approved', 2]);
  expect(run.reported.map((error) => isFault(error) && error.code)).toEqual(['link.lost']);
  run.close();
});

test('a terminal that stays lost is tried once, and the sale is not sent', async () => {
  const { state, terminals } = createLine();
  const run = rig.open({ parts: { terminals } });
  await rig.clock.until(run.sell(1_000n).done);
  Object.assign(state, { lost: true, dead: true });
  const second = await rig.clock.until(run.till.sell({ amount: eur(2_000n) }, () => {}).done);
  expect([second.ending, second.reason, state.opened]).toEqual(['notSent', 'terminalFailed', 2]);
  expect(rig.booked(second.intent.sale)).toBe(0n);
  state.dead = false;
  expect((await rig.clock.until(run.sell(3_000n).done)).ending).toBe('approved');
  run.close();
});
