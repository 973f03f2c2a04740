/** What a result of the terminal (040F) tells of a payment, in the till's words and without card data. */
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { find, findDeep, type Tlv } from '../../../src/emv/tlv.ts';
import { amount, currency, digits, hexByte, present } from '../../codec.ts';
import type { TerminalPayment } from '../../integrated-terminal.ts';
import { type CharacterSet, readText } from './characters.ts';
import { type Bmp, bmp, entryModes, tags, verifications } from './fields.ts';

/** A result: the code, and what the terminal said of the payment. Absent is what it did not say. */
export type ZvtResult = {
  /** Bitmap 27, two hex digits. */
  code: string;
  amountMinor?: bigint;
  currency?: string;
  receiptNumber?: string;
  /** Of a day's totals: the last receipt number in its turnover, 0000 where there is none. */
  newest?: string;
  told: Omit<TerminalPayment, 'amount' | 'receiptNumber' | 'heardAt'>;
  /** When it came, wall time in ms. */
  heardAt?: number;
};

type ResultContent = { bmps: readonly Bmp[]; objects: readonly Tlv[]; set?: CharacterSet | undefined };

/** Reads a result. Throws `emv.malformed` when it has no result code or a field that cannot be read. */
export const readResult = ({ bmps, objects, set }: ResultContent): ZvtResult => {
  const read = <T>(number: string, decode: (value: Uint8Array) => T): T | undefined => {
    const value = bmp(bmps, number);
    return value === undefined ? undefined : decode(value);
  };
  const code = read('27', hexByte.decode);
  if (code === undefined) throw new Fault('emv.malformed', { what: 'A result of the terminal', why: 'it has no code' });
  const plain = (value: Uint8Array): string => readText(value, set).trim();
  const entry = objectHex(objects, tags.technology);
  const verified = objectHex(objects, tags.verification);
  return present({
    code,
    amountMinor: read('04', amount.decode),
    currency: read('49', currency.decode),
    receiptNumber: read('87', digits(2).decode),
    newest: read('60', newestIn),
    told: present({
      traceNumber: read('0B', digits(3).decode),
      originalTrace: read('37', digits(3).decode),
      terminalId: read('29', digits(4).decode),
      authorisationCode: read('3B', plain),
      entryMode: entry === undefined ? undefined : entryModes[entry],
      maskedPan: read('22', maskedPan),
      aid: objectHex(objects, tags.aid),
      cardName: read('8B', plain),
      verification: verified === undefined ? undefined : verifications[verified],
      time: timeOf(read('0C', toHex), { date: read('0D', toHex), fullDate: read('AA', toHex) }),
    }),
  });
};

/** Bitmap 60: the first and the last receipt number, and then the sums. What is no number says nothing. */
const newestIn = (sums: Uint8Array): string | undefined => {
  const last = toHex(sums.subarray(2, 4));
  return /^\d{4}$/.test(last) ? last : undefined;
};

const objectHex = (objects: readonly Tlv[], tag: string): string | undefined => {
  const found = find(objects, tag) ?? findDeep(objects, tag);
  return found === undefined ? undefined : toHex(found.value);
};

/** Bitmap 22: E stands for a hidden digit, F fills. Whatever the terminal shows, six and four digits at most leave. */
export const maskedPan = (value: Uint8Array): string => {
  const shown = toHex(value).replace(/F+$/, '').replace(/\D/g, '*');
  if (shown.length < 12) return '*'.repeat(shown.length);
  return `${shown.slice(0, 6)}${'*'.repeat(shown.length - 10)}${shown.slice(-4)}`;
};

/** HHMMSS and MMDD or YYMMDD as people read them; the year only when the terminal gave one. */
const timeOf = (
  time: string | undefined,
  { date, fullDate }: { date: string | undefined; fullDate: string | undefined },
): string | undefined => {
  if (time === undefined || (date === undefined && fullDate === undefined)) return undefined;
  const pairs = (text: string) => text.match(/../g) ?? [];
  const day = fullDate === undefined ? pairs(date ?? '').join('-') : `20${pairs(fullDate).join('-')}`;
  return `${day} ${pairs(time).join(':')}`;
};
