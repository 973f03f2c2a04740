/** For each connected device: which drivers could fit, how likely, and under which addresses. */
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../drivers/address.ts';
import { candidateAt, candidatesOf } from '../../drivers/discovery.ts';
import type { Driver } from '../../drivers/driver.ts';
import type { PluggedDevice } from '../../drivers/links/plugged.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import { drivers } from '../../drivers/registry.ts';

const acme: Driver = {
  ...mpi,
  name: 'acme',
  title: 'Acme',
  hid: { reportIds: false },
  tcpPorts: [7001, 7002],
  usb: [
    { vendorId: 0x0801, productId: 0x2020, name: 'Acme Flex', by: 'hid' },
    { vendorId: 0x0acd, name: 'Acme readers', by: 'serial' },
  ],
};
const two = { acme, mpi };

type Row = [says: string, device: PluggedDevice, likely: string | undefined, addresses: string[]];
const rows: Row[] = [
  [
    'a HID device that matches a mark',
    { by: 'hid', vendorId: 0x0801, productId: 0x2020, serial: 'B5' },
    'known',
    ['acme+hid:0801:2020:B5'],
  ],
  [
    'one whose serial number cannot be part of an address',
    { by: 'hid', vendorId: 0x0801, productId: 0x2020, serial: 'B 5' },
    'known',
    ['acme+hid:0801:2020'],
  ],
  ['another product of that vendor', { by: 'hid', vendorId: 0x0801, productId: 0x2021 }, undefined, []],
  ['a keyboard', { by: 'hid', vendorId: 0x046d, productId: 0xc31c, product: 'Keyboard' }, undefined, []],
  [
    'a serial port of a vendor whose products all count',
    { by: 'serial', path: '/dev/ttyACM0', vendorId: 0x0acd, productId: 0x3530 },
    'known',
    ['acme+serial:/dev/ttyACM0'],
  ],
  [
    'a HID mark does not apply to a serial port',
    { by: 'serial', path: '/dev/ttyACM0', vendorId: 0x0801, productId: 0x2020 },
    'perhaps',
    ['mpi+serial:/dev/ttyACM0', 'acme+serial:/dev/ttyACM0'],
  ],
  [
    'an unknown USB port: first the drivers without marks',
    { by: 'serial', path: 'COM7', vendorId: 0x0403 },
    'perhaps',
    ['mpi+serial:COM7', 'acme+serial:COM7'],
  ],
  [
    'a port of the mainboard',
    { by: 'serial', path: '/dev/ttyS0' },
    'unlikely',
    ['mpi+serial:/dev/ttyS0', 'acme+serial:/dev/ttyS0'],
  ],
];

describe('what is plugged in', () => {
  test.each(rows)('%s', (_, device, likely, addresses) => {
    const found = candidatesOf([device], two);
    expect(found.map((candidate) => candidate.likely)).toEqual(likely === undefined ? [] : [likely]);
    expect(found.flatMap(({ fits }) => fits.map(({ address }) => address))).toEqual(addresses);
  });

  test('the likeliest comes first, and every address is valid', () => {
    const found = candidatesOf(
      rows.map(([, device]) => device),
      two,
    );
    expect(found.map(({ likely }) => likely).join(' ')).toBe('known known known perhaps perhaps unlikely');
    for (const { fits } of found) {
      for (const { driver, address } of fits) expect(parseAddress(address).driver).toBe(driver);
    }
    expect(found[0]).toMatchObject({ family: 'Acme Flex', usb: { vendorId: 0x0801, serial: 'B5' } });
  });
});

describe('a place that a person names', () => {
  test.each([
    ['mpi+tcp://10.0.0.7:6543', ['mpi+tcp://10.0.0.7:6543']],
    ['tcp://10.0.0.7:6543', ['mpi+tcp://10.0.0.7:6543', 'acme+tcp://10.0.0.7:6543']],
    ['tcp://[::1]:1234', ['acme+tcp://[::1]:1234', 'mpi+tcp://[::1]:1234']],
    ['/dev/ttyACM0', ['acme+serial:/dev/ttyACM0', 'mpi+serial:/dev/ttyACM0']],
    ['serial:COM3', ['acme+serial:COM3', 'mpi+serial:COM3']],
    // Only one of the two drivers has a HID form.
    ['hid:0801:2020', ['acme+hid:0801:2020']],
    // Each driver is tried at the ports where its devices usually listen.
    ['10.0.0.7', ['acme+tcp://10.0.0.7:7001', 'acme+tcp://10.0.0.7:7002', 'mpi+tcp://10.0.0.7:6543']],
    ['[::1]', ['acme+tcp://[::1]:7001', 'acme+tcp://[::1]:7002', 'mpi+tcp://[::1]:6543']],
  ])('%s', (text, addresses) => {
    const { fits, likely } = candidateAt(text, two);
    expect(likely).toBe('known');
    expect(fits.map(({ address }) => address)).toEqual(addresses);
  });

  test.each([
    ['192.168.1.20:20007', 'zvt+tcp://192.168.1.20:20007'],
    ['192.168.1.20:6543', 'mpi+tcp://192.168.1.20:6543'],
    ['terminal.shop:22000', 'zvt+tcp://terminal.shop:22000'],
    ['[fe80::1]:20007', 'zvt+tcp://[fe80::1]:20007'],
    ['tcp://192.168.1.20:20007', 'zvt+tcp://192.168.1.20:20007'],
  ])('%s is probed first as %s, then as everything else', (text, first) => {
    const { fits } = candidateAt(text);
    expect(fits[0]?.address).toBe(first);
    expect(fits.map(({ driver }) => driver).toSorted()).toEqual(Object.keys(drivers).toSorted());
    for (const { address } of fits) expect(parseAddress(address)).toMatchObject({ link: 'tcp' });
  });

  test.each([
    ['COM3', 'COM3'],
    ['com3', 'COM3'],
    ['\\\\.\\COM12', 'COM12'],
    ['/dev/ttyACM0', '/dev/ttyACM0'],
    ['/dev/serial/by-id/usb-Miura', '/dev/serial/by-id/usb-Miura'],
  ])('%s is a serial port of any driver', (text, path) => {
    const { fits, place } = candidateAt(text);
    expect(place).toBe(`serial:${path}`);
    expect(fits.map(({ driver }) => driver).toSorted()).toEqual(Object.keys(drivers).toSorted());
    for (const { address } of fits) expect(parseAddress(address)).toMatchObject({ link: 'serial', path });
  });

  test.each([
    '',
    '?',
    'COM',
    'tcp://',
    '10.0.0.256',
    '10.0.0.7:0',
    '10.0.0.7:70000',
    'nobody+tcp://10.0.0.7:1',
    'mpi+hid:0801:2020',
    'a\nb',
    'mpi+',
  ])('refused by name: %j', (text) => {
    expect(() => candidateAt(text, two)).toThrow(expect.objectContaining({ code: 'terminal.unknown' }));
  });
});

test('every mark of every driver leads to that driver', () => {
  for (const [name, { usb }] of Object.entries(drivers)) {
    for (const { vendorId, productId = 0x1234, by } of usb) {
      const device: PluggedDevice =
        by === 'hid' ? { by, vendorId, productId } : { by, path: '/dev/ttyACM0', vendorId, productId };
      const [found] = candidatesOf([device]);
      expect(found?.likely).toBe('known');
      expect(found?.fits.map(({ driver }) => driver)).toContain(name);
    }
  }
});
