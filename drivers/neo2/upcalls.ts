/**
 * What a NEO 2 reader asks of its host in the middle of a transaction (command 61), and what the host answers under the
 * same numbers. The layout behind the first byte is assumed: see the README.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import { text } from '../codec.ts';
import { encodeNeo2Frame, type Neo2Frame } from '../framing/neo2-frame.ts';
import { fromHost } from './commands.ts';

export const upcallCommand = 0x61;

export type Upcall =
  /** 61-01 with mode 01: the customer is to choose one of these. */
  | { kind: 'menu'; choices: readonly string[] }
  /** 61-01 with any other mode: words for a display. */
  | { kind: 'words'; mode: number }
  /** 61-02: a PIN is entered at the reader, for the host (01) or for the card (03). */
  | { kind: 'pin'; for: 'host' | 'card' };

const subs = { display: 0x01, pin: 0x02 } as const;
const menuMode = 0x01;
const pinModes = { host: 0x01, card: 0x03 } as const;
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
  return mode === menuMode ? { kind: 'menu', choices: choicesIn(data.subarray(1)) } : { kind: 'words', mode };
};

/** Each choice: its length in two bytes, low byte first, and its text. */
const choicesIn = (data: Uint8Array): string[] => {
  const choices: string[] = [];
  for (let at = 0; at + 2 <= data.length && choices.length < choicesMax; ) {
    const length = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
    if (at + 2 + length > data.length) throw new Fault('terminal.garbled', { bytes: data.length });
    choices.push(text.decode(data.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return choices;
};

/** The frame with which a reader asks. */
export const upcallFrame = (upcall: Upcall, header: Neo2Frame['header']): Neo2Frame => {
  const sub = upcall.kind === 'pin' ? subs.pin : subs.display;
  return { header, command: upcallCommand, sub, status: sub, data: upcallData(upcall) };
};

const upcallData = (upcall: Upcall): Uint8Array => {
  if (upcall.kind === 'pin') return Uint8Array.of(pinModes[upcall.for]);
  if (upcall.kind === 'words') return Uint8Array.of(upcall.mode);
  const items = upcall.choices.map((choice) => {
    const bytes = text.encode(choice);
    return concat(Uint8Array.of(bytes.length & 0xff, bytes.length >> 8), bytes);
  });
  return concat(Uint8Array.of(menuMode), ...items);
};

/** The host's answer: the mode again, and for a menu the number of the choice, counted from 1. */
export const upcallReply = (upcall: Upcall): Uint8Array => {
  const sub = upcall.kind === 'pin' ? subs.pin : subs.display;
  const mode = upcallData(upcall).subarray(0, 1);
  const data = upcall.kind === 'menu' ? concat(mode, Uint8Array.of(1)) : mode;
  return encodeNeo2Frame({ header: 'ViVOtech2', command: upcallCommand, sub, data }, fromHost);
};
