/** Connections of ZVT terminals: closed after each command or when idle, refused, or given to another register. */
import { expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { wallet } from '../../../drivers/simulation/card.ts';
import { repeating, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import type { ZvtDialect } from '../../../drivers/zvt/protocol/dialects.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import { toHex } from '../../../src/base/hex.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { ending, sale } from './zvt-tape.ts';

/** One terminal, and registers that connect to it. */
const place = (...dialects: readonly ZvtDialect[]) => {
  const clock = virtualClock();
  const device = { serial: '17000001' };
  const said: string[] = [];
  const reports: string[] = [];
  const shared = { clock, random: seededRandom(7), cardholder: repeating(), wallet: wallet(), dialects };
  let dials = 0;
  const dial = (): Link => {
    const [there, here] = memoryLinks();
    dials += 1;
    zvtSimulatorOf({ form: 'apdu' })(there, { ...shared, config: device });
    const write = (bytes: Uint8Array): Promise<void> => {
      said.push(toHex(bytes));
      return here.write(bytes);
    };
    return { ...here, write };
  };
  const tools = { clock, report: ({ message }: Error) => reports.push(message), reopen: async () => dial() };
  const open = () => clock.until(zvtDriver({ form: 'apdu' }).open(dial(), tools));
  return { clock, device, said, reports, open, dials: () => dials };
};

const HOURS_MS = 8 * 3_600_000;

test.each<[ZvtDialect | 'strictest', number]>([
  ['strictest', 1],
  ['socket-idle', 2],
])('%s: a sale after idle hours, reported step by step and printed', async (dialect, dials) => {
  const made = place(...(dialect === 'strictest' ? [] : [dialect]));
  const terminal = await made.open();
  await made.clock.advance(HOURS_MS);
  const events: string[] = [];
  const outcome = await made.clock.until(terminal.pay(sale, (event) => events.push(event)));
  expect(outcome).toMatchObject({ kind: 'approved' });
  expect(outcome.kind === 'approved' && outcome.merchantLines.length).toBeGreaterThan(5);
  expect(events).toContain('presentCard');
  expect(made.dials()).toBe(dials);
  expect(made.reports.map((words) => words.includes('another register connects'))).toEqual(dials === 1 ? [] : [true]);
});

test('one that closes after each command: a connection for each; later its identity is checked', async () => {
  const made = place('socket-each');
  const terminal = await made.open();
  expect(made.dials()).toBe(2);
  for (let n = 0; n < 2; n += 1) {
    made.said.length = 0;
    expect(await made.clock.until(terminal.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
    expect(made.said.filter((hex) => !hex.startsWith('80'))).toEqual(['06010A04000000002040490978']);
  }
  expect(made.dials()).toBe(4);
  await made.clock.advance(HOURS_MS);
  await made.clock.until(terminal.pay(sale, () => {}));
  expect(made.dials()).toBe(6);
  expect(made.reports).toEqual([]);
});

test('a cancel in the same turn as the sale takes effect, although the terminal must be dialled first', async () => {
  const made = place('socket-each');
  const terminal = await made.open();
  await made.clock.until(terminal.pay(sale, () => {}));
  const paying = terminal.pay(sale, () => {});
  const cancelling = terminal.cancel();
  expect(await made.clock.until(paying)).toMatchObject({ kind: 'declined', code: '6C' });
  await cancelling;
});

test('a cancel while nothing runs does nothing, even if the line was closed', async () => {
  const made = place('socket-idle');
  const terminal = await made.open();
  await made.clock.advance(HOURS_MS);
  await made.clock.until(terminal.cancel());
  expect(made.dials()).toBe(1);
});

test('a second register is told that another one is connected, and the first keeps selling', async () => {
  const made = place('second-refused');
  const first = await made.open();
  await expect(made.open()).rejects.toMatchObject({
    code: 'link.lost',
    message: expect.stringContaining('closed it at once: another register may be connected'),
  });
  expect(await made.clock.until(first.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
});

test('a first register that gave way is told so, and connects again for its next sale', async () => {
  const made = place('first-dropped');
  const first = await made.open();
  await made.clock.advance(10_000);
  const second = await made.open();
  expect(await made.clock.until(second.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
  await made.clock.advance(10_000);
  expect(await made.clock.until(first.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
  expect(made.reports).toEqual([expect.stringContaining('another register connects')]);
});

test('a register that gives way during a sale does not redial, and asks for the last payment', async () => {
  const made = place('first-dropped');
  const first = await made.open();
  const paying = ending(first.pay(sale, () => {}));
  await made.clock.advance(100);
  await made.open();
  expect(await made.clock.until(paying)).toBe('link.lost');
  expect(await ending(first.pay(sale, () => {}))).toBe('link.lost');
  expect(made.dials()).toBe(2);
});

test.each<ZvtDialect>(['socket-idle', 'socket-each'])(
  '%s: another device at the address gets no sale',
  async (dialect) => {
    const made = place(dialect);
    const terminal = await made.open();
    await made.clock.advance(HOURS_MS);
    made.device.serial = '17000002';
    await expect(made.clock.until(terminal.pay(sale, () => {}))).rejects.toMatchObject({
      code: 'link.lost',
      message: expect.stringContaining('another device answers there'),
    });
    expect(made.said.filter((hex) => hex.startsWith('0601'))).toEqual([]);
  },
);
