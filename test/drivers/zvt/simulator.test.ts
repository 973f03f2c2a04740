/** The simulated ZVT terminal: over real bytes on a pseudo terminal and TCP, spoilt frames, strange commands. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeZvtApdu, encodeZvtApdu } from '../../../drivers/framing/zvt-frame.ts';
import type { IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import { openTerminal } from '../../../drivers/registry.ts';
import { scriptedCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import type { Faults } from '../../../drivers/simulation/faults.ts';
import { simulateOnPty, simulateOnTcp } from '../../../drivers/simulation/simulator.ts';
import { zvt, zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import { bmp, decodeBmps } from '../../../drivers/zvt/protocol/fields.ts';
import { zvtSimulator, zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { fastClock } from '../../support/devices/fast-clock.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { posixTest } from '../../support/platform/platform.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const sale = { amount: { minor: 1_250n, currency: 'EUR' }, withinMs: 60_000 };
const options = {
  clock: fastClock,
  random: systemRandom,
  cardholder: () => ({ card: testCard('mastercard-tap'), by: 'tap' as const, afterMs: 1 }),
};

const openAt = async (at: string): Promise<IntegratedTerminal> => {
  const created = await openTerminal(`zvt+${at}`, { clock: systemClock, report: () => {} });
  if (created.kind !== 'integrated') throw new Error('a reader');
  return created.terminal;
};

test('over TCP: a payment, a new connection, and the payment is still the last one', async () => {
  const station = await simulateOnTcp(zvtSimulator, 0, options);
  const first = await openAt(station.at);
  expect(await first.pay(sale, () => {})).toMatchObject({ kind: 'approved' });
  await first.close();
  const second = await openAt(station.at);
  expect(await second.lastOutcome()).toMatchObject({ kind: 'approved', payment: { receiptNumber: '0001' } });
  await second.close();
  await station.close();
});

posixTest('over a pseudo terminal, with serial frames', async () => {
  const station = await simulateOnPty(zvtSimulator, join(tmpdir(), `zvt-${systemIds.next()}`), options);
  const terminal = await openAt(station.at);
  expect(await terminal.pay(sale, () => {})).toMatchObject({ kind: 'approved' });
  expect((await terminal.endOfDay()).lines.at(-1)).toBe('TOTAL 12.50 EUR');
  await terminal.close();
  await station.close();
});

/** A sale over serial frames with these faults. */
const runSerialSale = async (faults: Faults, textBlocks = true) => {
  const clock = virtualClock();
  const [deviceEnd, tillEnd] = memoryLinks();
  const cardholder = scriptedCardholder([{ card: testCard('visa-no-cvm'), by: 'chip' }]);
  const device = zvtSimulator(deviceEnd, { clock, random: seededRandom(1), cardholder, faults });
  const terminal = await clock.until(zvt.open(tillEnd, { clock, report: () => {} }));
  return { clock, device, terminal, textBlocks };
};

test.each([1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])(
  'a wrong checksum at message %i is repaired by a NAK',
  async (atMessage) => {
    const { clock, terminal } = await runSerialSale([{ kind: 'wrongChecksum', atMessage }]);
    const outcome = await clock.until(terminal.pay(sale, () => {}));
    expect(outcome).toMatchObject({ kind: 'approved', payment: { receiptNumber: '0001' } });
    if (outcome.kind === 'approved')
      expect(outcome.customerLines.filter((line) => line.startsWith('RECEIPT'))).toHaveLength(1);
  },
);

test('gives up a terminal that sends only damaged frames', async () => {
  const faults = Array.from({ length: 40 }, (_, index) => ({ kind: 'wrongChecksum' as const, atMessage: index + 5 }));
  const { clock, terminal } = await runSerialSale(faults);
  await expect(clock.until(terminal.pay(sale, () => {}))).rejects.toMatchObject({ code: 'terminal.silent' });
});

test('on TCP a damaged message ends the payment', async () => {
  const clock = virtualClock();
  const [deviceEnd, tillEnd] = memoryLinks();
  const faults: Faults = [{ kind: 'wrongChecksum', atMessage: 7 }];
  const cardholder = scriptedCardholder([{ card: testCard('visa-no-cvm'), by: 'chip' }]);
  zvtSimulatorOf({ form: 'apdu' })(deviceEnd, { clock, random: seededRandom(1), cardholder, faults });
  const terminal = await clock.until(zvtDriver({ form: 'apdu' }).open(tillEnd, { clock, report: () => {} }));
  await expect(clock.until(terminal.pay(sale, () => {}))).rejects.toMatchObject({ code: 'terminal.garbled' });
});

/** A raw till on bare APDUs that acknowledges everything the terminal sends while it leads. */
const rawTill = () => {
  const clock = virtualClock();
  const [deviceEnd, till] = memoryLinks();
  const cardholder = scriptedCardholder([{ card: testCard('visa-no-cvm'), by: 'chip' }]);
  const device = zvtSimulatorOf({ form: 'apdu' })(deviceEnd, { clock, random: seededRandom(1), cardholder });
  const received: string[] = [];
  till.listen({
    bytes(bytes) {
      received.push(toHex(bytes));
      if (bytes[0] !== 0x80 && bytes[0] !== 0x84) void till.write(fromHex('800000'));
    },
    closed: () => {},
  });
  const send = async (hex: string, ms = 0): Promise<string[]> => {
    await till.write(fromHex(hex));
    await clock.advance(ms);
    return received.splice(0);
  };
  return { clock, device, send };
};

test.each([
  ['a payment before the registration', '06010704000000001000', ['800000']],
  ['a command of a vendor’s class', '0F10021234', ['848300']],
  ['an undocumented bitmap', '0601080400000000100015', ['848300']],
  ['a bitmap that is cut short', '0601020400', ['849A00']],
  ['a registration in an unsupported currency', '060006000000BE0840', ['841E016F']],
  ['an unknown command', '06AA00', ['848300']],
  ['a registration without a configuration', '060003000000', ['849A00']],
  ['an abort with nothing to abort', '06B000', ['800000']],
])('%s', async (_name, hex, expected) => {
  expect(await rawTill().send(hex)).toEqual(expected);
});

test.each([
  { config: 'BE', comes: 'statuses and receipts', has: ['04FF', '06D1'], hasNot: [] },
  { config: 'B6', comes: 'receipts alone', has: ['06D1'], hasNot: ['04FF'] },
  { config: '08', comes: 'only statuses: it prints itself', has: ['04FF'], hasNot: ['06D1'] },
  {
    config: '0E',
    comes: 'no lines for a register that makes its receipts from the result',
    has: ['04FF'],
    hasNot: ['06D1'],
  },
  {
    config: 'BC',
    comes: 'no payment receipts for a register that prints administration',
    has: ['04FF'],
    hasNot: ['06D1'],
  },
])('configuration $config gets what it asks for, and nothing else: $comes', async ({ config, has, hasNot }) => {
  const { send } = rawTill();
  await send(`060006000000${config}0978`, 10);
  const codes = (await send('06010704000000001000', 10_000)).map((hex) => hex.slice(0, 4));
  expect(codes).toEqual(expect.arrayContaining([...has, '040F', '060F']));
  for (const code of hasNot) expect(codes).not.toContain(code);
});

test('an unsupported currency ends a payment before a card is requested', async () => {
  const { send } = rawTill();
  expect(await send('06010A04000000001000490840', 10_000)).toEqual(['800000', '040F02276F', '061E016F']);
});

test('sends no container to a register that has sent none', async () => {
  const { send } = rawTill();
  const about = await send('060006000000BE0978', 10);
  const saleReply = await send('06010704000000001000', 10_000);
  const state = await send('0501050000000306', 10);
  const containers = [...about, ...saleReply, ...state].filter((hex) => {
    const { code, data } = decodeZvtApdu(fromHex(hex));
    return ['040F', '060F'].includes(code) && data.length > 1 && bmp(decodeBmps(data), '06') !== undefined;
  });
  expect(containers).toEqual([]);
});

test('a till that asks for single lines gets them, the last one marked', async () => {
  const { send } = rawTill();
  await send('060006000000BE0978', 10);
  const received = await send('06010704000000001000', 10_000);
  const lines = received.filter((hex) => hex.startsWith('06D1')).map((hex) => toHex(decodeZvtApdu(fromHex(hex)).data));
  expect(lines.filter((data) => data.startsWith('81'))).toHaveLength(2);
  expect(received.at(-1)).toBe('060F00');
});

test('goods that were not issued are reversed by the terminal itself', async () => {
  const clock = virtualClock();
  const [deviceEnd, till] = memoryLinks();
  const cardholder = scriptedCardholder([{ card: testCard('visa-no-cvm'), by: 'chip' }]);
  zvtSimulatorOf({ form: 'apdu' })(deviceEnd, { clock, random: seededRandom(1), cardholder });
  const received: string[] = [];
  till.listen({
    bytes(bytes) {
      received.push(toHex(bytes));
      if (bytes[0] === 0x80 || bytes[0] === 0x84) return;
      void till.write(fromHex(bytes[0] === 0x04 && bytes[1] === 0x0f ? '846600' : '800000'));
    },
    closed: () => {},
  });
  for (const hex of ['060006000000BE0978', '06010704000000001000']) {
    await till.write(fromHex(hex));
    await clock.advance(10_000);
  }
  expect(received.at(-1)).toBe('061E016C');
});

test('no commands and no bytes crash the terminal; a new registration brings it back', async () => {
  const bodies = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc
      .tuple(
        fc.constantFrom('0600', '0601', '0620', '0630', '0631', '0650', '06B0', '0501'),
        fc.uint8Array({ maxLength: 20 }),
      )
      .map(([code, data]) => encodeZvtApdu({ code, data })),
    fc.constant(fromHex('06010704000000001000')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(bodies, fc.nat(2_000)), { maxLength: 10 }), async (steps) => {
      const { send, clock, device } = rawTill();
      for (const [bytes, ms] of steps) await send(toHex(bytes), ms);
      await clock.advance(200_000);
      await send('060006000000BE0978', 100_000);
      expect(device.state()).toBe('idle');
      const received = await send('060006000000BE0978', 10);
      expect(toHex(concat(...received.map(fromHex)))).toMatch(/^800000060F/);
    }),
    { numRuns: 100 },
  );
});
