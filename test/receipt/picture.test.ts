import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { paperFonts, runsOf } from '../../src/receipt/fonts.ts';
import { layout } from '../../src/receipt/layout.ts';
import { pictureOf } from '../../src/receipt/picture.ts';
import { rasterise } from '../../src/receipt/raster.ts';

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A grey PNG, black on its left half. */
const png = (width: number, height: number, claimed = { width, height }): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(claimed.width, 0);
  head.writeUInt32BE(claimed.height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width / 2, 0), Buffer.alloc(width / 2, 255)]);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', new Uint8Array(0))]);
};

test('a valid picture is accepted', () => {
  expect(pictureOf(png(64, 32), 'logo.png')).toMatchObject({ width: 64, height: 32 });
});

describe('an invalid picture is refused with the reason', () => {
  const whole = png(64, 32);
  const spoilt = Buffer.from(whole);
  spoilt[45] = (spoilt[45] ?? 0) ^ 0xff;
  const bomb = png(1_000, 4_000, { width: 8, height: 8 });
  const rows: [string, Uint8Array, RegExp][] = [
    ['nothing', new Uint8Array(0), /not a PNG/],
    ['a text', Buffer.from('<svg onload="x"/>'), /not a PNG/],
    ['a JPEG', Buffer.of(0xff, 0xd8, 0xff, 0xe0), /not a PNG/],
    ['only the beginning', whole.subarray(0, 30), /damaged/],
    ['without its end', whole.subarray(0, whole.length - 4), /damaged/],
    ['spoilt', spoilt, /damaged/],
    ['too large', png(2_000, 10), /2000 × 10 dots/],
    ['too many bytes', Buffer.alloc(600_000), /512 KB/],
    ['more data than its size needs', bomb, /damaged/],
  ];
  test.each(rows)('%s', (_, bytes, pattern) => {
    expect(() => pictureOf(bytes, 'logo.png')).toThrow(
      expect.objectContaining({ code: 'printer.picture', message: expect.stringMatching(pattern) }),
    );
  });
});

test('is drawn in its place: black left, white right', async () => {
  const logo = pictureOf(png(80, 40), 'logo.png');
  const [line] = layout([{ kind: 'logo' }], 32);
  if (line === undefined) throw new Error('no line');
  const raster = (await rasterise([[0, line]], { width: 32, rtl: false, logo, fonts: paperFonts() })).get(0);
  expect(raster).toMatchObject({ bytesAcross: 48, rows: 56 });
  const middle = [...(raster?.bits ?? [])].slice(48 * 20, 48 * 21);
  // 384 dots across: the picture of 80 is at 152 to 232.
  expect(middle.map((byte) => (byte === 0 ? '.' : byte === 0xff ? '#' : '?')).join('')).toBe(
    `${'.'.repeat(19)}#####${'.'.repeat(24)}`,
  );
});

test('characters that a printer lacks are drawn, line by line', async () => {
  const lines = layout(
    [{ kind: 'centre', text: 'Žluť' }, { kind: 'blank' }, { kind: 'centre', text: 'Ωμέγα', large: true }],
    42,
  );
  const drawn = await rasterise([...lines.entries()], { width: 42, rtl: false, fonts: paperFonts() });
  const black = [...drawn.values()].map(({ bits }) =>
    bits.reduce((sum, byte) => sum + byte.toString(2).replace(/0/g, '').length, 0),
  );
  expect(black[0]).toBeGreaterThan(100);
  expect(black[1]).toBe(0);
  expect(black[2]).toBeGreaterThan(400);
});

test.each([
  ['Latin', 'Straße İğdır Łódź Ứng dụng'],
  ['Greek', 'Ωμέγα'],
  ['Cyrillic', 'Чек Ґанок Ҡала'],
  ['Arabic', 'إيصال'],
  ['Japanese', '領収書 カード'],
  ['simplified Chinese', '收据 银联'],
  ['Korean', '영수증 카드'],
])('the fonts have each letter of %s, regular and bold', (_, text) => {
  for (const bold of [false, true]) {
    const runs = runsOf(text, { fonts: paperFonts(), bold });
    expect(runs.map(({ text }) => text).join('')).not.toContain('?');
    expect(runs.filter(({ face }) => face.bold !== bold)).toEqual([]);
  }
});
