/**
 * The simulated terminal while it leads: it sends one message, waits for the till's answer, and sends the next. An
 * abort can wake a running command; a till that does not answer within T3 counts as gone.
 */
import type { Clock } from '../../../src/base/clock.ts';
import { concat } from '../../../src/base/hex.ts';
import { type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { currency, digits } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { answerMs } from '../driver/dialogue.ts';
import type { ZvtCommandName } from '../protocol/commands.ts';
import { namesSet, setOf, type ZvtDialectPredicate } from '../protocol/dialects.ts';
import {
  type Bmp,
  bmp,
  codePage,
  container,
  containerOf,
  decodeBmps,
  encodeBmps,
  encodeText,
  lastLine,
  tags,
  textOf,
} from '../protocol/fields.ts';

/**
 * The till's reaction: `gone` without an answer or without a link; to a result also that it postpones it (84 9C), or
 * that the goods were issued in part (84 9D), with the data of its answer.
 */
export type RegisterReply = 'taken' | 'refused' | 'goodsNotIssued' | 'putOff' | 'gone' | { issued: Uint8Array };

export type LeadTools = {
  clock: Clock;
  send(apdu: ZvtApdu): void;
  /** The messages that are sent instead: one or several. */
  adapt(apdu: ZvtApdu): readonly ZvtApdu[];
};

type Waiting = { end(reply: RegisterReply): void };
type Pause = { end(): void };

const meanings: Readonly<Record<string, RegisterReply>> = {
  '8400': 'taken',
  '8466': 'goodsNotIssued',
  '849C': 'putOff',
};

const ends: ReadonlySet<string> = new Set(['060F', '061E']);

export class Lead {
  readonly name: ZvtCommandName;
  readonly #clock: Clock;
  readonly #say: (apdu: ZvtApdu) => void;
  readonly #dress: LeadTools['adapt'];
  #waiting: Waiting | undefined;
  #pausing: Pause | undefined;
  #gone = false;
  #aborted = false;
  #last = '';
  #over = false;
  /** From here on the issuer has decided, and an abort changes nothing. */
  decided = false;

  constructor(name: ZvtCommandName, tools: LeadTools) {
    this.name = name;
    this.#clock = tools.clock;
    this.#say = tools.send;
    this.#dress = tools.adapt;
  }

  isGone(): boolean {
    return this.#gone;
  }

  /** The till has accepted the completion or the abort: the terminal no longer leads. */
  isOver(): boolean {
    return this.#over;
  }

  isAborted(): boolean {
    return this.#aborted && !this.decided;
  }

  /** The till's answer to it; to the last of several messages, unless it has gone before. */
  async tell(apdu: ZvtApdu): Promise<RegisterReply> {
    let reply: RegisterReply = 'taken';
    for (const part of this.#dress(apdu)) {
      reply = await this.#tellOne(part);
      if (reply === 'gone') return reply;
    }
    return reply;
  }

  #tellOne(apdu: ZvtApdu): Promise<RegisterReply> {
    return new Promise((resolve) => {
      if (this.#gone) return resolve('gone');
      // After a stall of this machine the timer fires first, although the answer has arrived meanwhile.
      let stop = this.#clock.after(answerMs, () => {
        stop = this.#clock.after(0, () => this.leave());
      });
      this.#waiting = {
        end: (reply) => {
          stop();
          this.#waiting = undefined;
          resolve(reply);
        },
      };
      this.#last = apdu.code;
      this.#say(apdu);
    });
  }

  /** Sends all of them, one after the other; false when the till has gone meanwhile. */
  async tellAll(apdus: readonly ZvtApdu[]): Promise<boolean> {
    for (const apdu of apdus) if ((await this.tell(apdu)) === 'gone') return false;
    return !this.#gone;
  }

  /** Waits, until an abort or the end wakes it. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#gone || this.isAborted()) return resolve();
      const stop = this.#clock.after(ms, () => this.#pausing?.end());
      this.#pausing = {
        end: () => {
          stop();
          this.#pausing = undefined;
          resolve();
        },
      };
    });
  }

  /** The till's answer. An answer that nobody waits for is ignored. */
  onAnswer({ code, data }: ZvtApdu): void {
    const reply: RegisterReply =
      code === '849D' ? { issued: data } : (meanings[code] ?? (code.startsWith('80') ? 'taken' : 'refused'));
    if (this.#waiting !== undefined && ends.has(this.#last)) this.#over = true;
    this.#waiting?.end(reply);
  }

  abort(): void {
    this.#aborted = true;
    if (!this.decided) this.#pausing?.end();
  }

  /** The till is gone: nothing more is sent. */
  leave(): void {
    this.#gone = true;
    this.#pausing?.end();
    this.#waiting?.end('gone');
  }
}

/**
 * The messages of a terminal with these dialects in place of the strictest one's: one or several, each to be answered.
 */
export const applyDialect = (input: ZvtApdu, isDialect: ZvtDialectPredicate): readonly ZvtApdu[] => {
  const apdu = reencodeTexts(input, isDialect);
  switch (apdu.code) {
    case '040F':
      return isDialect('result-twice') ? [result(apdu, isDialect), result(apdu, isDialect)] : [result(apdu, isDialect)];
    case '04FF':
      return [isDialect('status-times') ? withTimeout(apdu) : apdu];
    case '060F':
    case '061E':
      return [isDialect('endings-told') ? withTerminalDetails(apdu) : apdu];
    case '06D1':
      return isDialect('prints-styled') ? styledLines(apdu) : [apdu];
    case '06D3':
      return isDialect('prints-split') ? split(apdu) : [apdu];
    default:
      return [apdu];
  }
};

/** The order of the document's table; fields that are not in it come last. */
const TABLE = '04 0B 37 0C 0D 0E 17 19 22 29 3B 49 87 8A 8C 2A 3C A0 88 8B 06 27'.split(' ');
const placeOf = ({ number }: Bmp): number => (TABLE.includes(number) ? TABLE.indexOf(number) : TABLE.length);

const result = (apdu: ZvtApdu, isDialect: ZvtDialectPredicate): ZvtApdu => {
  const bmps = decodeBmps(apdu.data);
  const isMoney = bmp(bmps, '04') !== undefined && bmp(bmps, '49') === undefined;
  const named =
    isDialect('currency-always') && isMoney ? [...bmps, { number: '49', value: currency.encode('EUR') }] : bmps;
  const ordered = isDialect('result-last') ? named.toSorted((a, b) => placeOf(a) - placeOf(b)) : named;
  const sentFields = isDialect('reversal-as-credit') ? ordered.filter(({ number }) => number !== '37') : ordered;
  const data = encodeBmps(isDialect('pan-filled') ? sentFields.map(fill) : sentFields);
  return { code: apdu.code, data: isDialect('bitmap-unknown') ? concat(data, UNKNOWN) : data };
};

/** Bitmap 15, which is undocumented, and a made-up value. */
const UNKNOWN = Uint8Array.of(0x15, 0x01, 0x02);
const PAN_BYTES = 10;

const fill = ({ number, value }: Bmp): Bmp =>
  number === '22'
    ? { number, value: concat(value, new Uint8Array(Math.max(0, PAN_BYTES - value.length)).fill(0xff)) }
    : { number, value };

const text = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

/** Ten minutes from now on, as BCD, and the text that the customer reads. */
const withTimeout = ({ code, data }: ZvtApdu): ZvtApdu => ({
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

/** Titles in double width followed by a feed, all lines centred. */
const styledLines = ({ code, data }: ZvtApdu): readonly ZvtApdu[] => {
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
  for (let index = 0; index < lines.length; index += LINES_A_BLOCK)
    blocks.push(lines.slice(index, index + LINES_A_BLOCK));
  return blocks.map((block) => ({
    code: apdu.code,
    data: encodeBmps([container([kind, tlv(tags.printTexts, block), ...named])]),
  }));
};

/** The same message with its texts in another character set. */
const reencodeTexts = (apdu: ZvtApdu, isDialect: ZvtDialectPredicate): ZvtApdu => {
  const set = setOf(isDialect);
  if (set === codePage) return apdu;
  const { code, data } = apdu;
  const reencode = (value: Uint8Array): Uint8Array => encodeText(textOf(value), set);
  if (code === '06D1') return { code, data: concat(data.subarray(0, 1), reencode(data.subarray(1))) };
  if (code !== '06D3') return apdu;
  const [kind, texts] = containerOf(decodeBmps(data));
  if (kind === undefined || texts?.children === undefined) return apdu;
  const lines = texts.children.map((one) => (one.tag === tags.textLines ? tlv(one.tag, reencode(one.value)) : one));
  const named = namesSet(isDialect, 'texts') ? [tlv(tags.characterSet, set)] : [];
  return { code, data: encodeBmps([container([kind, tlv(tags.printTexts, lines), ...named])]) };
};
