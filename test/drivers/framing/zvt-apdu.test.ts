/** ZVT's bare APDUs: cut the same however they arrive, long lengths, no crash on anything. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import {
  decodeZvtApdu,
  encodeZvtApdu,
  type ZvtApdu,
  zvtApduFramer,
  zvtApduMax,
  zvtDataMax,
} from '../../../drivers/framing/zvt-frame.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { apduCaptures } from '../zvt/captures.ts';

const apdus = fc.record({
  code: fc.constantFrom('040F', '04FF', '060F', '0601', '06D1', '8000', '8483'),
  data: fc.uint8Array({ maxLength: 600 }),
});

test.each(apduCaptures.filter(({ name }) => name !== 'status.AbortViaTimeout').map(({ name, hex }) => [name, hex]))(
  'the capture %s is one APDU, and is written unchanged',
  (_name, hex) => {
    expect(toHex(encodeZvtApdu(decodeZvtApdu(fromHex(hex))))).toBe(hex);
  },
);

test('the truncated capture is not a message', () => {
  const short = apduCaptures.find(({ name }) => name === 'status.AbortViaTimeout');
  expect(() => decodeZvtApdu(fromHex(short?.hex ?? ''))).toThrow('not a valid answer');
});

test.each([
  [254, '06D3FE'],
  [255, '06D3FFFF00'],
  [256, '06D3FF0001'],
  [1_648, '06D3FF7006'],
])('a length of %i', (length, head) => {
  const bytes = encodeZvtApdu({ code: '06D3', data: new Uint8Array(length) });
  expect(toHex(bytes.subarray(0, head.length / 2))).toBe(head);
  expect(decodeZvtApdu(bytes).data.length).toBe(length);
});

test('an APDU that is too long is refused when written and noise when read', () => {
  expect(() => encodeZvtApdu({ code: '06D3', data: new Uint8Array(zvtDataMax + 1) })).toThrow('not a valid answer');
  expect(zvtApduFramer(fromHex('06D3FFFFFF'))).toMatchObject({ kind: 'noise', size: 1 });
});

test('any split and any merging gives the same APDUs', () => {
  fc.assert(
    fc.property(fc.array(apdus, { maxLength: 6 }), fc.array(fc.nat(40), { maxLength: 40 }), (list, cuts) => {
      const stream = concat(...list.map(encodeZvtApdu));
      const cut = cutter(zvtApduFramer, zvtApduMax);
      const received: ZvtApdu[] = [];
      let offset = 0;
      for (const size of [...cuts, stream.length]) {
        for (const piece of cut.push(stream.slice(offset, offset + size)))
          if (piece.kind === 'frame') received.push(piece.frame);
        offset = Math.min(stream.length, offset + size);
      }
      expect(received.map(({ code, data }) => code + toHex(data))).toEqual(
        list.map(({ code, data }) => code + toHex(data)),
      );
    }),
  );
});

test('no bytes crash the cutter or make it hold more than one APDU', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (portions) => {
      const cut = cutter(zvtApduFramer, zvtApduMax);
      for (const portion of portions) cut.push(portion);
      while (cut.size() > 0) cut.skip();
      expect(cut.size()).toBe(0);
    }),
  );
});
