/**
 * Terminal addresses: how they are read, that invalid ones are refused by name, and that each is printed in one form.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress, printAddress, readAddress } from '../../drivers/address.ts';
import { driverOf, openTerminal } from '../../drivers/registry.ts';
import { isFault } from '../../src/base/fault.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

test.each([
  ['mpi+tcp://127.0.0.1:7000', { driver: 'mpi', link: 'tcp', host: '127.0.0.1', port: 7000 }],
  ['mpi+tcp://till-3.shop.example:6543/', { driver: 'mpi', link: 'tcp', host: 'till-3.shop.example', port: 6543 }],
  ['mpi+tcp://[::1]:7000', { driver: 'mpi', link: 'tcp', host: '::1', port: 7000 }],
  ['mpi+serial:/dev/ttyACM0', { driver: 'mpi', link: 'serial', path: '/dev/ttyACM0' }],
  ['mpi+serial:COM12', { driver: 'mpi', link: 'serial', path: 'COM12' }],
  ['neo2+serial:/dev/ttyUSB1', { driver: 'neo2', link: 'serial', path: '/dev/ttyUSB1' }],
  ['mpi+serial:data/terminal', { driver: 'mpi', link: 'serial', path: 'data/terminal' }],
  // The serial port library adds \\\\.\\ before a name itself.
  ['zvt+serial:\\\\.\\com12', { driver: 'zvt', link: 'serial', path: 'COM12' }],
  ['mms+hid:0801:2020:B5', { driver: 'mms', link: 'hid', vendorId: 0x0801, productId: 0x2020, serial: 'B5' }],
])('%s', (text, address) => {
  expect(parseAddress(text)).toEqual(address);
  expect(readAddress(text)).toEqual(address);
});

test.each([
  ['192.168.1.20:20007', { link: 'tcp', host: '192.168.1.20', port: 20_007 }],
  ['192.168.1.20', { link: 'tcp', host: '192.168.1.20' }],
  ['tcp://192.168.1.20', { link: 'tcp', host: '192.168.1.20' }],
  [' tcp://10.0.0.7:6543/ ', { link: 'tcp', host: '10.0.0.7', port: 6543 }],
  ['terminal.shop:22000', { link: 'tcp', host: 'terminal.shop', port: 22_000 }],
  ['kasse1:20007', { link: 'tcp', host: 'kasse1', port: 20_007 }],
  ['[fe80::1%eth0]:20007', { link: 'tcp', host: 'fe80::1%eth0', port: 20_007 }],
  ['[::1]', { link: 'tcp', host: '::1' }],
  ['COM3', { link: 'serial', path: 'COM3' }],
  ['com3', { link: 'serial', path: 'COM3' }],
  ['\\\\.\\COM13', { link: 'serial', path: 'COM13' }],
  ['//./com13', { link: 'serial', path: 'COM13' }],
  ['serial:COM3', { link: 'serial', path: 'COM3' }],
  ['/dev/ttyACM0', { link: 'serial', path: '/dev/ttyACM0' }],
  ['/dev/serial/by-id/usb-Miura_M020:1-if00', { link: 'serial', path: '/dev/serial/by-id/usb-Miura_M020:1-if00' }],
  ['/run/shop/terminal', { link: 'serial', path: '/run/shop/terminal' }],
  ['./terminal', { link: 'serial', path: './terminal' }],
  ['data/terminal', { link: 'serial', path: 'data/terminal' }],
  ['hid:0801:2020', { link: 'hid', vendorId: 0x0801, productId: 0x2020 }],
])('%j is a place whose protocol is still unknown', (text, place) => {
  expect(readAddress(text)).toEqual(place);
  expect(() => parseAddress(text)).toThrow(
    expect.objectContaining({ code: 'terminal.protocolMissing', message: expect.stringContaining(text.trim()) }),
  );
});

test.each([
  '',
  ' ',
  'mpi',
  'terminal',
  'terminal.shop',
  'mpi+tcp://',
  'mpi+tcp://host',
  'mpi+tcp://10.0.0.7',
  'mpi+tcp://host:0',
  'mpi+tcp://host:70000',
  'mpi+10.0.0.7:6543',
  'mpi+/dev/ttyACM0',
  'mpi+serial:',
  'mpi+serial:terminal',
  'http://127.0.0.1:7000',
  'mpi+udp://127.0.0.1:7000',
  'mpi:/dev/ttyACM0',
  '192.168.1.256:20007',
  '192.168.1:20007',
  '192.168.1.20:0',
  '192.168.1.20:65536',
  '192.168.1.20:20007:1',
  '[fe80::g]:20007',
  'fe80::1',
  'COM',
  'COM0',
  'COM3:9600',
  '-terminal:20007',
  'tcp:7000',
  'serial:7000',
  'hid:0801',
  'hid:081:2020',
  '/dev/a\nb',
  '\0',
  `/${'a'.repeat(5_000)}`,
])('%j is not an address', (text) => {
  for (const read of [parseAddress, readAddress]) {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'terminal.unknown', remedy: 'refuse' }));
  }
});

const port = fc.integer({ min: 1, max: 65_535 });
const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);
const hostName = fc
  .array(label, { minLength: 1, maxLength: 4 })
  .map((labels) => labels.join('.'))
  .filter((name) => !/^(?:com\d+|tcp|serial|hid)$/.test(name));
const alone = fc.oneof(
  fc.ipV4(),
  fc.ipV6().map((six) => `[${six}]`),
);
const network = fc.tuple(fc.oneof(alone, hostName), port).map(([host, at]) => `${host}:${at}`);
const comPort = fc
  .tuple(
    fc.constantFrom('', '\\\\.\\', '\\\\?\\', '//./'),
    fc.constantFrom('COM', 'com', 'Com'),
    fc.integer({ min: 1, max: 999 }),
  )
  .map((parts) => parts.join(''));
const path = fc
  .array(fc.stringMatching(/^[A-Za-z0-9_.-]{1,8}$/), { minLength: 2, maxLength: 4 })
  .map((parts) => parts.join('/'));
const serialPort = fc.oneof(
  comPort,
  path,
  path.map((text) => `/${text}`),
);
const id = fc.stringMatching(/^[0-9A-Fa-f]{4}$/);
const hid = fc
  .tuple(id, id, fc.option(fc.stringMatching(/^[!-~]{1,20}$/)))
  .map(([vendor, product, serial]) => ['hid', vendor, product, ...(serial === null ? [] : [serial])].join(':'));
const linked = fc.oneof(
  network.map((text) => `tcp://${text}`),
  serialPort.map((text) => `serial:${text}`),
  hid,
);
const written = fc.oneof(
  alone,
  network,
  serialPort,
  linked,
  fc.tuple(fc.constantFrom('mpi', 'zvt', 'neo2', 'mms'), linked).map((parts) => parts.join('+')),
);

test('every address is read back unchanged from its printed form', () => {
  fc.assert(
    fc.property(written, (text) => {
      const read = readAddress(text);
      const printed = printAddress(read);
      expect(readAddress(printed)).toEqual(read);
      expect(printAddress(readAddress(printed))).toBe(printed);
      // The address keeps its protocol, and never gets one that it did not have.
      expect(read.driver).toBe(/^([a-z0-9]+)\+/.exec(text)?.[1]);
    }),
  );
});

test('any text is either an address or a fault that names it', () => {
  const almostAddress = fc.tuple(written, fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, more]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + more + text.slice(cut + 1);
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), almostAddress), (text) => {
      try {
        const read = readAddress(text);
        expect(readAddress(printAddress(read))).toEqual(read);
      } catch (error) {
        if (!isFault(error, 'terminal.unknown')) throw error;
      }
    }),
  );
});

test.each(['zvt2', 'constructor', '__proto__'])('there is no driver %s', (name) => {
  expect(() => driverOf(name)).toThrow(expect.objectContaining({ code: 'terminal.unknown' }));
});

test('an unknown driver is reported before anything is opened', async () => {
  const tools = { clock: virtualClock(), report: () => {} };
  await expect(openTerminal('zvt2+serial:/dev/null', tools)).rejects.toMatchObject({ code: 'terminal.unknown' });
});
