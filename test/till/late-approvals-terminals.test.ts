/** A bank that approves after the till gave up, at every kind of terminal: what it charged is reversed once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Driver } from '../../drivers/driver.ts';
import { driverOf } from '../../drivers/registry.ts';
import { createWallet } from '../../drivers/simulation/card.ts';
import type { SimulatorOptions } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { memoryOf } from '../../drivers/zvt/simulator/memory.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { dice } from '../support/chance/dice.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { type SlowFate, slowFates } from '../support/till/bookkeeping-host.ts';
import { type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const GIVES_UP_MS = 15_000;
const slow = Object.keys(slowFates) as SlowFate[];

/** A simulated device behind its driver, opened when it is first needed. */
const plugIn = <D extends Driver>(driver: D, options: Partial<SimulatorOptions> = {}) => {
  const { clock } = rig;
  const { random } = dice(1);
  let opened: ReturnType<D['open']> | undefined;
  const open = (): ReturnType<D['open']> => {
    const [atTill, atDevice] = memoryLinks();
    const cardholder = () => ({ card: testCard('visa-no-cvm'), by: 'chip' as const });
    simulators[driver.name]?.(atDevice, { clock, random, cardholder, ...options });
    return driver.open(atTill, { clock, report: () => {} }) as ReturnType<D['open']>;
  };
  return {
    get: () => (opened ??= open()),
    async drop() {
      opened = undefined;
    },
  };
};

const readers = ['mpi', 'mms', 'neo2'].flatMap((name) => slow.map((fate) => [name, fate] as const));

test.each(readers)('at %s a payment (%s) is reversed once', async (name, fate) => {
  const driver = driverOf(name);
  if (driver.kind !== 'reader') throw new Error(`${name} authorises by itself`);
  const run = rig.open({ parts: { terminals: plugIn(driver) } });
  rig.fates.push(fate);
  const { sale, done } = run.sell(700n);
  expect(await rig.clock.until(done)).toMatchObject({ ending: 'unknown', reason: 'unanswered' });
  run.forwarder.start();
  await rig.clock.advance(240_000);
  await rig.clock.until(run.forwarder.stop());
  expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  const moved = rig.ofSale(sale).filter(({ code }) => code === '000.100.110');
  expect(moved.map(({ paymentType }) => paymentType)).toEqual(['DB', 'RV']);
  expect([run.outbox.waiting(), run.outbox.parked()]).toEqual([[], []]);
  run.close();
});

test.each(slow)('at zvt a payment (its own host %s) is reversed once, after the cashier gave up', async (fate) => {
  const driver = driverOf('zvt');
  if (driver.kind !== 'integrated') throw new Error('zvt does not authorise by itself');
  const cards = createWallet();
  const integrated = plugIn(driver, { wallet: cards, config: { hostMs: slowFates[fate] } });
  const run = rig.open({ parts: { integrated } });
  const running = run.sell(700n);
  rig.clock.after(GIVES_UP_MS, () => running.cancel());
  const sale = await rig.clock.until(running.done);
  expect(sale).toMatchObject({ ending: 'declined', reason: 'cancelledAfterApproval', reversal: 'done' });
  const { day } = memoryOf(cards);
  expect(day.map(({ kind, code }) => `${kind} ${code}`)).toEqual(['payment 00', 'reversal 00']);
  // The next sale inquires about nothing more.
  await rig.clock.until(run.sell(900n).done);
  expect(memoryOf(cards).day.filter(({ kind }) => kind === 'reversal')).toHaveLength(1);
  run.close();
});
