import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import { encodeSlip, slipFrameMax, slipFramer, slipInfo } from '../../../drivers/framing/mms-frame.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { captured } from '../mms/captures.ts';

const createReader = () => cutter(slipFramer, slipFrameMax(1_000));
const describePieces = (pieces: ReturnType<ReturnType<typeof createReader>['push']>) =>
  pieces.map((piece) =>
    piece.kind === 'noise'
      ? `noise ${toHex(piece.bytes)}: ${piece.why}`
      : `${piece.frame.info} ${toHex(piece.frame.message)}${piece.frame.most === undefined ? '' : ` most ${piece.frame.most}`}`,
  );

describe('captured frames', () => {
  test.each([
    ['slip.echo.req', 0, 'AA0081040101DF018407DF018103010203'],
    ['slip.echo.escaped.req', 0, 'AA0081040102DF018406DF018102C0DB'],
  ])('%s', (name, info, message) => {
    expect(describePieces(createReader().push(captured(name)))).toEqual([`${info} ${message}`]);
    expect(toHex(encodeSlip({ info, message: fromHex(message) }))).toBe(toHex(captured(name)));
  });

  test('the longest accepted message', () => {
    expect(describePieces(createReader().push(captured('slip.toolong.resp')))).toEqual(['3  most 4096']);
    expect(toHex(encodeSlip({ info: slipInfo.tooLong, message: new Uint8Array(0), most: 4_096 }))).toBe(
      'C00300001000C0',
    );
  });
});

test('any messages come back, however the bytes are split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      (all, n) => {
        const frames = all.map((message) => encodeSlip({ info: 2, message }));
        const bytes = Uint8Array.from(frames.flatMap((frame) => [...frame]));
        const slipReader = createReader();
        const received = [];
        for (let offset = 0; offset < bytes.length; offset += n)
          received.push(...slipReader.push(bytes.subarray(offset, offset + n)));
        expect(describePieces(received)).toEqual(all.map((message) => `2 ${toHex(message)}`));
        expect(slipReader.size()).toBe(0);
      },
    ),
  );
});

test.each([
  ['bytes before a frame', '0102C00000000001AAC0', ['noise 0102: no frame starts with this byte', '0 AA']],
  ['an additional END', 'C0C00000000001AAC0', ['noise C0: an empty frame', '0 AA']],
  [
    'a frame cut off by the next',
    'C00000000005AAC00000000001AAC0',
    ['noise C00000000005AA: its length is not what it declares', '0 AA'],
  ],
  [
    'a broken escape',
    'C000DB00000001AAC00000000001BBC0',
    ['noise C000DB00000001AA: an escape or the length is broken', '0 BB'],
  ],
  ['an escape at the end', 'C00000000001DBC0', ['noise C00000000001DB: an escape or the length is broken']],
  ['too short for a length', 'C00000C0', ['noise C00000: an escape or the length is broken']],
])('%s', (_, bytes, pieces) => {
  expect(describePieces(createReader().push(fromHex(bytes)))).toEqual(pieces);
});

test('no bytes crash the reader, none are lost, and it holds a bounded number of them', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (portions) => {
      const slipReader = cutter(slipFramer, slipFrameMax(100));
      for (const portion of portions) {
        slipReader.push(portion);
        expect(slipReader.size()).toBeLessThanOrEqual(slipFrameMax(100));
      }
    }),
  );
});
