/**
 * What a NEO 2 reader asks of its host in the middle of a transaction (command 61), and what the host answers under the
 * same numbers. Sources: NEO 2 IDG 80139403-002, p197 to p202; how a choice and a key are answered: the vendor's public
 * logs (github IDTSQATW/test_tree, CR080 and CR070), whose readers went on by it.
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat } from '../../../src/base/hex.ts';
import { text } from '../../codec.ts';
import { encodeNeo2Frame, type Neo2Frame } from '../../framing/neo2-frame.ts';
import { fromHost } from './commands.ts';

export const upcallCommand = 0x61;

/** A line of a menu: its number, and its text where the reader gives one. */
type MenuChoice = { line: number; text: string };

export type Upcall =
  /** 61-01 with mode 01: the customer is to choose one of these. */
  | { kind: 'menu'; mode: number; choices: readonly MenuChoice[] }
  /** 61-01 with any other mode: words for a display, or a key wanted. */
  | { kind: 'words'; mode: number }
  /** 61-02: a reader without keys wants a PIN from its host, for the issuer (01, 02) or for the card (03). */
  | { kind: 'pin'; for: 'host' | 'card' };

const subs = { display: 0x01, pin: 0x02 } as const;
/** A menu, and one of languages. */
const menuModes: readonly number[] = [0x01, 0x08];
/** Wants a key pressed; every other display wants no answer. The key to go on with is E. */
const keyMode = 0x02;
const enterKey = 0x45;
const pinModes = { cancel: 0x00, host: 0x01, card: 0x03 } as const;
/** Ends a line of a menu. */
const separator = 0x1c;
const choicesMax = 16;

/** Whether the reader asks something: an answer of it to a host's own 61 command has status 00. */
export const isUpcall = ({ command, sub, status }: Neo2Frame): boolean =>
  command === upcallCommand && [1, 2, 3].includes(sub ?? status ?? 0);

/** Throws `terminal.garbled` for data that ends too early, undefined for what the driver has no use for. */
export const decodeUpcall = ({ sub, status, data }: Neo2Frame): Upcall | undefined => {
  const [mode] = data;
  const number = sub ?? status;
  if (mode === undefined) throw new Fault('terminal.garbled', { bytes: 0 });
  if (number === subs.pin) return { kind: 'pin', for: mode === pinModes.card ? 'card' : 'host' };
  if (number !== subs.display) return undefined;
  if (!menuModes.includes(mode)) return { kind: 'words', mode };
  // Time, language, lines, light.
  const [, , lines = new Uint8Array(0)] = fieldsIn(data.subarray(1));
  return { kind: 'menu', mode, choices: choicesIn(lines) };
};

/** Each field: its length in two bytes, low byte first, and its value. */
const fieldsIn = (data: Uint8Array): Uint8Array[] => {
  const fields: Uint8Array[] = [];
  for (let at = 0; at + 2 <= data.length; ) {
    const end = at + 2 + ((data[at] ?? 0) | ((data[at + 1] ?? 0) << 8));
    if (end > data.length) throw new Fault('terminal.garbled', { bytes: data.length });
    fields.push(data.subarray(at + 2, end));
    at = end;
  }
  return fields;
};

/** Lines, each ended by a separator; a number with its high bit set says that an index of a text follows. */
const choicesIn = (lines: Uint8Array): MenuChoice[] => {
  const choices: MenuChoice[] = [];
  for (let at = 0; at < lines.length && choices.length < choicesMax; ) {
    const found = lines.indexOf(separator, at + 1);
    const end = found < 0 ? lines.length : found;
    const number = lines[at] ?? 0;
    choices.push({ line: number & 0x7f, text: number < 0x80 ? text.decode(lines.subarray(at + 1, end)) : '' });
    at = end + 1;
  }
  return choices;
};

/** The frame with which a reader asks. */
export const upcallFrame = (upcall: Upcall, header: Neo2Frame['header']): Neo2Frame => {
  const sub = upcall.kind === 'pin' ? subs.pin : subs.display;
  return { header, command: upcallCommand, sub, status: sub, data: upcallData(upcall) };
};

const fieldOf = (value: Uint8Array): Uint8Array => concat(Uint8Array.of(value.length & 0xff, value.length >> 8), value);

/** Half a minute, and English. */
const [waitS, language] = [Uint8Array.of(30, 0), text.encode('EN')];

/** No time, English, a text by its number in the second line, the light left on. */
const wordsFields = [new Uint8Array(0), language, Uint8Array.of(0x82, 0x03, separator), Uint8Array.of(0xff, 0xff)];

const upcallData = (upcall: Upcall): Uint8Array => {
  // Neither the reader nor its host is paired: no key serial number, and no number of a card goes along.
  if (upcall.kind === 'pin') return concat(Uint8Array.of(pinModes[upcall.for]), new Uint8Array(4), fieldOf(waitS));
  if (upcall.kind === 'words') return concat(Uint8Array.of(upcall.mode), ...wordsFields.map(fieldOf));
  const lines = upcall.choices.map((choice) =>
    concat(Uint8Array.of(choice.line), text.encode(choice.text), Uint8Array.of(separator)),
  );
  const fields = [waitS, language, concat(...lines), Uint8Array.of(0xff, 0xff)];
  return concat(Uint8Array.of(upcall.mode), ...fields.map(fieldOf));
};

/**
 * The host's answer: for a menu the number of the first line, for a key the one to go on with, each behind its mode and
 * a length; that there is no PIN. Undefined where none is wanted.
 */
export const upcallReply = (upcall: Upcall): Uint8Array | undefined => {
  const sub = upcall.kind === 'pin' ? subs.pin : subs.display;
  if (isMute(upcall)) return undefined;
  const data = upcall.kind === 'pin' ? Uint8Array.of(pinModes.cancel) : chosen(upcall);
  const frame = { header: 'ViVOtech2', command: upcallCommand, sub, data } as const;
  return encodeNeo2Frame(frame, fromHost);
};

/** Whether it wants no answer: words that are only shown. */
export const isMute = (upcall: Upcall): boolean => upcall.kind === 'words' && upcall.mode !== keyMode;

const chosen = (upcall: Exclude<Upcall, { kind: 'pin' }>): Uint8Array => {
  const answer = upcall.kind === 'menu' ? (upcall.choices[0]?.line ?? 1) : enterKey;
  return concat(Uint8Array.of(upcall.mode), fieldOf(Uint8Array.of(answer)));
};

/** What the host chose at a menu; undefined for an answer of another form. */
export const choiceIn = ({ data }: Neo2Frame): number | undefined => {
  const [, low, high, line] = data;
  return low === 1 && high === 0 ? line : undefined;
};

/** Whether the host's answer says that there will be no PIN. */
export const saysNoPin = ({ data }: Neo2Frame): boolean => data[0] === pinModes.cancel;
