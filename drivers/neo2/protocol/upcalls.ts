/**
 * A NEO 2 reader's requests to its host during a transaction (command 61), and the host's answers under the same
 * numbers. Sources: NEO 2 IDG 80139403-002, p197 to p202; the answers to a choice and a key: the vendor's public logs
 * (github IDTSQATW/test_tree, CR080 and CR070), whose readers continued after them.
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat } from '../../../src/base/hex.ts';
import { text } from '../../codec.ts';
import { encodeNeo2Frame, type Neo2Frame } from '../../framing/neo2-frame.ts';
import { fromHost } from './commands.ts';

export const upcallCommand = 0x61;

/** A menu line: its number, and its text where the reader sends one. */
type MenuChoice = { line: number; text: string };

export type Upcall =
  /** 61-01 with mode 01: the customer should choose one of these. */
  | { kind: 'menu'; mode: number; choices: readonly MenuChoice[] }
  /** 61-01 with any other mode: a text for a display, or a request for a key. */
  | { kind: 'words'; mode: number }
  /** 61-02: a reader without keys asks its host for a PIN, for the issuer (01, 02) or for the card (03). */
  | { kind: 'pin'; for: 'host' | 'card' };

const subs = { display: 0x01, pin: 0x02 } as const;
/** A menu, and a menu of languages. */
const menuModes: readonly number[] = [0x01, 0x08];
/** Asks for a key; other displays need no answer. The key to continue is E. */
const keyMode = 0x02;
const enterKey = 0x45;
const pinModes = { cancel: 0x00, host: 0x01, card: 0x03 } as const;
/** Ends a menu line. */
const separator = 0x1c;
const choicesMax = 16;

/** Whether this is a request: a reader's answer to a host's own 61 command has status 00. */
export const isUpcall = ({ command, sub, status }: Neo2Frame): boolean =>
  command === upcallCommand && [1, 2, 3].includes(sub ?? status ?? 0);

/** Throws `terminal.garbled` for data that ends too early; undefined for requests that the driver does not use. */
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
  for (let offset = 0; offset + 2 <= data.length; ) {
    const end = offset + 2 + ((data[offset] ?? 0) | ((data[offset + 1] ?? 0) << 8));
    if (end > data.length) throw new Fault('terminal.garbled', { bytes: data.length });
    fields.push(data.subarray(offset + 2, end));
    offset = end;
  }
  return fields;
};

/** Lines, each ended by a separator; a number with its high bit set is followed by the index of a text. */
const choicesIn = (lines: Uint8Array): MenuChoice[] => {
  const choices: MenuChoice[] = [];
  for (let offset = 0; offset < lines.length && choices.length < choicesMax; ) {
    const found = lines.indexOf(separator, offset + 1);
    const end = found < 0 ? lines.length : found;
    const number = lines[offset] ?? 0;
    choices.push({ line: number & 0x7f, text: number < 0x80 ? text.decode(lines.subarray(offset + 1, end)) : '' });
    offset = end + 1;
  }
  return choices;
};

export const upcallFrame = (upcall: Upcall, header: Neo2Frame['header']): Neo2Frame => {
  const sub = upcall.kind === 'pin' ? subs.pin : subs.display;
  return { header, command: upcallCommand, sub, status: sub, data: upcallData(upcall) };
};

const fieldOf = (value: Uint8Array): Uint8Array => concat(Uint8Array.of(value.length & 0xff, value.length >> 8), value);

/** Half a minute, and English. */
const [waitS, language] = [Uint8Array.of(30, 0), text.encode('EN')];

/** No time, English, a text by its number in the second line, the light unchanged. */
const wordsFields = [new Uint8Array(0), language, Uint8Array.of(0x82, 0x03, separator), Uint8Array.of(0xff, 0xff)];

const upcallData = (upcall: Upcall): Uint8Array => {
  // Neither the reader nor its host is paired: no key serial number and no card number is sent.
  if (upcall.kind === 'pin') return concat(Uint8Array.of(pinModes[upcall.for]), new Uint8Array(4), fieldOf(waitS));
  if (upcall.kind === 'words') return concat(Uint8Array.of(upcall.mode), ...wordsFields.map(fieldOf));
  const lines = upcall.choices.map((choice) =>
    concat(Uint8Array.of(choice.line), text.encode(choice.text), Uint8Array.of(separator)),
  );
  const fields = [waitS, language, concat(...lines), Uint8Array.of(0xff, 0xff)];
  return concat(Uint8Array.of(upcall.mode), ...fields.map(fieldOf));
};

/**
 * The host's answer. Menu: the number of the first line; key: the one to continue; each after its mode and a length.
 * PIN: the answer that there is none. Undefined where no answer is expected.
 */
export const upcallReply = (upcall: Upcall): Uint8Array | undefined => {
  const sub = upcall.kind === 'pin' ? subs.pin : subs.display;
  if (needsNoAnswer(upcall)) return undefined;
  const data = upcall.kind === 'pin' ? Uint8Array.of(pinModes.cancel) : encodeChoice(upcall);
  const frame = { header: 'ViVOtech2', command: upcallCommand, sub, data } as const;
  return encodeNeo2Frame(frame, fromHost);
};

/** Whether it expects no answer: a text that is only shown. */
export const needsNoAnswer = (upcall: Upcall): boolean => upcall.kind === 'words' && upcall.mode !== keyMode;

const encodeChoice = (upcall: Exclude<Upcall, { kind: 'pin' }>): Uint8Array => {
  const answer = upcall.kind === 'menu' ? (upcall.choices[0]?.line ?? 1) : enterKey;
  return concat(Uint8Array.of(upcall.mode), fieldOf(Uint8Array.of(answer)));
};

/** The host's choice in a menu; undefined for an answer of another form. */
export const choiceIn = ({ data }: Neo2Frame): number | undefined => {
  const [, low, high, line] = data;
  return low === 1 && high === 0 ? line : undefined;
};
