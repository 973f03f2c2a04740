/** Text as editors and shells save it: encodings, byte order marks and line ends; and where the input is not text. */
import { expect, test } from 'vitest';
import { NotUnicode, textIn, textPieces } from '../../src/base/text.ts';

const words = '{\n  "name": "Café 東京 😀"\n}\n';
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();

const forms: [string, Uint8Array][] = [
  ['UTF-8', Buffer.from(words)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${words}`)],
  ['UTF-16 of Windows', utf16le(`\uFEFF${words}`)],
  ['big-endian UTF-16', utf16be(`\uFEFF${words}`)],
  ['little-endian UTF-16 without a mark', utf16le(words)],
  ['big-endian UTF-16 without a mark', utf16be(words)],
  ['Windows line ends', Buffer.from(words.replaceAll('\n', '\r\n'))],
  ['line ends of an old Mac', Buffer.from(words.replaceAll('\n', '\r'))],
  ['all of it', utf16le(`\uFEFF${words.replaceAll('\n', '\r\n')}`)],
];

async function* cutIntoPieces(bytes: Uint8Array, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

const joinPieces = async (pieces: AsyncIterable<string>): Promise<string> => {
  let all = '';
  for await (const piece of pieces) all += piece;
  return all;
};

test.each(forms)('%s is read, whole and in pieces of any size', async (_, bytes) => {
  expect(textIn(bytes)).toBe(words);
  for (let size = 1; size < 12; size++) expect(await joinPieces(textPieces(cutIntoPieces(bytes, size)))).toBe(words);
});

test.each([
  ['', ''],
  ['7', '7'],
  ['\r', '\n'],
  ['\uFEFF', ''],
  ['a\uFEFFb', 'a\uFEFFb'],
  ['a\r\r\n\n', 'a\n\n\n'],
  // In a file whose lines end otherwise it is a character, such as one before a spreadsheet's formula.
  ['a\nb\rc\r\nd\r', 'a\nb\rc\nd\r'],
])('%j is read as %j', async (input, text) => {
  expect(textIn(Buffer.from(input))).toBe(text);
  expect(await joinPieces(textPieces(cutIntoPieces(Buffer.from(input), 1)))).toBe(text);
});

test.each<[string, Uint8Array, string]>([
  ['a code page of Windows', Buffer.from('{\r\n"shop": "Café"}', 'latin1'), 'line 2: the byte E9 is not UTF-8'],
  ['one at the end', Buffer.from('Café', 'latin1'), 'line 1: it ends inside a character'],
  ['a single byte', Uint8Array.of(0xe9), 'line 1: it ends inside a character'],
  ['half a character', Buffer.from('a\né').subarray(0, 3), 'line 2: it ends inside a character'],
  ['a code page of Japan', Uint8Array.of(0x61, 0x0a, 0x93, 0x8c, 0x8b, 0x9e, 0x0a), 'line 2: the byte 93 is not UTF-8'],
  ['half of UTF-16', Buffer.concat([utf16le('\uFEFFa\n'), Uint8Array.of(0x61)]), 'line 2: it ends inside a character'],
  ['a lone surrogate', utf16le('\uFEFFa\n\uDC00a'), 'line 2: half a character of UTF-16'],
  ['a program', Buffer.from('MZ\n\u0000\u0003'), 'line 2: a zero byte, which no text has'],
  ['UTF-32', Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 'line 1: a zero byte, which no text has'],
])('%s is refused with its line, as one chunk and as many', async (_, bytes, reason) => {
  expect(() => textIn(bytes)).toThrow(NotUnicode);
  expect(() => textIn(bytes)).toThrow(`${reason}; save the file as UTF-8`);
  for (let size = 1; size < 6; size++)
    await expect(joinPieces(textPieces(cutIntoPieces(bytes, size)))).rejects.toThrow(reason);
});

test('the text before the bad byte is passed on', async () => {
  const input: string[] = [];
  const read = async () => {
    for await (const piece of textPieces(cutIntoPieces(Buffer.from('one\ntwo\nCafé;3', 'latin1'), 100)))
      input.push(piece);
  };
  await expect(read()).rejects.toThrow('line 3: the byte E9');
  expect(input).toEqual(['one\ntwo\nCaf']);
});
