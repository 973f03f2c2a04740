/** ZVT's serial frames: the documented bytes, any split gives the same frames, recovery after a broken one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutter, type FramePiece } from '../../../drivers/framing/framer.ts';
import {
  crc16,
  decodeZvtApdu,
  encodeZvtFrame,
  type ZvtApdu,
  type ZvtFrame,
  zvtFrameMax,
  zvtSerialFramer,
} from '../../../drivers/framing/zvt-frame.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { captured, frameCaptures } from '../zvt/captures.ts';

const framesOf = (...portions: readonly Uint8Array[]): string[] => {
  const cut = cutter(zvtSerialFramer, zvtFrameMax);
  return portions.flatMap((portion) => cut.push(portion).map(describePiece));
};

const describePiece = (piece: FramePiece<ZvtFrame>): string => {
  if (piece.kind === 'noise') return `noise ${toHex(piece.bytes)}`;
  const { frame } = piece;
  return frame.kind === 'apdu' ? `${frame.apdu.code} ${toHex(frame.apdu.data)}` : frame.kind;
};

const apdu = (hex: string): ZvtApdu => decodeZvtApdu(fromHex(hex));

test.each(frameCaptures.map(({ name, hex }) => [name, hex]))('%s is written as documented', (_name, hex) => {
  const [piece] = cutter(zvtSerialFramer, zvtFrameMax).push(fromHex(hex));
  if (piece?.kind !== 'frame' || piece.frame.kind !== 'apdu') throw new Error(`no frame: ${piece?.kind}`);
  expect(toHex(encodeZvtFrame(piece.frame.apdu))).toBe(hex);
});

test('computes the published check value', () => {
  // CRC-16 with this polynomial, reflected, start 0, over 123456789: the catalogued check value 2189.
  expect(crc16(Buffer.from('123456789')).toString(16)).toBe('2189');
});

test('a frame whose end is lost does not swallow the next one', () => {
  const whole = captured('serial.completion');
  expect(framesOf(concat(whole.subarray(0, 4), whole))).toEqual(['broken', '060F ']);
});

test.each([
  ['wrong checksum', '1002060F001003C634', ['broken']],
  ['a DLE alone', '100206100F', ['broken', 'noise 0F']],
  [
    'no message inside',
    toHex(concat(fromHex('1002FF1003'), Uint8Array.of(crc16(fromHex('FF03')) & 0xff, crc16(fromHex('FF03')) >> 8))),
    ['broken'],
  ],
  ['bytes between frames', '06AA15', ['ack', 'noise AA', 'nak']],
  ['DLE without STX', '1003', ['noise 10', 'noise 03']],
])('%s', (_name, hex, expected) => {
  expect(framesOf(fromHex(hex))).toEqual(expected);
});

test('any split gives the same frames, whatever is in them', () => {
  const apdus = fc.record({
    code: fc.constantFrom('040F', '8000', '06D1'),
    data: fc.uint8Array({ maxLength: 300 }).map((data) => data.map((byte) => (byte < 60 ? 0x10 : byte))),
  });
  fc.assert(
    fc.property(fc.array(apdus, { maxLength: 4 }), fc.integer({ min: 1, max: 50 }), (list, size) => {
      const stream = concat(...list.map(encodeZvtFrame));
      const portions = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
        stream.slice(index * size, (index + 1) * size),
      );
      expect(framesOf(...portions)).toEqual(list.map(({ code, data }) => `${code} ${toHex(data)}`));
    }),
  );
});

test('any wrong byte breaks its frame, and the next frame is still read', () => {
  const frame = encodeZvtFrame(apdu('040F06270004001010'.slice(0, 6) + '06270004001010'.slice(2, 14)));
  const next = captured('serial.completion');
  for (let index = 0; index < frame.length; index += 1) {
    const corrupted = frame.map((byte, place) => (place === index ? byte ^ 0x21 : byte));
    const received = framesOf(concat(corrupted, next));
    expect(received).not.toContain(framesOf(frame)[0]);
    expect(received.at(-1)).toBe('060F ');
  }
});

test('no bytes crash the cutter', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 }), (portions) => {
      framesOf(...portions);
    }),
  );
});
