import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoder, type PrintedItem } from '../../../drivers/printers/decoder.ts';
import { healthOf, isAnswer, isConfirmation } from '../../../drivers/printers/printer.ts';
import { concat } from '../../../src/base/hex.ts';
import { drawerPulse, escpos } from '../../../src/receipt/escpos.ts';
import { layout } from '../../../src/receipt/layout.ts';
import { receiptOf } from '../../../src/receipt/receipt.ts';
import { sale } from '../../receipt/sample.ts';

const rows = receiptOf({ ...sale, code: 'ABC' }, { copy: 'customer' });
const drawn = new Map([[0, { bytesAcross: 48, rows: 30, bits: new Uint8Array(48 * 30).fill(0x1b) }]]);
const whole = concat(drawerPulse, escpos(layout(rows, 42), { width: 42, codePage: 'cp858', drawn }));

test('however the bytes are cut, the paper is the same', () => {
  const once = decoder().take(whole);
  expect(new Set(once.map(({ kind }) => kind))).toEqual(new Set(['line', 'raster', 'code', 'feed', 'cut', 'drawer']));
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const reader = decoder();
      const pieces: PrintedItem[] = at.slice(1).flatMap((end, index) => reader.take(whole.subarray(at[index], end)));
      expect(pieces).toEqual(once);
    }),
  );
});

test('no bytes hang or crash the decoder, and an unknown command is noise', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => decoder().take(bytes)).not.toThrow();
    }),
  );
  expect(decoder().take(Uint8Array.of(0x1b, 0x7a, 0x0a))).toMatchObject([
    { kind: 'noise' },
    { kind: 'line', text: 'z' },
  ]);
});

test('every answer is of one kind only, and without answers the health is unknown', () => {
  for (let byte = 0; byte < 256; byte += 1) expect(isAnswer(byte) && isConfirmation(byte)).toBe(false);
  for (const flow of [0x11, 0x13]) expect(isAnswer(flow) || isConfirmation(flow)).toBe(false);
  expect(healthOf([])).toEqual({ state: 'unknown' });
  expect(healthOf([0x12, 0x12, 0x12, 0x12])).toEqual({ state: 'ready' });
  expect(healthOf([0x1a, 0x12, 0x12, 0x12]).state).toBe('error');
  expect(healthOf([0x12, undefined, undefined, 0x72]).state).toBe('paperOut');
});
