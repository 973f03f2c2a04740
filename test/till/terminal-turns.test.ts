/** The terminal is asked one thing at a time, never waited for endlessly, and can be cancelled at any moment. */
import { afterEach, expect, test } from 'vitest';
import type { Terminal } from '../../drivers/terminal.ts';
import { pause } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { chipCard, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
afterEach(() => rig.remove());

/** Like a driver, this terminal refuses any request during the card's final decision. */
const busyTerminal = ({ clock }: Rig) => {
  const counts = { completed: 0, drops: 0 };
  let doing = false;
  const idle = () => {
    if (doing) throw new Fault('terminal.busy', { command: 'complete' });
  };
  const wrap = (twin: Terminal): Terminal => ({
    ...twin,
    async complete() {
      idle();
      doing = true;
      await pause(clock, 500);
      doing = false;
      counts.completed += 1;
      return { kind: 'declined', icc: '9F270100' };
    },
    async show() {
      idle();
    },
    async waitForRemoval() {
      idle();
      return true;
    },
  });
  return { seen: counts, wrap };
};

for (const [name, fates, cancelAtMs] of [
  ['an approval after a cancel', ['answered'], 60],
  ['an unanswered sale', ['answerLost', 'answerLost'], undefined],
] as const) {
  test(`${name}: the courtesies wait until the card has decided, and the terminal stays open`, async () => {
    rig = tillRig(chipCard);
    rig.fates.push(...fates);
    const { seen: counts, wrap } = busyTerminal(rig);
    const twin: { terminal?: Terminal } = {};
    const run = rig.open({
      terminal: (terminal) => {
        twin.terminal = wrap(terminal);
        return twin.terminal;
      },
      parts: {
        terminals: {
          get: async () => twin.terminal ?? Promise.reject(new Fault('terminal.unpaired')),
          drop: async () => {
            counts.drops += 1;
          },
        },
      },
    });
    const sale = run.sell(1_000n);
    if (cancelAtMs !== undefined) rig.clock.after(cancelAtMs, () => sale.cancel());
    await rig.clock.until(sale.done);
    run.close();
    expect({ ...counts, reported: run.reported }).toEqual({ completed: 1, drops: 0, reported: [] });
  });
}

test('an approved sale ends even if the terminal never reports whether the card is out', async () => {
  rig = tillRig();
  const run = rig.open({ terminal: (terminal) => ({ ...terminal, show: () => new Promise<never>(() => {}) }) });
  const sale = await rig.clock.until(run.sell(1_000n).done, 60_000);
  expect(sale.ending).toBe('approved');
  run.close();
});

test('a cancel while the terminal is still being opened takes effect: no card is requested', async () => {
  rig = tillRig();
  let reads = 0;
  const twin: { terminal?: Terminal } = {};
  const run = rig.open({
    terminal: (terminal) => {
      twin.terminal = {
        ...terminal,
        read: (request, notify) => {
          reads += 1;
          return terminal.read(request, notify);
        },
      };
      return twin.terminal;
    },
    parts: {
      terminals: {
        async get() {
          await pause(rig.clock, 3_000);
          return twin.terminal ?? Promise.reject(new Fault('terminal.unpaired'));
        },
        drop: async () => {},
      },
    },
  });
  const sale = run.sell(1_000n);
  await rig.clock.advance(1_000);
  sale.cancel();
  const { ending, reason } = await rig.clock.until(sale.done);
  expect({ reads, ending, reason }).toEqual({ reads: 0, ending: 'notSent', reason: 'cancelledByTill' });
  run.close();
});
