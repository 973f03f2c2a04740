/** The scan finds every documented encoding of card data, at the right place, and nothing else. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scanForCardData } from './leak-scan.ts';

const PAN = '4761739001010010';
const TRACK = '4761739001010010=22122011143804400000';
const PIN_BLOCK = '041274EDCBA9876F';
const needles = [PAN, TRACK, PIN_BLOCK];

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'leak-scan-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const found = (bytes: Uint8Array | string) => {
  writeFileSync(join(root, 'file'), bytes);
  return scanForCardData({ roots: [root], needles }).map(({ offset, needle, encoding }) => [offset, needle, encoding]);
};

const bcd = (digits: string) => Buffer.from(digits, 'hex');
const base64 = (shift: number, data: Uint8Array) =>
  Buffer.concat([Buffer.from('xy'.slice(0, shift)), data, Buffer.from('tail')]).toString('base64');
const [P, T, B] = [0, 1, 2];

describe('planted data is found', () => {
  const rows: [string, Uint8Array | string, [number, number, string]][] = [
    ['a card number in a log', `pan=${PAN};`, [4, P, 'ascii']],
    ['in groups', 'card 4761 7390 0101 0010', [5, P, 'ascii']],
    ['with dashes', '4761-7390-0101-0010', [0, P, 'ascii']],
    ['little endian UTF-16', Buffer.from(`..${PAN}`, 'utf16le'), [4, P, 'utf16le']],
    ['big endian UTF-16', Buffer.from(`..${PAN}`, 'utf16le').swap16(), [4, P, 'utf16be']],
    ['hex of text', Buffer.from(PAN).toString('hex'), [0, P, 'hex']],
    ['BCD', Buffer.concat([bcd('5A08'), bcd(PAN)]), [2, P, 'bcd']],
    ['BCD from an odd nibble', bcd(`0${PAN}F`), [1, P, 'bcd']],
    ['base64, first place', base64(0, Buffer.from(PAN)), [0, P, 'base64']],
    ['base64, second place', base64(1, Buffer.from(PAN)), [2, P, 'base64']],
    ['base64, third place', base64(2, Buffer.from(PAN)), [3, P, 'base64']],
    ['base64 of BCD', base64(1, bcd(PAN)), [2, P, 'base64']],
    ['a PIN block in lower case', PIN_BLOCK.toLowerCase(), [0, B, 'ascii']],
    ['a PIN block as bytes', bcd(`00${PIN_BLOCK}00`), [1, B, 'bcd']],
    ['a PIN block, hex of its hex', Buffer.from(PIN_BLOCK).toString('hex').toUpperCase(), [0, B, 'hex']],
    ['a PIN block in base64', base64(2, bcd(PIN_BLOCK)), [3, B, 'base64']],
  ];
  test.each(rows)('%s', (_, bytes, expected) => {
    expect(found(bytes)).toContainEqual(expected);
  });

  test.each([
    ['as text', `;${TRACK}?`, 1],
    ['with D, as hex', `57${TRACK.replace('=', 'd')}`, 2],
    ['in a form body', TRACK.replace('=', '%3D'), 0],
    ['packed as tag 57', bcd(`5713${TRACK.replace('=', 'D')}F`), 2],
  ])('a track %s', (_, bytes, offset) => {
    expect(found(bytes)).toContainEqual([offset, T, typeof bytes === 'string' ? 'ascii' : 'bcd']);
  });

  test('finds each occurrence, across the chunks in which a file is read', () => {
    const chunk = 1 << 20;
    const file = Buffer.alloc(2 * chunk + 100, '.');
    const places = [0, chunk - 16, chunk - 8, chunk + 8, 2 * chunk - 1, 2 * chunk + 84];
    const separate = places.filter((place, index) => place - (places[index - 1] ?? -16) >= 16);
    for (const place of separate) file.write(PAN, place);
    expect(found(file).map(([offset]) => offset)).toEqual(separate);
    expect(separate.length).toBe(5);
  });

  test('finds it at any place, after any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom<BufferEncoding>('latin1', 'utf16le'),
        (noise, title) => {
          expect(found(Buffer.concat([noise, Buffer.from(PAN, title)]))).toContainEqual(
            expect.arrayContaining([noise.length, P]),
          );
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a number of almost only zeros, in a SQLite file', () => {
  const zeros = '4200000000000000';
  /** Adds rows until a page's last cell pointer ends in one of the two bytes that the number can be packed as. */
  const database = () => {
    const file = join(root, 'some.db');
    const created = new Database(file);
    created.exec('CREATE TABLE one (a TEXT); CREATE TABLE two (b BLOB)');
    return { created, file };
  };
  const scan = () => scanForCardData({ roots: [root], needles: [zeros] });

  test('is not reported at the end of the cell pointers, in the file and in its write-ahead log', () => {
    const { created, file } = database();
    created.pragma('journal_mode = WAL');
    const bytes = () => Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]);
    const insert = created.prepare('INSERT INTO one VALUES (?)');
    let chances = 0;
    for (let n = 0; n < 400; n++) {
      insert.run('x'.repeat(1 + (n % 90)));
      if (n % 20 === 0) created.pragma('wal_checkpoint');
      const isChance = bytes().includes(Buffer.from('20000000000000', 'hex'));
      if (isChance) chances += 1;
      // Where no such bytes occur there is nothing to mistake, so a few of these are enough.
      if (isChance || n % 20 === 0) expect(scan()).toEqual([]);
    }
    expect(chances).toBeGreaterThan(0);
    created.close();
  });

  test('is not reported where a long row ends on its own page, but is in the middle of one', () => {
    const { created, file } = database();
    const row = (...bytes: readonly number[]) => Buffer.concat([Buffer.alloc(4_180, 0x77), Buffer.from(bytes)]);
    const insert = created.prepare('INSERT INTO two VALUES (?)');
    insert.run(row(0x42));
    expect(readFileSync(file).includes(Buffer.from(zeros, 'hex'))).toBe(true);
    expect(scan()).toEqual([]);
    insert.run(row(...Buffer.from(zeros, 'hex'), 0x77));
    expect(scan().map(({ encoding }) => encoding)).toEqual(['bcd']);
    created.close();
  });

  test('is not reported where it is the size of a free block', () => {
    const { created, file } = database();
    created.pragma('secure_delete = ON');
    const insert = created.prepare('INSERT INTO two VALUES (?)');
    let chances = 0;
    for (let size = 50; size < 80; size++) {
      for (const row of [10, size, 10]) insert.run(Buffer.alloc(row, 0x77));
      created.exec('DELETE FROM two WHERE rowid = (SELECT max(rowid) - 1 FROM two)');
      if (/00(42|20)(00){20}/.test(readFileSync(file).toString('hex'))) chances += 1;
      expect(scan()).toEqual([]);
    }
    expect(chances).toBeGreaterThan(0);
    created.close();
  });

  test.each([
    ['OFF', ['a', 'b'], 'begins the list of unused pages'],
    ['ON', ['b', 'a'], 'was cleared'],
  ])('is not reported at a page’s end before an unused page (secure_delete %s, drops %j: %s)', (secure, dropsTable) => {
    const file = join(root, 'some.db');
    const created = new Database(file);
    created.pragma(`secure_delete = ${secure}`);
    created.exec('CREATE TABLE one (b BLOB); CREATE TABLE a (t TEXT); CREATE TABLE b (t TEXT)');
    created.prepare('INSERT INTO one VALUES (?)').run(Buffer.alloc(300, 0x42));
    created.exec("INSERT INTO a VALUES ('old')");
    for (const table of dropsTable) created.exec(`DROP TABLE ${table}`);
    expect(readFileSync(file).includes(Buffer.from(zeros, 'hex'))).toBe(true);
    expect(scan()).toEqual([]);
    created.close();
  });

  test('is reported where its first byte ends a page and a long row continues with the rest of it', () => {
    const { created, file } = database();
    // 1.6: of a row of this length, 489 bytes including a header of 4 are in the table's page, and 4,092 on each of two
    // overflow pages.
    const row = Buffer.concat([Buffer.alloc(485 + 4_092, 0x42), Buffer.alloc(4_091), Buffer.from([0x77])]);
    created.prepare('INSERT INTO two VALUES (?)').run(row);
    const offset = readFileSync(file).indexOf(Buffer.from(zeros, 'hex'));
    expect(offset % 4_096).toBe(4_095);
    expect(scan()).toEqual([{ file, offset, needle: 0, encoding: 'bcd' }]);
    created.close();
  });

  test('is reported anywhere else', () => {
    const { created, file } = database();
    created.prepare('INSERT INTO two VALUES (?)').run(Buffer.concat([Buffer.from(zeros, 'hex'), Buffer.alloc(30)]));
    created.prepare('INSERT INTO one VALUES (?)').run(zeros);
    created.close();
    const encodings = scan().map(({ file: foundIn, encoding }) => [foundIn === file, encoding]);
    expect(encodings).toContainEqual([true, 'bcd']);
    expect(encodings).toContainEqual([true, 'ascii']);
  });
});

test('masked, unrelated and truncated numbers are not reported', () => {
  expect(found('476173******0010 4761739001010011 476173900101001 761739001010010 1234')).toEqual([]);
});

test('names and folders are scanned, links and their targets outside are not', () => {
  const inside = join(root, 'a', 'b');
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, 'tail'), `x${PAN}`);
  writeFileSync(join(inside, PAN), '');
  symlinkSync('/proc/self/environ', join(root, 'link'));
  expect(scanForCardData({ roots: [root], needles })).toEqual([
    { file: join(inside, PAN), offset: -1, needle: P, encoding: 'file name' },
    { file: join(inside, 'tail'), offset: 1, needle: P, encoding: 'ascii' },
  ]);
});

test('a search that could find nothing is refused', () => {
  expect(() => scanForCardData({ roots: [root], needles })).toThrow('There is no file below');
  expect(() => scanForCardData({ roots: [join(root, 'absent')], needles })).toThrow('ENOENT');
  writeFileSync(join(root, 'file'), '1234');
  for (const short of ['1234', '48291573', 'AB12CD34EF5', 'a secre'])
    expect(() => scanForCardData({ roots: [root], needles: [short] })).toThrow('too short');
});
