/** What the simulated ZVT terminal says in a dialect, instead of what the strictest one would say. */
import { concat } from '../../../src/base/hex.ts';
import { type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { currency, digits } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { bytesIn, codePage, textOf } from '../protocol/characters.ts';
import { namesSet, setOf, type ZvtDialectPredicate } from '../protocol/dialects.ts';
import { type Bmp, bmp, container, containerOf, decodeBmps, encodeBmps, lastLine, tags } from '../protocol/fields.ts';

/** What such a terminal says instead: one message or several, each to be answered. */
export const inDialect = (given: ZvtApdu, speaks: ZvtDialectPredicate): readonly ZvtApdu[] => {
  const apdu = inSet(given, speaks);
  switch (apdu.code) {
    case '040F':
      return speaks('result-twice') ? [result(apdu, speaks), result(apdu, speaks)] : [result(apdu, speaks)];
    case '04FF':
      return [speaks('status-times') ? timed(apdu) : apdu];
    case '060F':
    case '061E':
      return [speaks('endings-told') ? withTerminalDetails(apdu) : apdu];
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

const result = (apdu: ZvtApdu, speaks: ZvtDialectPredicate): ZvtApdu => {
  const bmps = decodeBmps(apdu.data);
  const isMoney = bmp(bmps, '04') !== undefined && bmp(bmps, '49') === undefined;
  const named =
    speaks('currency-always') && isMoney ? [...bmps, { number: '49', value: currency.encode('EUR') }] : bmps;
  const ordered = speaks('result-last') ? named.toSorted((a, b) => placeOf(a) - placeOf(b)) : named;
  const said = speaks('reversal-as-credit') ? ordered.filter(({ number }) => number !== '37') : ordered;
  const data = encodeBmps(speaks('pan-filled') ? said.map(filled) : said);
  return { code: apdu.code, data: speaks('bitmap-unknown') ? concat(data, UNKNOWN) : data };
};

/** Number 15, which no table has, and what may be a value. */
const UNKNOWN = Uint8Array.of(0x15, 0x01, 0x02);
const PAN_BYTES = 10;

const filled = ({ number, value }: Bmp): Bmp =>
  number === '22'
    ? { number, value: concat(value, new Uint8Array(Math.max(0, PAN_BYTES - value.length)).fill(0xff)) }
    : { number, value };

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

const withTerminalDetails = ({ code, data }: ZvtApdu): ZvtApdu => {
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
  const [kind, texts, ...named] = containerOf(decodeBmps(apdu.data));
  if (kind === undefined || texts === undefined) return [apdu];
  const lines = texts.children ?? [];
  const blocks: Tlv[][] = [];
  for (let at = 0; at < lines.length; at += LINES_A_BLOCK) blocks.push(lines.slice(at, at + LINES_A_BLOCK));
  return blocks.map((block) => ({
    code: apdu.code,
    data: encodeBmps([container([kind, tlv(tags.printTexts, block), ...named])]),
  }));
};

/** Its texts in another set of characters. */
const inSet = (apdu: ZvtApdu, speaks: ZvtDialectPredicate): ZvtApdu => {
  const set = setOf(speaks);
  if (set === codePage) return apdu;
  const { code, data } = apdu;
  const anew = (value: Uint8Array): Uint8Array => bytesIn(textOf(value), set);
  if (code === '06D1') return { code, data: concat(data.subarray(0, 1), anew(data.subarray(1))) };
  if (code !== '06D3') return apdu;
  const [kind, texts] = containerOf(decodeBmps(data));
  if (kind === undefined || texts?.children === undefined) return apdu;
  const lines = texts.children.map((one) => (one.tag === tags.textLines ? tlv(one.tag, anew(one.value)) : one));
  const named = namesSet(speaks, 'texts') ? [tlv(tags.characterSet, set)] : [];
  return { code, data: encodeBmps([container([kind, tlv(tags.printTexts, lines), ...named])]) };
};
