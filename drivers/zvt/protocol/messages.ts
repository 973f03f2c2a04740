/**
 * What the terminal says while it leads: results, intermediate statuses, lines to print, its end of a command.
 * Both sides use these: the driver reads, the simulated terminal writes. Source: PA00P015 13.09; public captures.
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, toHex } from '../../../src/base/hex.ts';
import { find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { bytesOfText, type CharacterSet, readText } from './characters.ts';
import {
  type Bmp,
  bmp,
  container,
  containerOf,
  decodeBmps,
  decodeKnownBmps,
  encodeBmps,
  lastLine,
  receiptTypes,
  tags,
} from './fields.ts';

export type ReceiptKind = 'merchant' | 'customer' | 'administration' | 'unnamed';

/** Lines to print. `ends`: with them the receipt is complete. */
export type PrintLines = { kind: 'print'; receipt: ReceiptKind; lines: readonly string[]; ends: boolean };

export type ZvtMessage =
  | { kind: 'status'; code: string; t4Ms?: number }
  | { kind: 'result'; bmps: readonly Bmp[]; objects: readonly Tlv[]; set?: CharacterSet | undefined }
  | PrintLines
  | { kind: 'completion'; data: Uint8Array }
  | { kind: 'aborted'; code: string };

/** `80 00 00`: taken. */
export const taken: ZvtApdu = { code: '8000', data: new Uint8Array(0) };
/** `84 xx 00`: not taken. */
export const refusal = (code: string): ZvtApdu => ({ code: `84${code}`, data: new Uint8Array(0) });

export const isAnswer = ({ code }: ZvtApdu): boolean => code.startsWith('80') || code.startsWith('84');

/** The set of characters that a container names: for its own texts, or at the registration for all. */
export const characterSetIn = (objects: readonly Tlv[]): CharacterSet | undefined => {
  const named =
    find(objects, tags.characterSet) ?? find(find(objects, tags.characterSets)?.children ?? [], tags.characterSet);
  return named === undefined ? undefined : toHex(named.value);
};

/**
 * What an APDU of the terminal says; undefined when it is nothing that is known. Texts are in `set` where it does not
 * name another. Throws when its data is malformed.
 */
export const decodeMessage = ({ code, data }: ZvtApdu, set?: CharacterSet): ZvtMessage | undefined => {
  switch (code) {
    case '04FF':
      return { kind: 'status', code: firstByte(data), ...newT4(data) };
    case '040F': {
      const bmps = resultBmps(data);
      const objects = containerOf(bmps);
      return { kind: 'result', bmps, objects, set: characterSetIn(objects) ?? set };
    }
    case '06D1':
      return printLine(data, set);
    case '06D3':
      return textBlock(containerOf(decodeBmps(data)), set);
    case '060F':
      return { kind: 'completion', data };
    case '061E':
      return { kind: 'aborted', code: firstByte(data) };
    default:
      return undefined;
  }
};

const APPROVED = 0x00;

/**
 * An unknown bitmap may have any length, so what comes behind it is overlooked, as long as the code has come before,
 * and the amount of an approval: one that nobody read could be another one than was asked for.
 */
const resultBmps = (data: Uint8Array): Bmp[] => {
  const { list, unknown } = decodeKnownBmps(data);
  const [code] = bmp(list, '27') ?? [];
  const isWhole = code !== undefined && (code !== APPROVED || bmp(list, '04') !== undefined);
  if (unknown !== undefined && !isWhole) throw unknown;
  return list;
};

const firstByte = (data: Uint8Array): string => {
  if (data.length === 0) throw new Fault('emv.malformed', { what: 'A ZVT message', why: 'it has no code' });
  return toHex(data.subarray(0, 1));
};

/** The byte behind a status: minutes as BCD. 00 and what is no BCD say nothing. Source: PA00P015 13.08, 3.7. */
const newT4 = (data: Uint8Array): { t4Ms?: number } => {
  const minutes = /^\d\d$/.test(toHex(data.subarray(1, 2))) ? Number(toHex(data.subarray(1, 2))) : 0;
  return minutes === 0 ? {} : { t4Ms: minutes * 60_000 };
};

/** `FF n`: n line feeds. `80` is kept for later; any other attribute with bit 8 stands at a receipt's last line. */
const printLine = (data: Uint8Array, set: CharacterSet | undefined): PrintLines => {
  const [attribute = 0, count = 1] = data;
  if (attribute === LINE_FEEDS)
    return {
      kind: 'print',
      receipt: 'unnamed',
      lines: Array<string>(Math.min(count, FEEDS_MOST)).fill(''),
      ends: false,
    };
  const ends = (attribute & lastLine) !== 0 && attribute !== RESERVED;
  return { kind: 'print', receipt: 'unnamed', lines: [readText(data.subarray(1), set).trimEnd()], ends };
};

const LINE_FEEDS = 0xff;
const RESERVED = 0x80;
/** What a receipt's foot may take of paper. */
const FEEDS_MOST = 20;

/** A block names its receipt; its lines are objects 07, and an object 09 with bit 8 ends it. */
const textBlock = (objects: readonly Tlv[], given: CharacterSet | undefined): PrintLines => {
  const set = characterSetIn(objects) ?? given;
  const kind = find(objects, tags.receiptType)?.value;
  const texts = find(objects, tags.printTexts)?.children ?? objects;
  const ends = texts.some(({ tag, value }) => tag === tags.attribute && ((value[0] ?? 0) & lastLine) !== 0);
  return {
    kind: 'print',
    receipt: (kind === undefined ? undefined : receiptTypes[toHex(kind)]) ?? 'unnamed',
    lines: texts.flatMap(({ tag, value }) => (tag === tags.textLines ? [readText(value, set).trimEnd()] : [])),
    ends,
  };
};

/** The APDU of an intermediate status. */
export const statusApdu = (code: string): ZvtApdu => ({
  code: '04FF',
  data: Uint8Array.of(Number.parseInt(code, 16)),
});

/** The APDU of a result: its bitmaps, and a container when there are objects. */
export const resultApdu = (bmps: readonly Bmp[], objects: readonly Tlv[]): ZvtApdu => ({
  code: '040F',
  data: encodeBmps(objects.length === 0 ? bmps : [...bmps, container(objects)]),
});

export const completionApdu = (bmps: readonly Bmp[] = []): ZvtApdu => ({ code: '060F', data: encodeBmps(bmps) });

export const abortedApdu = (code: string): ZvtApdu => ({
  code: '061E',
  data: Uint8Array.of(Number.parseInt(code, 16)),
});

/** One receipt as a text block (06D3) with its type. */
export const textBlockApdu = (receipt: keyof typeof receiptCodes, lines: readonly string[]): ZvtApdu => ({
  code: '06D3',
  data: encodeBmps([
    container([
      tlv(tags.receiptType, receiptCodes[receipt]),
      tlv(tags.printTexts, [
        ...lines.map((line) => tlv(tags.textLines, bytesOfText(line || ' '))),
        tlv(tags.attribute, '81'),
      ]),
    ]),
  ]),
});

const receiptCodes = { merchant: '01', customer: '02', administration: '03' } as const;

/** One receipt as single lines (06D1), which do not say whose it is; the last one is marked. */
export const lineApdus = (lines: readonly string[]): ZvtApdu[] =>
  [...lines, ''].map((line, at) => ({
    code: '06D1',
    data: concat(Uint8Array.of(at === lines.length ? lastLine | 1 : 0), bytesOfText(line)),
  }));
