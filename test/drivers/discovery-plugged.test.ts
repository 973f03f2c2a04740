/** Listing the connected devices: in the usual way, and from the system’s own files if that fails. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Listings, listPluggedDevices } from '../../drivers/links/plugged.ts';
import { posixTest } from '../support/platform/platform.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plugged-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text = ''): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const linkTo = (path: string, to: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(to, join(root, path));
};
const failingListings = (): Listings => ({
  root,
  serial: () => Promise.reject(new Error('spawn udevadm ENOENT')),
  hid: () => Promise.reject(new Error('libudev.so.1: cannot open shared object file')),
});

test('ports and devices are listed with their descriptions, each once', async () => {
  const { devices, problems } = await listPluggedDevices({
    root,
    serial: async () => [
      { path: '/dev/ttyS0', vendorId: undefined },
      // A serial number as long as a card number is not one.
      {
        path: '/dev/ttyACM0',
        vendorId: '0acd',
        productId: '3530',
        serialNumber: '4761739001010010',
        manufacturer: 'X\n',
      },
      { vendorId: '1234' },
    ],
    hid: async () => [
      { path: '/dev/hidraw0', vendorId: 0x0801, productId: 0x2020, serial: 'B5', product: 'DynaFlex' },
      { path: '/dev/hidraw1', vendorId: 0x0801, productId: 0x2020, serial: 'B5', product: 'DynaFlex' },
    ],
  });
  expect(problems).toEqual([]);
  expect(devices).toEqual([
    {
      by: 'serial',
      path: '/dev/ttyACM0',
      vendorId: 0x0acd,
      productId: 0x3530,
      serial: '4761739001010010',
      manufacturer: 'X',
    },
    { by: 'serial', path: '/dev/ttyS0' },
    { by: 'hid', path: '/dev/hidraw1', vendorId: 0x0801, productId: 0x2020, serial: 'B5', product: 'DynaFlex' },
  ]);
});

posixTest('without udevadm and libudev the system files are read, and that is reported', async () => {
  const usb = 'sys/devices/usb1/1-1';
  for (const [name, text] of Object.entries({ idVendor: '0acd', idProduct: '3530', serial: '7', manufacturer: 'ID' }))
    put(`${usb}/${name}`, `${text}\n`);
  put('dev/ttyACM0');
  put('dev/ttyUSB1');
  put('dev/ttyS0');
  put('dev/tty1');
  put(`${usb}/1-1:1.0/interface`, '');
  linkTo('sys/class/tty/ttyACM0/device', join(root, `${usb}/1-1:1.0`));
  linkTo('dev/serial/by-id/usb-ACME_Adapter_0042-if00', '../../ttyUSB1');
  put('sys/class/hidraw/hidraw3/device/uevent', 'HID_ID=0003:00000801:00002020\nHID_NAME=MagTek Flex\nHID_UNIQ=B5\n');
  put('sys/class/hidraw/hidraw4/device/uevent', 'DRIVER=hid-generic\n');
  const { devices, problems } = await listPluggedDevices(failingListings());
  expect(devices).toEqual([
    {
      by: 'serial',
      path: join(root, 'dev/ttyACM0'),
      vendorId: 0x0acd,
      productId: 0x3530,
      serial: '7',
      manufacturer: 'ID',
    },
    { by: 'serial', path: join(root, 'dev/ttyUSB1'), manufacturer: 'usb-ACME_Adapter_0042-if00' },
    {
      by: 'hid',
      path: join(root, 'dev/hidraw3'),
      vendorId: 0x0801,
      productId: 0x2020,
      serial: 'B5',
      product: 'MagTek Flex',
    },
  ]);
  expect(problems).toEqual([
    { by: 'serial', why: 'spawn udevadm ENOENT' },
    { by: 'hid', why: 'libudev.so.1: cannot open shared object file' },
  ]);
});

test('a machine without any of these folders has nothing plugged in', async () => {
  expect((await listPluggedDevices(failingListings())).devices).toEqual([]);
});
