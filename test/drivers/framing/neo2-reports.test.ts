/** NEO 2 frames in HID reports: the captured ones, ignored reports, and any frame there and back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeNeo2Frame, neo2ReportsOf, neo2Unpacker } from '../../../drivers/framing/neo2-frame.ts';
import { fromHost, fromReader } from '../../../drivers/neo2/protocol/commands.ts';
import { concat, toHex } from '../../../src/base/hex.ts';
import { captured, captures } from '../neo2/captures.ts';

const reports = (name: string): Uint8Array[] =>
  captures.filter((each) => each.name.startsWith(`hid.${name}.report`)).map((each) => captured(each.name));

test('a short command is one report', () => {
  expect(neo2ReportsOf(captured('serial.req')).map(toHex)).toEqual(reports('serial.req').map(toHex));
});

test('the captured answer of five reports, there and back', () => {
  const frame = captured('modules.resp');
  expect(neo2ReportsOf(frame).map(toHex)).toEqual(reports('modules.resp').map(toHex));
  // All at once, as a link may deliver them.
  expect(toHex(concat(...neo2Unpacker('reader').push(concat(...reports('modules.resp')))))).toBe(toHex(frame));
});

test('a frame of 64 bytes has one byte in its second report', () => {
  const bytes = concat(...reports('mifare64.resp').flatMap((report) => neo2Unpacker('reader').push(report)));
  const whole = concat(...neo2Unpacker('reader').push(concat(...reports('mifare64.resp'))));
  expect(whole.length).toBe(64);
  expect(bytes.length).toBe(63);
});

test('unknown report ids and continuations of nothing are ignored', () => {
  const [report = new Uint8Array(64)] = reports('serial.req');
  const withId = (id: number) => report.map((byte, index) => (index === 0 ? id : byte));
  const unpacker = neo2Unpacker('host');
  for (const id of [0, 3, 4, 5, 255]) expect(unpacker.push(withId(id))).toEqual([]);
  expect(toHex(concat(...unpacker.push(report)))).toBe(toHex(captured('serial.req')));
});

test.each([
  ['host', fromHost],
  ['reader', fromReader],
] as const)('any frame of the %s comes out unchanged, trailing zeros included', (from, framing) => {
  const anyData = fc.uint8Array({ maxLength: 400 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(0x02, 0x60, 0x61), anyData), { maxLength: 3 }), (list) => {
      const unpacker = neo2Unpacker(from);
      for (const [command, data] of list) {
        const frame = encodeNeo2Frame({ header: 'ViVOtech2', command, sub: 1, status: 1, data }, framing);
        const came = concat(...neo2ReportsOf(frame).flatMap((report) => unpacker.push(report)));
        expect(toHex(came)).toBe(toHex(frame));
      }
    }),
  );
});
