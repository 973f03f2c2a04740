/** The dialects of ZVT terminals, and how each changes what the simulated one says. */
import { concat } from '../../src/base/hex.ts';
import { type Tlv, tlv } from '../../src/emv/tlv.ts';
import { currency, digits } from '../codec.ts';
import type { ZvtApdu } from '../framing/zvt-apdu.ts';
import type { Dialects } from '../simulation/dialect.ts';
import { type Bmp, bmp, container, containerOf, decodeBmps, encodeBmps } from './bmps.ts';
import type { CommandName } from './commands.ts';
import { lastLine, tags } from './tags.ts';

export const zvtDialects = {
  'version-always': {
    says: '0501 is answered with the software version, whatever the service byte asks',
    source: 'PA00P015 13.08, 2.56.5; captures in github EVerest/zvt',
    models: 'Feig cVEND',
    about: 'version',
  },
  'version-never': {
    says: '0501 is answered with the state alone',
    source: 'PA00P015 13.08, 2.56.5: the version is optional',
    about: 'version',
  },
  'containers-always': {
    says: 'containers come though the register sent none',
    source: 'github Portalum/Portalum.Zvt issue 11 (capture)',
    about: 'containers',
  },
  'currency-always': {
    says: 'a result names the currency, also where the command did not',
    source: 'github Portalum/Portalum.Zvt issue 11 (capture)',
    about: 'currency',
  },
  'result-last': {
    says: 'the bitmaps of a result come in the order of the document’s table: 04 first, 27 last',
    source: 'PA00P015 13.08, 3.1.1: any order, old registers rely on the table’s',
    about: 'order',
  },
  'result-again': {
    says: 'a wrong PIN is told by a result (37), the PIN is typed again, and a second result is the payment’s',
    source: 'PA00P015 13.08, 2.2',
    about: 'pin',
  },
  'prints-first': {
    says: 'receipts come before the result',
    source: 'PA00P015 13.08, 2.2.7: the order of results and receipts is not fixed',
    about: 'prints',
  },
  'prints-lines': {
    says: 'receipts come line by line (06D1), though blocks of text are allowed',
    source: 'PA00P015 13.08, 9.4.2, tag 26: a permission, no wish',
    models: 'card complete’s terminals',
    about: 'receipts',
  },
  'prints-styled': {
    says: 'receipts come line by line, centred, in double width and with line feeds as lines of their own',
    source: 'PA00P015 13.08, 3.5, table 16',
    about: 'receipts',
  },
  'prints-split': {
    says: 'a receipt comes in several blocks of text, of which the last one ends it',
    source: 'PA00P015 13.08, 3.6; 1,648 bytes in pieces: github Portalum/Portalum.Zvt issue 8',
    about: 'receipts',
  },
  'endings-told': {
    says: 'the completion and the abort bring bitmaps and a text',
    source: 'PA00P015 13.08, 3.2 and 3.3 (tags 1F16, 1F17)',
    models: 'CCV IM30',
    about: 'endings',
  },
  'status-times': {
    says: 'a status brings a new time-out (T4: ten minutes) and a text',
    source: 'PA00P015 13.08, 3.7; capture in github bezahl-online/zvt',
    models: 'Worldline Valina',
    about: 'statuses',
  },
  'reversal-as-credit': {
    says: 'a reversal is booked as a credit of its own: its result has no original trace number (37)',
    source: 'card complete, ZVT-Präzisierung 22, 3.2.8.2 (contactless payments)',
    models: 'card complete’s terminals',
    about: 'reversals',
  },
  'locked-day': {
    says: 'it is locked until the end of day (F0): every payment ends by 061E F0 until 0650',
    source: 'PA00P015 13.08, 7.1',
    about: 'lock',
  },
  'locked-diagnosis': {
    says: 'it is locked until a diagnosis (C2): every payment ends by 061E C2 until 0670',
    source: 'PA00P015 13.08, 7.1',
    about: 'lock',
  },
  'locked-initialisation': {
    says: 'it is locked until an initialisation (51): every payment ends by 061E 51 until 0693',
    source: 'PA00P015 13.08, 7.1',
    about: 'lock',
  },
  'locked-clock': {
    says: 'it is locked until its clock is set (62): every payment ends by 061E 62 until 0691',
    source: 'PA00P015 13.08, 7.1',
    about: 'lock',
  },
} as const satisfies Dialects;

/** A state in which it takes no payment, and the command that lifts it. */
export type Lock = { state: string; lifts: CommandName };

const locks: Readonly<Partial<Record<ZvtDialect, Lock>>> = {
  'locked-day': { state: 'F0', lifts: 'endOfDay' },
  'locked-diagnosis': { state: 'C2', lifts: 'diagnosis' },
  'locked-initialisation': { state: '51', lifts: 'initialisation' },
  'locked-clock': { state: '62', lifts: 'setClock' },
};

/** How it is locked from the beginning, if it is. */
export const lockOf = (speaks: Speaks): Lock | undefined =>
  Object.entries(locks).find(([name]) => speaks(name as ZvtDialect))?.[1];

export type ZvtDialect = keyof typeof zvtDialects;
export type Speaks = (dialect: ZvtDialect) => boolean;

/** What such a terminal says instead: one message or several, each to be answered. */
export const inDialect = (apdu: ZvtApdu, speaks: Speaks): readonly ZvtApdu[] => {
  switch (apdu.code) {
    case '040F':
      return [result(apdu, speaks)];
    case '04FF':
      return [speaks('status-times') ? timed(apdu) : apdu];
    case '060F':
    case '061E':
      return [speaks('endings-told') ? told(apdu) : apdu];
    case '06D1':
      return speaks('prints-styled') ? styled(apdu) : [apdu];
    case '06D3':
      return speaks('prints-split') ? split(apdu) : [apdu];
    default:
      return [apdu];
  }
};

/** The order of the document's table; what it has not comes behind. */
const TABLE = '04 0B 37 0C 0D 0E 17 19 22 29 3B 49 87 8A 8C 2A 3C A0 88 8B 06 27'.split(' ');
const placeOf = ({ number }: Bmp): number => (TABLE.includes(number) ? TABLE.indexOf(number) : TABLE.length);

const result = (apdu: ZvtApdu, speaks: Speaks): ZvtApdu => {
  const bmps = decodeBmps(apdu.data);
  const isMoney = bmp(bmps, '04') !== undefined && bmp(bmps, '49') === undefined;
  const named =
    speaks('currency-always') && isMoney ? [...bmps, { number: '49', value: currency.encode('EUR') }] : bmps;
  const ordered = speaks('result-last') ? named.toSorted((a, b) => placeOf(a) - placeOf(b)) : named;
  const said = speaks('reversal-as-credit') ? ordered.filter(({ number }) => number !== '37') : ordered;
  return { code: apdu.code, data: encodeBmps(said) };
};

const text = (words: string): Uint8Array => Uint8Array.from(Buffer.from(words, 'latin1'));

/** Ten minutes from now on, as BCD, and what the customer reads. */
const timed = ({ code, data }: ZvtApdu): ZvtApdu => ({
  code,
  data: concat(
    data,
    Uint8Array.of(0x10),
    encodeBmps([container([tlv('24', [tlv(tags.textLines, text('Bitte warten'))])])]),
  ),
});

const told = ({ code, data }: ZvtApdu): ZvtApdu => {
  const terminal: Bmp = { number: '29', value: digits(4).encode('17000001') };
  if (code === '060F') return { code, data: data.length > 0 ? data : encodeBmps([terminal]) };
  return { code, data: concat(data, encodeBmps([container([tlv('1F16', '00'), tlv('1F17', text('Abbruch'))])])) };
};

const [CENTRED, WIDE, FEED] = [0x40, 0x20, 0xff];

/** Titles in double width with a feed behind them, all lines centred. */
const styled = ({ code, data }: ZvtApdu): readonly ZvtApdu[] => {
  const [attribute = 0, ...line] = data;
  if ((attribute & lastLine) !== 0) return [{ code, data }];
  const isTitle = line[0] === 0x2a;
  const dressed = { code, data: Uint8Array.of(CENTRED | (isTitle ? WIDE : 0), ...line) };
  return isTitle ? [dressed, { code, data: Uint8Array.of(FEED, 1) }] : [dressed];
};

const LINES_A_BLOCK = 4;

const split = (apdu: ZvtApdu): readonly ZvtApdu[] => {
  const [kind, texts] = containerOf(decodeBmps(apdu.data));
  if (kind === undefined || texts === undefined) return [apdu];
  const lines = texts.children ?? [];
  const blocks: Tlv[][] = [];
  for (let at = 0; at < lines.length; at += LINES_A_BLOCK) blocks.push(lines.slice(at, at + LINES_A_BLOCK));
  return blocks.map((block) => ({
    code: apdu.code,
    data: encodeBmps([container([kind, tlv(tags.printTexts, block)])]),
  }));
};
