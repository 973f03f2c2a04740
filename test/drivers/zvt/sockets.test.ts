/** Connections of ZVT terminals: closed after each command or when idle, refused, or given to another register. */
import { expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { createWallet } from '../../../drivers/simulation/card.ts';
import { repeatingCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import type { ZvtDialect } from '../../../drivers/zvt/protocol/dialects.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import { toHex } from '../../../src/base/hex.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { sale, settled } from './zvt-tape.ts';

/** One terminal, and registers that connect to it. */
const place = (...dialects: readonly ZvtDialect[]) => {
  const clock = virtualClock();
  const device = { serial: '17000001' };
  const sent: string[] = [];
  const reports: string[] = [];
  const shared = {
    clock,
    random: seededRandom(7),
    cardholder: repeatingCardholder(),
    wallet: createWallet(),
    dialects,
  };
  let dialCount = 0;
  const connectLink = (): Link => {
    const [deviceEnd, tillEnd] = memoryLinks();
    dialCount += 1;
    zvtSimulatorOf({ form: 'apdu' })(deviceEnd, { ...shared, config: device });
    const write = (bytes: Uint8Array): Promise<void> => {
      sent.push(toHex(bytes));
      return tillEnd.write(bytes);
    };
    return { ...tillEnd, write };
  };
  const tools = { clock, report: ({ message }: Error) => reports.push(message), reopen: async () => connectLink() };
  const open = () => clock.until(zvtDriver({ form: 'apdu' }).open(connectLink(), tools));
  return { clock, device, sent, reports, open, dialCount: () => dialCount };
};

const HOURS_MS = 8 * 3_600_000;

test.each<[ZvtDialect | 'strictest', number]>([
  ['strictest', 1],
  ['socket-idle', 2],
])('%s: a sale after idle hours, reported step by step and printed', async (dialect, expectedDials) => {
  const bench = place(...(dialect === 'strictest' ? [] : [dialect]));
  const terminal = await bench.open();
  await bench.clock.advance(HOURS_MS);
  const events: string[] = [];
  const outcome = await bench.clock.until(terminal.pay(sale, (event) => events.push(event)));
  expect(outcome).toMatchObject({ kind: 'approved' });
  expect(outcome.kind === 'approved' && outcome.merchantLines.length).toBeGreaterThan(5);
  expect(events).toContain('presentCard');
  expect(bench.dialCount()).toBe(expectedDials);
  expect(bench.reports.map((text) => text.includes('another register connects'))).toEqual(
    expectedDials === 1 ? [] : [true],
  );
});

test('a terminal that closes after each command: a connection for each; later its identity is checked', async () => {
  const bench = place('socket-each');
  const terminal = await bench.open();
  expect(bench.dialCount()).toBe(2);
  for (let n = 0; n < 2; n += 1) {
    bench.sent.length = 0;
    expect(await bench.clock.until(terminal.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
    expect(bench.sent.filter((hex) => !hex.startsWith('80'))).toEqual(['06010A04000000002040490978']);
  }
  expect(bench.dialCount()).toBe(4);
  await bench.clock.advance(HOURS_MS);
  await bench.clock.until(terminal.pay(sale, () => {}));
  expect(bench.dialCount()).toBe(6);
  expect(bench.reports).toEqual([]);
});

test('a cancel in the same turn as the sale takes effect, although the terminal must be dialled first', async () => {
  const bench = place('socket-each');
  const terminal = await bench.open();
  await bench.clock.until(terminal.pay(sale, () => {}));
  const paying = terminal.pay(sale, () => {});
  const cancelling = terminal.cancel();
  expect(await bench.clock.until(paying)).toMatchObject({ kind: 'declined', code: '6C' });
  await cancelling;
});

test('a cancel while nothing runs does nothing, even if the line was closed', async () => {
  const bench = place('socket-idle');
  const terminal = await bench.open();
  await bench.clock.advance(HOURS_MS);
  await bench.clock.until(terminal.cancel());
  expect(bench.dialCount()).toBe(1);
});

test('a second register is told that another one is connected, and the first keeps selling', async () => {
  const bench = place('second-refused');
  const first = await bench.open();
  await expect(bench.open()).rejects.toMatchObject({
    code: 'link.lost',
    message: expect.stringContaining('closed it at once: another register may be connected'),
  });
  expect(await bench.clock.until(first.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
});

test('a first register that gave way is told so, and connects again for its next sale', async () => {
  const bench = place('first-dropped');
  const first = await bench.open();
  await bench.clock.advance(10_000);
  const second = await bench.open();
  expect(await bench.clock.until(second.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
  await bench.clock.advance(10_000);
  expect(await bench.clock.until(first.pay(sale, () => {}))).toMatchObject({ kind: 'approved' });
  expect(bench.reports).toEqual([expect.stringContaining('another register connects')]);
});

test('a register that gives way during a sale does not redial, and asks for the last payment', async () => {
  const bench = place('first-dropped');
  const first = await bench.open();
  const paying = settled(first.pay(sale, () => {}));
  await bench.clock.advance(100);
  await bench.open();
  expect(await bench.clock.until(paying)).toBe('link.lost');
  expect(await settled(first.pay(sale, () => {}))).toBe('link.lost');
  expect(bench.dialCount()).toBe(2);
});

test.each<ZvtDialect>(['socket-idle', 'socket-each'])(
  '%s: another device at the address gets no sale',
  async (dialect) => {
    const bench = place(dialect);
    const terminal = await bench.open();
    await bench.clock.advance(HOURS_MS);
    bench.device.serial = '17000002';
    await expect(bench.clock.until(terminal.pay(sale, () => {}))).rejects.toMatchObject({
      code: 'link.lost',
      message: expect.stringContaining('another device answers there'),
    });
    expect(bench.sent.filter((hex) => hex.startsWith('0601'))).toEqual([]);
  },
);
