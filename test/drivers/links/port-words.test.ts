/** Why a serial port does not open, or broke, from the library's messages on each system. */
import { expect, test } from 'vitest';
import { explainLoss, explainOpen, isGone } from '../../../drivers/links/port-words.ts';

const missing = 'there is no such port; is the terminal plugged in?';
const busy = 'another program holds the port';
const silent = /does not answer; is it switched on/;
const failed = 'its driver failed; unplug the device and plug it in again';
const noPort = 'it is not a serial port';

test.each<[string, string | RegExp]>([
  ['Opening COM3: File not found', missing],
  ['Opening COM3: Unknown error code 3', missing],
  ['Opening COM3: Unknown error code 433', missing],
  ['Opening COM3: Unknown error code 1167', missing],
  ['Opening COM3: Access denied', busy],
  ['Opening COM3: Unknown error code 32', busy],
  ['Opening COM3: Unknown error code 170', busy],
  ['Opening COM7: Unknown error code 121', silent],
  ['Opening COM7: Unknown error code 21', silent],
  ['Opening COM3: Unknown error code 31', failed],
  ['Open (GetCommState): Unknown error code 22', failed],
  ['Open (SetCommState): Operation aborted', failed],
  ['Open (SetCommState): The parameter is incorrect', /does not take the speed/],
  ['Open (SetCommTimeouts): The parameter is incorrect 87', /does not take the speed/],
  ['Open (GetCommState): Invalid handle', noPort],
  ['Open (GetCommState): Unknown error code 1', noPort],
  // An unlisted error keeps its number, so that it can be looked up.
  ['Opening COM3: Unknown error code 1450', 'Opening COM3: Unknown error code 1450'],
  ['Error: No such file or directory, cannot open /dev/ttyACM9', missing],
  ['Error Resource temporarily unavailable Cannot lock port', busy],
  ['Error: Permission denied, cannot open /dev/ttyACM0', /may not use it; install the rule/],
])('“%s” is said as %s', async (text, message) => {
  expect(await explainOpen(new Error(text), '/nowhere/COM3')).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
});

const lines = 'Getting control settings on COM port (GetCommModemStatus)';

test.each([
  `${lines}: Access denied`,
  `${lines}: Invalid handle`,
  `${lines}: Unknown error code 22`,
  `${lines}: Unknown error code 31`,
  `${lines}: Unknown error code 433`,
  `${lines}: Unknown error code 1167`,
  `${lines}: Unknown error code 1617`,
  'Writing to COM port (GetOverlappedResult): Operation aborted',
  'Error: Input/output error, cannot get',
  'Error: No such device, cannot get',
])('an open port that says “%s” was unplugged', (text) => {
  expect(isGone(new Error(text))).toBe(true);
  expect(explainLoss(new Error(text))).toBe('it was unplugged');
});

test.each([
  // From drivers that do not support modem lines.
  `${lines}: Unknown error code 1`,
  `${lines}: Unknown error code 50`,
  `${lines}: The parameter is incorrect`,
  `${lines}: Unknown error code 121`,
  'Error: Inappropriate ioctl for device, cannot get',
])('an open port that says “%s” can still be there', (text) => {
  expect(isGone(new Error(text))).toBe(false);
  expect(explainLoss(new Error(text))).toBe(text);
});
