/** Terminal addresses: what is read, and what is refused by name. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from '../../drivers/address.ts';
import { driverOf, openTerminal } from '../../drivers/registry.ts';
import { Fault } from '../../src/base/fault.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

test.each([
  ['mpi+tcp://127.0.0.1:7000', { driver: 'mpi', link: 'tcp', host: '127.0.0.1', port: 7000 }],
  ['mpi+tcp://till-3.shop.example:6543/', { driver: 'mpi', link: 'tcp', host: 'till-3.shop.example', port: 6543 }],
  ['mpi+tcp://[::1]:7000', { driver: 'mpi', link: 'tcp', host: '::1', port: 7000 }],
  ['mpi+serial:/dev/ttyACM0', { driver: 'mpi', link: 'serial', path: '/dev/ttyACM0' }],
  ['mpi+serial:COM12', { driver: 'mpi', link: 'serial', path: 'COM12' }],
  ['neo2+serial:/dev/ttyUSB1', { driver: 'neo2', link: 'serial', path: '/dev/ttyUSB1' }],
  ['/run/shop/terminal', { driver: 'mpi', link: 'serial', path: '/run/shop/terminal' }],
  ['./terminal', { driver: 'mpi', link: 'serial', path: './terminal' }],
  ['data/terminal', { driver: 'mpi', link: 'serial', path: 'data/terminal' }],
  ['mpi+serial:data/terminal', { driver: 'mpi', link: 'serial', path: 'data/terminal' }],
  ['COM3', { driver: 'mpi', link: 'serial', path: 'COM3' }],
  ['\\\\.\\COM13', { driver: 'mpi', link: 'serial', path: '\\\\.\\COM13' }],
])('%s', (text, address) => {
  expect(parseAddress(text)).toEqual(address);
});

test.each([
  '',
  ' ',
  'mpi',
  'mpi+tcp://',
  'mpi+tcp://host',
  'mpi+tcp://host:0',
  'mpi+tcp://host:70000',
  'mpi+serial:',
  'mpi+serial:terminal',
  'http://127.0.0.1:7000',
  'mpi+udp://127.0.0.1:7000',
  'mpi:/dev/ttyACM0',
  '/dev/a\nb',
  '\0',
  `/${'a'.repeat(5_000)}`,
])('%j is no address', (text) => {
  expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'terminal.unknown', remedy: 'refuse' }));
});

test('anything is an address or a fault', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseAddress(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});

test.each(['zvt2', 'constructor', '__proto__'])('there is no driver %s', (name) => {
  expect(() => driverOf(name)).toThrow(expect.objectContaining({ code: 'terminal.unknown' }));
});

test('a driver that is not there is told before anything is opened', async () => {
  const tools = { clock: virtualClock(), report: () => {} };
  await expect(openTerminal('zvt2+serial:/dev/null', tools)).rejects.toMatchObject({ code: 'terminal.unknown' });
});
