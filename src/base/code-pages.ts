/** Character tables of receipt printers: which letter each byte above 7F prints, and which number selects it. */

/** One byte per letter, codes 80 to FF. Sources: the public tables of the code pages, by IBM's and Windows' numbers. */
const tables = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  cp858:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
} as const;

/** The code pages that the platform's own decoder supports. */
const platform = { cp866: 'ibm866', cp1250: 'windows-1250', cp1252: 'windows-1252', cp1253: 'windows-1253' } as const;
const otherPlatform = { cp1254: 'windows-1254', cp1257: 'windows-1257' } as const;

/** Two bytes per letter beyond ASCII. */
const twoBytes = { gb18030: 'gb18030', big5: 'big5', shiftjis: 'shift_jis', ksc5601: 'euc-kr' } as const;

/** The argument of `ESC t` for Epson's printers and compatible ones. Source: Epson, ESC/POS reference. */
const numbers = {
  cp437: 0,
  cp850: 2,
  cp1252: 16,
  cp866: 17,
  cp852: 18,
  cp858: 19,
  cp1250: 45,
  cp1253: 47,
  cp1254: 48,
  cp1257: 51,
} as const;

export type SingleBytePage = keyof typeof numbers;
export type TwoBytePage = keyof typeof twoBytes;
export type CodePage = SingleBytePage | TwoBytePage;

export const codePages = [
  ...(Object.keys(numbers) as SingleBytePage[]),
  ...(Object.keys(twoBytes) as TwoBytePage[]),
] as const;

export const isCodePage = (name: string): name is CodePage => (codePages as readonly string[]).includes(name);
export const isTwoByte = (page: CodePage): page is TwoBytePage => Object.hasOwn(twoBytes, page);
export const numberOfPage = (page: SingleBytePage): number => numbers[page];
export const pageOfNumber = (number: number): SingleBytePage | undefined =>
  (Object.keys(numbers) as SingleBytePage[]).find((page) => numbers[page] === number);

const mapsByPage = new Map<CodePage, Map<string, readonly number[]>>();

const lettersOf = (page: SingleBytePage): string[] => {
  if (Object.hasOwn(tables, page)) return [...tables[page as keyof typeof tables]];
  const label = { ...platform, ...otherPlatform }[page as keyof typeof platform | keyof typeof otherPlatform];
  const decoder = new TextDecoder(label);
  // Bytes that Windows leaves undefined decode to control characters, which no printer should receive.
  return Array.from({ length: 128 }, (_, i) => decoder.decode(Uint8Array.of(0x80 + i)).replace(/\p{C}/u, '\ufffd'));
};

const pairsOf = (page: TwoBytePage): [string, readonly number[]][] => {
  const decoder = new TextDecoder(twoBytes[page]);
  const pairs: [string, readonly number[]][] = [];
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const letter = decoder.decode(Uint8Array.of(lead, trail));
      if ([...letter].length === 1 && !/[\ufffd\p{C}]/u.test(letter)) pairs.push([letter, [lead, trail]]);
    }
  }
  return pairs;
};

const encoderOf = (page: CodePage): Map<string, readonly number[]> => {
  const existing = mapsByPage.get(page);
  if (existing !== undefined) return existing;
  const map = new Map<string, readonly number[]>();
  const entries: [string, readonly number[]][] = isTwoByte(page)
    ? pairsOf(page)
    : lettersOf(page).map((letter, i) => [letter, [0x80 + i]]);
  for (const [letter, bytes] of entries) if (letter !== '\ufffd' && !map.has(letter)) map.set(letter, bytes);
  mapsByPage.set(page, map);
  return map;
};

/** Substitutes for characters that a page lacks; none of them changes the meaning of a word. */
const substitutes: Readonly<Record<string, string>> = {
  Ș: 'Ş',
  ș: 'ş',
  Ț: 'Ţ',
  ț: 'ţ',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2011': '-',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
};

const bytesOf = (letter: string, page: CodePage): readonly number[] | undefined => {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0xa0) return code >= 0x20 && code < 0x7f ? [code] : undefined;
  return encoderOf(page).get(letter);
};

/** The text's bytes in this page; undefined when it lacks a letter. No page has control characters. */
export const encodeText = (text: string, page: CodePage): Uint8Array | undefined => {
  const bytes: number[] = [];
  for (const letter of text) {
    const found = bytesOf(letter, page) ?? bytesOf(substitutes[letter] ?? '', page);
    if (found === undefined) return undefined;
    bytes.push(...found);
  }
  return Uint8Array.from(bytes);
};

/** The text of these bytes, as a printer with this page prints it. Invalid bytes become U+FFFD. */
export const decode = (bytes: Uint8Array, page: CodePage): string => {
  if (isTwoByte(page)) return new TextDecoder(twoBytes[page]).decode(bytes);
  const letters = lettersOf(page);
  return [...bytes]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : (letters[byte - 0x80] ?? '\ufffd')))
    .join('');
};
