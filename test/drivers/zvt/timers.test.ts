/** How long the ZVT driver waits: T3 for an answer, T4 for the end, and a T4 that the terminal requests. */

import { expect, test } from 'vitest';
import { Lead } from '../../../drivers/zvt/simulator/lead.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { toHex } from '../../../src/base/hex.ts';
import { captured } from './captures.ts';
import { bareBench, sale, settled } from './zvt-tape.ts';

const accepted = '800000';
const done = '060F00';
const approved = toHex(captured('status.PaymentGood1'));

test('a missing answer ends the payment after T3, or after T4 if time was requested', async () => {
  const silent = await bareBench();
  const startedAt = silent.clock.monotonic();
  expect(await silent.clock.until(settled(silent.terminal.pay(sale, () => {})))).toBe('terminal.silent');
  expect(silent.clock.monotonic() - startedAt).toBe(5_000);
  const asks = await bareBench();
  const outcome = settled(asks.terminal.pay({ ...sale, withinMs: 600_000 }, () => {}));
  await asks.clock.settle();
  await asks.send('849C00');
  await asks.clock.advance(179_000);
  await asks.send(accepted, approved, done);
  expect(await outcome).toMatchObject({ kind: 'approved' });
});

test('T4 is restarted by statuses and results, not by lines', async () => {
  const { terminal, clock, send } = await bareBench();
  const outcome = settled(terminal.pay({ ...sale, withinMs: 3_600_000 }, () => {}));
  await clock.settle();
  await send(accepted);
  for (const message of ['04FF0104', '04FF0104', approved]) {
    await clock.advance(170_000);
    await send(message);
  }
  const startedAt = clock.monotonic();
  await clock.advance(100_000);
  await send('06D103004142');
  expect(await clock.until(outcome)).toBe('terminal.silent');
  expect(clock.monotonic() - startedAt).toBe(180_000);
});

test.each([
  ['10', 600_000],
  ['01', 180_000],
  ['00', 180_000],
  ['AB', 180_000],
])('a status with T4 %s: the terminal may be silent for %i ms', async (t4, silence) => {
  const { terminal, clock, send } = await bareBench();
  const outcome = settled(terminal.endOfDay());
  await clock.settle();
  await send(accepted, `04FF0204${t4}`);
  const startedAt = clock.monotonic();
  expect(await clock.until(outcome)).toBe('terminal.silent');
  expect(clock.monotonic() - startedAt).toBe(silence);
});

test('after a stall a simulated terminal reads what arrived before it gives up the till', async () => {
  const timers: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after(_, action) {
      timers.push(action);
      return () => timers.splice(timers.indexOf(action) >>> 0, 1);
    },
  };
  const lead = new Lead('authorisation', { clock, send: () => {}, adapt: (apdu) => [apdu] });
  const reported = lead.tell({ code: '04FF', data: Uint8Array.of(0x0a) });
  timers.shift()?.();
  lead.onAnswer({ code: '8000', data: new Uint8Array() });
  for (const fire of timers.splice(0)) fire();
  expect(await reported).toBe('taken');
  expect(lead.isGone()).toBe(false);
});
