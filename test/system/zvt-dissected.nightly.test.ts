/**
 * A day at a ZVT terminal as read by another program: Wireshark's dissector, in `tshark`, finds no malformed message
 * and names each command as we do. It knows none of 0501, 0620, 0622 to 0625, 0691, 06B0 and 06E0, and does not
 * undouble DLE on serial lines, so it is given bare APDUs. By day: `test/drivers/zvt/messages.test.ts` notices a
 * message that differs from its capture.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TraceDirection } from '../../drivers/driver.ts';
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import { createWallet } from '../../drivers/simulation/card.ts';
import { scriptedCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import { zvtDriver } from '../../drivers/zvt/driver/driver.ts';
import { zvtSimulatorOf } from '../../drivers/zvt/simulator/simulator.ts';
import { toHex } from '../../src/base/hex.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { euro, observe } from '../contract/integrated-terminal.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dissected-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const customers: readonly Presentation[] = [
  { card: testCard('visa-no-cvm'), by: 'chip' },
  { card: testCard('mastercard-tap'), by: 'tap' },
  { card: testCard('visa-credit'), by: 'chip' },
  { card: testCard('visa-no-cvm'), by: 'chip', cancels: true },
  { card: testCard('visa-no-cvm'), by: 'swipe' },
  { card: testCard('visa-no-cvm'), by: 'chip' },
];

/** The messages of till and terminal, in order: sales with each ending, a void, a refund, a repeat, a close. */
const aDay = async (): Promise<{ direction: TraceDirection; bytes: Uint8Array }[]> => {
  const trace: { direction: TraceDirection; bytes: Uint8Array }[] = [];
  const clock = virtualClock();
  const [deviceEnd, tillEnd] = memoryLinks();
  const options = { clock, random: seededRandom(7), cardholder: scriptedCardholder(customers), wallet: createWallet() };
  const device = zvtSimulatorOf({ form: 'apdu' })(deviceEnd, options);
  const link = observe(tillEnd, (direction, bytes) => void trace.push({ direction, bytes: Uint8Array.from(bytes) }));
  const terminal: IntegratedTerminal = await clock.until(
    zvtDriver({ form: 'apdu' }).open(link, { clock, report: () => {} }),
  );
  for (const minor of [1_250n, 300n, 9_999n, 700n, 820n])
    await clock.until(terminal.pay({ amount: euro(minor), withinMs: 90_000 }, () => {}).catch(() => {}));
  await clock.until(terminal.lastOutcome().catch(() => {}));
  await clock.until(terminal.refund({ amount: euro(300n), withinMs: 90_000 }, () => {}).catch(() => {}));
  await clock.until(terminal.reverse({ receiptNumber: '0001', amount: euro(1_250n) }, () => {}));
  await clock.until(terminal.health());
  await clock.until(terminal.endOfDay());
  await clock.until(terminal.close());
  await clock.until(device.close());
  return trace;
};

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 << 20 });

type Message = { direction: TraceDirection; bytes: Uint8Array };
/** `code` as 0x0601; the rest as the dissector prints it. */
type Dissected = { code: string; malformed: string; result: string; amount: string; trace: string; terminal: string };

const columns: Readonly<Record<keyof Dissected, string>> = {
  code: 'zvt.control_field',
  malformed: '_ws.malformed',
  result: 'zvt.result_code',
  amount: 'zvt.amount',
  trace: 'zvt.trace_number',
  terminal: 'zvt.terminal_id',
};

/** Each message as the dissector reads it. */
const dissect = (messages: readonly Message[]): Dissected[] => {
  const dump = messages.map(({ direction, bytes }) => `${direction === 'said' ? 'O' : 'I'}\n000000 ${hexOf(bytes)}\n`);
  writeFileSync(join(folder, 'day.txt'), dump.join('\n'));
  run('text2pcap', ['-q', '-D', '-T', '50000,20007', join(folder, 'day.txt'), join(folder, 'day.pcap')]);
  const fields = Object.values(columns).flatMap((field) => ['-e', field]);
  return run('tshark', ['-r', join(folder, 'day.pcap'), '-d', 'tcp.port==20007,zvt', '-T', 'fields', ...fields])
    .split('\n')
    .slice(0, messages.length)
    .map((line) => {
      const cells = line.split('\t');
      const read = Object.keys(columns).map((name, index) => [name, cells[index] ?? '']);
      return Object.fromEntries(read) as Dissected;
    });
};

const hexOf = (bytes: Uint8Array): string => toHex(bytes).replace(/..(?=.)/g, '$& ');

/** Commands that the dissector does not know or does not name, and answers, whose code it does not show. */
const unnamed = new Set(['0501', '0602', '0620', '8000']);

test('no message of a day is malformed, and each command is read as intended', async () => {
  const trace = await aDay();
  const read = dissect(trace);
  expect(read).toHaveLength(trace.length);
  expect(read.filter(({ malformed }) => malformed !== '')).toEqual([]);
  const codes = trace.map(({ bytes }) => toHex(bytes.subarray(0, 2)));
  expect(new Set(codes)).toEqual(
    new Set([...unnamed, '0600', '0601', '0630', '0631', '0650', '040F', '04FF', '060F', '061E', '06D3']),
  );
  expect(read.map(({ code }) => code)).toEqual(
    codes.map((code) => (unnamed.has(code) ? '' : `0x${code.toLowerCase()}`)),
  );
});

test('results, amounts and payment numbers are read as intended', async () => {
  const reports = dissect(await aDay()).filter(({ code }) => code === '0x040f');
  const summary = reports.map(({ result, amount, trace }) => [result, amount, trace].map((cell) => Number(cell)));
  expect(summary).toEqual([
    [0x00, 1_250, 1],
    [0x00, 300, 2],
    [0x00, 9_999, 3],
    [0x6c, 0, 0],
    [0x7c, 0, 0],
    // The last payment, repeated.
    [0x00, 9_999, 3],
    [0x00, 300, 4],
    [0x00, 1_250, 5],
    // The rest of the day: 99.99 + 3.00 - 3.00.
    [0x00, 9_999, 6],
  ]);
});

test('a malformed message is noticed: a receipt whose text claims to be longer than its message', async () => {
  const trace = await aDay();
  const damaged = trace.map(({ direction, bytes }) => {
    const isReceipt = toHex(bytes.subarray(0, 2)) === '06D3';
    // After 06 D3 and its length comes container 06 with a two-byte length.
    return { direction, bytes: isReceipt ? bytes.with(5, (bytes[5] ?? 0) + 1) : bytes };
  });
  expect(dissect(damaged).filter(({ malformed }) => malformed !== '')).not.toEqual([]);
});
