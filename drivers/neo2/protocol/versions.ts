/** What NEO 2 readers answer about themselves: versions, their processor, their state. */
import { concat, fromHex } from '../../../src/base/hex.ts';
import { type Codec, text } from '../../codec.ts';
import { present } from '../../present.ts';
import { decodeNeo2Tlv, encodeNeo2Tlv, hexIn, neo2Tlv } from './tlv.ts';

/** Text alone. */
export const version: Codec<{ text: string }> = {
  encode: (value) => text.encode(value.text),
  decode: (raw) => ({ text: text.decode(raw) }),
};

/** The value of the first of these tags, hex. */
const oneOf = (raw: Uint8Array, tags: readonly string[]): string | undefined => {
  const list = decodeNeo2Tlv(raw);
  return tags.map((tag) => hexIn(list, tag)).find((value) => value !== undefined);
};

/** Text, or the text in tag DF62, in newer firmware DFEE62 (the vendor's logs). */
export const firmware: Codec<{ text: string }> = {
  encode: (value) => encodeNeo2Tlv([neo2Tlv('DF62', concat(text.encode(value.text), Uint8Array.of(0)))]),
  decode(raw) {
    const value = raw[0] === 0xdf ? oneOf(raw, ['DF62', 'DFEE62']) : undefined;
    return { text: text.decode(value === undefined ? raw : fromHex(value)) };
  },
};

/** Tag DF61, in newer firmware DFEE61 (the vendor's logs): which processor. IDG p255. */
const processors: Readonly<Record<string, string>> = {
  4500: 'ARM7 LPC21xx',
  '4D00': 'ARM Cortex-M4 K21',
  '4E00': 'ARM Cortex-M4 K81',
};

/** `code` is the value of the tag in hex; `text` its words, where the guide has some. */
export const processor: Codec<{ code: string; text?: string }> = {
  encode: ({ code }) => encodeNeo2Tlv([neo2Tlv('DF61', code)]),
  decode(raw) {
    const code = oneOf(raw, ['DF61', 'DFEE61']) ?? '';
    return { code, ...present({ text: processors[code] }) };
  },
};

/** 32-03: nothing on readers that say by their status alone how they are. IDG p384. */
export const deviceState: Codec<{ active?: number; locked?: number }> = {
  encode: ({ active, locked }) =>
    active === undefined || locked === undefined ? new Uint8Array(0) : Uint8Array.of(active, locked),
  decode: ([active, locked]) => present({ active, locked }),
};
