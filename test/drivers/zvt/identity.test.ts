/** The identity that a ZVT terminal reports, by which a payment is reversed on the right device. */
import { expect, test } from 'vitest';
import { readAbout } from '../../../drivers/zvt/protocol/health.ts';
import { fromHex } from '../../../src/base/hex.ts';

/** The end of a status enquiry: version, state, and the device's information. */
const status = (serial: string, statusByte = '00'): Uint8Array => {
  const number = `1F42${(serial.length / 2).toString(16).padStart(2, '0')}${serial}`;
  const device = `E4${(number.length / 2).toString(16).padStart(2, '0')}${number}`;
  return fromHex(`${statusByte}06${(device.length / 2).toString(16).padStart(2, '0')}${device}`);
};

test.each([
  ['digits, two per byte', '17000001', '17000001'],
  // Two bytes of each are not letters, and the remaining letters would be the same.
  ['digits that look like letters in part', '17043663', '17043663'],
  ['and of another device', '18053663', '18053663'],
  ['text', '414243', 'ABC'],
  ['text followed by a space', '4142433132332020', 'ABC123'],
])('a serial number as %s', (_name, sent, serial) => {
  expect(readAbout(status(sent))).toMatchObject({ serial, state: '00' });
});

test('a software version before the state is neither state nor device', () => {
  const version = `F0F0F4${Buffer.from('1.02').toString('hex')}`;
  expect(readAbout(status('17000001', `${version}00`))).toMatchObject({ serial: '17000001', state: '00' });
  expect(readAbout(status('17000001', 'F0'))).toMatchObject({ serial: '17000001', state: 'F0' });
});

test('any state alone', () => {
  for (const state of ['00', '51', '62', '9C', '9D', 'C2', 'CC', 'DC', 'DF', 'E1', 'F0', 'F6'])
    expect(readAbout(fromHex(state))).toEqual({ state });
});
