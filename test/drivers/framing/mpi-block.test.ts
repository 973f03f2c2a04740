/** The block layer against captured bytes, and against generated ones. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import {
  decodeMpiBlock,
  encodeMessage,
  encodeMpiBlock,
  messageMax,
  mpiBlockFramer,
  mpiBlockMax,
  mpiReader,
} from '../../../drivers/mpi/protocol/messages.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { captured, captures } from '../mpi/captures.ts';

const blocks = captures.filter(({ name, kind }) => kind !== 'negative' && !name.endsWith('.tlv'));
const negatives = captures.filter(({ kind }) => kind === 'negative');

test('there are captures to test with', () => {
  expect([blocks.length, negatives.length]).toEqual([33, 5]);
});

test.each(blocks)('$name decodes, and encodes to the same bytes', ({ hex }) => {
  const block = decodeMpiBlock(fromHex(hex));
  expect(toHex(encodeMpiBlock(block))).toBe(hex);
});

test.each(negatives)('$name is refused', ({ hex }) => {
  expect(() => decodeMpiBlock(fromHex(hex))).toThrow(expect.objectContaining({ code: 'terminal.garbled' }));
  const pieces = cutter(mpiBlockFramer, mpiBlockMax).push(fromHex(hex));
  expect(pieces.filter(({ kind }) => kind === 'frame')).toEqual([]);
});

test.each([
  ['010002900093', { nad: 1, more: false, unsolicited: false, body: '9000' }],
  ['01010610111213900096', { nad: 1, more: true, unsolicited: false, body: '101112139000' }],
  ['014006101112139000D7', { nad: 1, more: false, unsolicited: true, body: '101112139000' }],
  ['014106101112139000D6', { nad: 1, more: true, unsolicited: true, body: '101112139000' }],
])('decodes the bits of %s', (hex, expected) => {
  const block = decodeMpiBlock(fromHex(hex));
  expect({ ...block, body: toHex(block.body) }).toEqual(expected);
});

test('a chained answer is one message', () => {
  const reader = mpiReader();
  const first = reader.push(captured('startTxn.resp.e4.block1/2'));
  const [message] = reader.push(captured('startTxn.resp.e4.block2/2'));
  expect(first).toEqual([]);
  expect(message).toMatchObject({ kind: 'message', unsolicited: false, nad: 1 });
  expect(message?.kind === 'message' && toHex(message.body).slice(0, 8)).toBe('E4820130');
  expect(message?.kind === 'message' && toHex(encodeMessage(message.body))).toBe(
    toHex(concat(captured('startTxn.resp.e4.block1/2'), captured('startTxn.resp.e4.block2/2'))),
  );
});

const bodies = fc.array(fc.uint8Array({ minLength: 2, maxLength: 600 }), { minLength: 1, maxLength: 4 });

test('any messages, however split, come out as they went in', () => {
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(300), { maxLength: 20 }), (expected, cuts) => {
      const reader = mpiReader();
      let rest = concat(...expected.map((body) => encodeMessage(body)));
      const pieces = [];
      for (const cut of cuts) {
        pieces.push(...reader.push(rest.subarray(0, cut)));
        rest = rest.subarray(cut);
      }
      pieces.push(...reader.push(rest));
      expect(pieces.map((piece) => (piece.kind === 'message' ? toHex(piece.body) : 'noise'))).toEqual(
        expected.map((body) => toHex(body)),
      );
      expect(reader.size()).toBe(0);
    }),
  );
});

test('random bytes: none are lost, nothing crashes, few are held', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 12 }), (chunks) => {
      const blocksOf = cutter(mpiBlockFramer, mpiBlockMax);
      let out = 0;
      for (const chunk of chunks) {
        for (const piece of blocksOf.push(chunk)) {
          out += piece.kind === 'noise' ? piece.bytes.length : piece.frame.body.length + 4;
        }
        expect(blocksOf.size()).toBeLessThan(mpiBlockMax);
      }
      expect(out + blocksOf.size()).toBe(chunks.reduce((sum, { length }) => sum + length, 0));
    }),
  );
});

test('a chain without end is given up at its bound', () => {
  const reader = mpiReader();
  const link = encodeMpiBlock({ nad: 1, more: true, unsolicited: false, body: new Uint8Array(254) });
  const noise = [];
  for (let index = 0; index < 1_000; index += 1) {
    noise.push(...reader.push(link));
    expect(reader.size()).toBeLessThanOrEqual(messageMax);
  }
  expect(noise.length).toBeGreaterThan(0);
  expect(noise.every(({ kind }) => kind === 'noise')).toBe(true);
});
