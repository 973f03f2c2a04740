/**
 * The terminal's messages while it leads: results, intermediate statuses, lines to print, the end of a command. The
 * driver reads them, the simulated terminal writes them. Source: PA00P015 13.09; public captures.
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, toHex } from '../../../src/base/hex.ts';
import { find, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { amount, currency, digits, hexByte, present } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import type { TerminalPayment } from '../../integrated-terminal.ts';
import {
  type Bmp,
  bmp,
  type CharacterSet,
  container,
  containerOf,
  decodeBmps,
  decodeKnownBmps,
  encodeBmps,
  encodeBraces,
  entryModes,
  lastLine,
  readText,
  receiptTypes,
  tags,
  verifications,
} from './fields.ts';

export type ReceiptKind = 'merchant' | 'customer' | 'administration' | 'unnamed';

/** Lines to print. `ends`: they complete the receipt. */
export type PrintLines = { kind: 'print'; receipt: ReceiptKind; lines: readonly string[]; ends: boolean };

export type ZvtMessage =
  | { kind: 'status'; code: string; t4Ms?: number }
  | { kind: 'result'; bmps: readonly Bmp[]; objects: readonly Tlv[]; set?: CharacterSet | undefined }
  | PrintLines
  | { kind: 'completion'; data: Uint8Array }
  | { kind: 'aborted'; code: string };

/** `80 00 00`: accepted. */
export const accepted: ZvtApdu = { code: '8000', data: new Uint8Array(0) };
/** `84 xx 00`: not accepted. */
export const refusalApdu = (code: string): ZvtApdu => ({ code: `84${code}`, data: new Uint8Array(0) });

export const isAnswer = ({ code }: ZvtApdu): boolean => code.startsWith('80') || code.startsWith('84');

/** The character set that a container names: for its own texts, or at the registration for all. */
export const characterSetIn = (objects: readonly Tlv[]): CharacterSet | undefined => {
  const named =
    find(objects, tags.characterSet) ?? find(find(objects, tags.characterSets)?.children ?? [], tags.characterSet);
  return named === undefined ? undefined : toHex(named.value);
};

/**
 * The message in an APDU of the terminal; undefined for an unknown one. Texts are in `set` unless the message names
 * another. Throws when its data is malformed.
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
 * An unknown bitmap can have any length, so everything after it is ignored, provided that the code came before it, and
 * for an approval the amount: an unread amount could differ from the one asked for.
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

/** The byte after a status: minutes as BCD. 00 and invalid BCD are ignored. Source: PA00P015 13.08, 3.7. */
const newT4 = (data: Uint8Array): { t4Ms?: number } => {
  const minutes = /^\d\d$/.test(toHex(data.subarray(1, 2))) ? Number(toHex(data.subarray(1, 2))) : 0;
  return minutes === 0 ? {} : { t4Ms: minutes * 60_000 };
};

/** `FF n`: n line feeds. `80` is reserved; any other attribute with bit 8 marks a receipt's last line. */
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
/** The most paper that the end of a receipt can feed. */
const FEEDS_MOST = 20;

/** A block names its receipt; its lines are objects 07, and an object 09 with bit 8 ends it. */
const textBlock = (objects: readonly Tlv[], input: CharacterSet | undefined): PrintLines => {
  const set = characterSetIn(objects) ?? input;
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

export const statusApdu = (code: string): ZvtApdu => ({ code: '04FF', data: Uint8Array.of(Number.parseInt(code, 16)) });

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
        ...lines.map((line) => tlv(tags.textLines, encodeBraces(line || ' '))),
        tlv(tags.attribute, '81'),
      ]),
    ]),
  ]),
});

const receiptCodes = { merchant: '01', customer: '02', administration: '03' } as const;

/** One receipt as single lines (06D1), which do not name the recipient; the last one is marked. */
export const lineApdus = (lines: readonly string[]): ZvtApdu[] =>
  [...lines, ''].map((line, index) => ({
    code: '06D1',
    data: concat(Uint8Array.of(index === lines.length ? lastLine | 1 : 0), encodeBraces(line)),
  }));

/** The currency of a result without one. */
export const homeCurrency = 'EUR';

/** A result (040F): its code, and the terminal's data about the payment as far as it was sent. */
export type ZvtResult = {
  /** Bitmap 27, two hex digits. */
  code: string;
  amountMinor?: bigint;
  currency?: string;
  receiptNumber?: string;
  /** In a day's totals: the last receipt number in the turnover, 0000 if there is none. */
  newest?: string;
  details: Omit<TerminalPayment, 'amount' | 'receiptNumber' | 'heardAt'>;
  /** When it arrived, wall time in ms. */
  heardAt?: number;
};

type ResultContent = { bmps: readonly Bmp[]; objects: readonly Tlv[]; set?: CharacterSet | undefined };

/** Reads a result. Throws `emv.malformed` when it has no result code or an unreadable field. */
export const readResult = ({ bmps, objects, set }: ResultContent): ZvtResult => {
  const read = <T>(number: string, decode: (value: Uint8Array) => T): T | undefined => {
    const value = bmp(bmps, number);
    return value === undefined ? undefined : decode(value);
  };
  const code = read('27', hexByte.decode);
  if (code === undefined) throw new Fault('emv.malformed', { what: 'A result of the terminal', why: 'it has no code' });
  const readPlain = (value: Uint8Array): string => readText(value, set).trim();
  const entry = objectHex(objects, tags.technology);
  const verified = objectHex(objects, tags.verification);
  return present({
    code,
    amountMinor: read('04', amount.decode),
    currency: read('49', currency.decode),
    receiptNumber: read('87', digits(2).decode),
    newest: read('60', newestIn),
    details: present({
      traceNumber: read('0B', digits(3).decode),
      originalTrace: read('37', digits(3).decode),
      terminalId: read('29', digits(4).decode),
      authorisationCode: read('3B', readPlain),
      entryMode: entry === undefined ? undefined : entryModes[entry],
      maskedPan: read('22', maskedPan),
      aid: objectHex(objects, tags.aid),
      cardName: read('8B', readPlain),
      verification: verified === undefined ? undefined : verifications[verified],
      time: timeOf(read('0C', toHex), { date: read('0D', toHex), fullDate: read('AA', toHex) }),
    }),
  });
};

/** Bitmap 60: the first and last receipt number, then the sums. Anything but digits is ignored. */
const newestIn = (sums: Uint8Array): string | undefined => {
  const last = toHex(sums.subarray(2, 4));
  return /^\d{4}$/.test(last) ? last : undefined;
};

const objectHex = (objects: readonly Tlv[], tag: string): string | undefined => {
  const found = find(objects, tag) ?? findDeep(objects, tag);
  return found === undefined ? undefined : toHex(found.value);
};

/** Bitmap 22: E is a hidden digit, F is padding. Whatever the terminal shows, at most six and four digits are kept. */
export const maskedPan = (value: Uint8Array): string => {
  const text = toHex(value).replace(/F+$/, '').replace(/\D/g, '*');
  if (text.length < 12) return '*'.repeat(text.length);
  return `${text.slice(0, 6)}${'*'.repeat(text.length - 10)}${text.slice(-4)}`;
};

/** HHMMSS and MMDD or YYMMDD in readable form; the year only if the terminal sent one. */
const timeOf = (
  time: string | undefined,
  { date, fullDate }: { date: string | undefined; fullDate: string | undefined },
): string | undefined => {
  if (time === undefined || (date === undefined && fullDate === undefined)) return undefined;
  const pairs = (text: string) => text.match(/../g) ?? [];
  const day = fullDate === undefined ? pairs(date ?? '').join('-') : `20${pairs(fullDate).join('-')}`;
  return `${day} ${pairs(time).join(':')}`;
};
