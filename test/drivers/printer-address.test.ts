import { describe, expect, test } from 'vitest';
import { parsePrinterAddress } from '../../drivers/address.ts';

describe('an address', () => {
  const rows = [
    ['escpos+tcp://192.168.1.50:9100', { link: 'tcp', host: '192.168.1.50', port: 9100 }],
    ['escpos+tcp://[fe80::1]:9100', { link: 'tcp', host: 'fe80::1', port: 9100 }],
    ['escpos+serial:/dev/ttyUSB0', { link: 'serial', path: '/dev/ttyUSB0', baudRate: 9_600 }],
    ['escpos+serial:/dev/ttyUSB0@115200', { link: 'serial', path: '/dev/ttyUSB0', baudRate: 115_200 }],
    ['escpos+serial:COM3@19200', { link: 'serial', path: 'COM3', baudRate: 19_200 }],
    ['escpos+usb:/dev/usb/lp0', { link: 'usb', path: '/dev/usb/lp0' }],
    ['tcp://192.168.1.50:9100', { link: 'tcp', host: '192.168.1.50', port: 9100 }],
    ['192.168.1.50', { link: 'tcp', host: '192.168.1.50', port: 9100 }],
    ['usb:/dev/usb/lp0', { link: 'usb', path: '/dev/usb/lp0' }],
  ] as const;
  test.each(rows)('%s', (text, address) => {
    expect(parsePrinterAddress(text)).toEqual(address);
  });

  test.each([
    '',
    'lp0',
    'usb:/etc/passwd',
    'usb:/dev/usb/lp0/../../sda',
    'escpos+usb:/etc/passwd',
    'escpos+usb:/dev/usb/lp0/../../sda',
    'escpos+hid:04B8:0202',
    'mpi+tcp://127.0.0.1:9100',
    'escpos+tcp://x:99999',
    'http://x/',
    'escpos+tcp://x:9100\n',
  ])('%j is none', (text) => {
    expect(() => parsePrinterAddress(text)).toThrow(expect.objectContaining({ code: 'printer.address' }));
  });
});
