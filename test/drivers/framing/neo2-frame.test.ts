/** NEO 2 frames: every captured one, damage, and any split of any bytes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import {
  decodeNeo2Frame,
  encodeNeo2Frame,
  type Neo2Frame,
  type Neo2Framing,
  neo2Crc,
  neo2FrameMax,
  neo2Framer,
  wrongCrc,
} from '../../../drivers/framing/neo2-frame.ts';
import { fromHost, fromReader } from '../../../drivers/neo2/protocol/commands.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { captured, frames } from '../neo2/captures.ts';

const framingOf = (direction: string): Neo2Framing => (direction === 'host->device' ? fromHost : fromReader);

test('the vector file contains the frames of these tests', () => {
  expect(frames.length).toBeGreaterThanOrEqual(36);
});

test.each(frames.map((each) => [each.name, each] as const))('%s decodes, and encodes to the same bytes', (_, each) => {
  const framing = framingOf(each.direction);
  const frame = decodeNeo2Frame(fromHex(each.hex), framing);
  expect(toHex(encodeNeo2Frame(frame, framing))).toBe(each.hex);
});

test('the worked example of the checksum, and its order by direction', () => {
  expect(neo2Crc(captured('crc.kb').subarray(0, -2))).toBe(0x72e2);
  // The same bytes in the other direction are not a frame.
  expect(() => decodeNeo2Frame(captured('serial.req'), fromReader)).toThrow('not a valid answer');
});

test('a ViVOpayV3 answer has sub-command and status', () => {
  const frame = decodeNeo2Frame(captured('v3.contact.02-06.encAES.pinISO4.resp'), fromReader);
  expect(frame).toMatchObject({ header: 'ViVOpayV3', command: 0x02, sub: 0x06, status: 0 });
  expect(frame.data.length).toBe(0x1f7);
});

describe('the byte order of the checksum depends on the command', () => {
  test.each([
    [0x2c, 0x02, true],
    [0x0b, 0x55, true],
    [0xc7, 0x51, true],
    [0x19, 0x16, true],
    [0x2c, 0x18, false],
    [0x60, 0x11, false],
  ])('%i-%i high byte first: %s', (command, sub, high) => {
    const bytes = encodeNeo2Frame({ header: 'ViVOtech2', command, sub, data: Uint8Array.of(1) }, fromHost);
    const crc = neo2Crc(bytes.subarray(0, -2));
    expect([...bytes.subarray(-2)]).toEqual(high ? [crc >> 8, crc & 0xff] : [crc & 0xff, crc >> 8]);
    expect(decodeNeo2Frame(bytes, fromHost)).toMatchObject({ command, sub });
  });
});

test('a reader’s request has its checksum low byte first, the host’s answer high byte first', () => {
  const request: Neo2Frame = { header: 'ViVOtech2', command: 0x61, status: 0x01, data: new Uint8Array(5) };
  const bytes = encodeNeo2Frame(request, fromReader);
  const crc = neo2Crc(bytes.subarray(0, -2));
  expect([...bytes.subarray(12, 14), ...bytes.subarray(-2)]).toEqual([0, 5, crc & 0xff, crc >> 8]);
  expect(decodeNeo2Frame(bytes, fromReader).data.length).toBe(5);
  const upcallAnswer = { header: 'ViVOtech2', command: 0x61, sub: 0x01, data: new Uint8Array(5) } as const;
  const encodedAnswer = encodeNeo2Frame(upcallAnswer, fromHost);
  const high = neo2Crc(encodedAnswer.subarray(0, -2));
  expect([...encodedAnswer.subarray(12, 14), ...encodedAnswer.subarray(-2)]).toEqual([0, 5, high >> 8, high & 0xff]);
  expect(decodeNeo2Frame(encodedAnswer, fromHost)).toEqual(upcallAnswer);
});

test.each([
  ['its length low byte first', [5, 0], 'low'],
  ['its checksum as in other answers', [0, 5], 'high'],
] as const)('a reader’s request with %s is read too', (_, length, order) => {
  const request: Neo2Frame = { header: 'ViVOtech2', command: 0x61, status: 0x01, data: new Uint8Array(5) };
  const bytes = encodeNeo2Frame(request, fromReader);
  const swapped = concat(bytes.subarray(0, 12), Uint8Array.from(length), bytes.subarray(14, -2));
  const crc = neo2Crc(swapped);
  const tail = order === 'high' ? [crc >> 8, crc & 0xff] : [crc & 0xff, crc >> 8];
  expect(decodeNeo2Frame(concat(swapped, Uint8Array.from(tail)), fromReader).data.length).toBe(5);
});

test('only the frame itself shows whether it is a reader’s request', () => {
  // In a reader's ViVOtech2 frame that byte is the status: there is no sub-command.
  const frame: Neo2Frame = { header: 'ViVOtech2', command: 0x61, sub: 1, status: 0, data: new Uint8Array(5) };
  const bytes = encodeNeo2Frame(frame, fromReader);
  const crc = neo2Crc(bytes.subarray(0, -2));
  expect([...bytes.subarray(-2)]).toEqual([crc >> 8, crc & 0xff]);
});

test('damage is noise up to the next possible header, and the next frame is found', () => {
  const good = captured('ping.resp');
  const broken = good.map((byte, index) => (index === 15 ? byte ^ 1 : byte));
  const pieces = cutter(neo2Framer(fromReader), neo2FrameMax).push(concat(broken, fromHex('00FF'), good));
  expect(pieces.map((piece) => (piece.kind === 'noise' ? piece.why : 'frame'))).toEqual([
    wrongCrc,
    'no frame begins so',
    'frame',
  ]);
});

test('an impossible length is not waited for', () => {
  const start = fromHex('5669564F7465636832000200FFFF');
  expect(neo2Framer(fromReader)(start)).toMatchObject({ kind: 'noise' });
});

const anyFrame = fc.record({
  header: fc.constantFrom('ViVOtech2' as const, 'ViVOpayV2' as const, 'ViVOpayV3' as const),
  command: fc.integer({ min: 0, max: 255 }),
  sub: fc.integer({ min: 0, max: 255 }),
  status: fc.integer({ min: 0, max: 255 }),
  data: fc.uint8Array({ maxLength: 300 }),
});

test.each([
  ['host', fromHost],
  ['reader', fromReader],
] as const)('however frames of the %s are cut, the same ones come out', (_, framing) => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      (list, sizes) => {
        const encoded = list.map((frame) => encodeNeo2Frame(frame, framing));
        const bytes = concat(...encoded);
        const frames = cutter(neo2Framer(framing), neo2FrameMax);
        const received: string[] = [];
        for (let offset = 0, turn = 0; offset < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          for (const piece of frames.push(bytes.subarray(offset, offset + size))) {
            received.push(piece.kind === 'noise' ? piece.why : toHex(encodeNeo2Frame(piece.frame, framing)));
          }
          offset += size;
        }
        expect(received).toEqual(encoded.map(toHex));
        expect(frames.size()).toBe(0);
      },
    ),
  );
});

test('no bytes crash the framer, and none are lost', () => {
  const start = Buffer.from('ViVOtech2\0');
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(start)), { maxLength: 6 }), (parts) => {
      const frames = cutter(neo2Framer(fromReader), neo2FrameMax);
      const bytes = concat(...parts);
      const pieces = frames.push(bytes);
      const totals = pieces.reduce(
        (sum, piece) => sum + (piece.kind === 'noise' ? piece.bytes.length : 16 + piece.frame.data.length),
        0,
      );
      expect(totals + frames.size()).toBe(bytes.length);
    }),
  );
});
