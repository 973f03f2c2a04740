/** The NIMBUS protocol as rows: the driver writes with them, the simulated terminal reads with the same rows. */

import type { Framer } from '../../../drivers/framing/framer.ts';
import type { Frames } from '../../../drivers/plain-terminal.ts';

/** A letter and text fields. Messages have no numbers: only payments have one, their trace. */
export type Message = { letter: string; fields: readonly string[] };

/** The letter of each command, and the letters of its answers. */
export const commands = {
  hello: { letter: 'H', answers: 'K' },
  pay: { letter: 'P', answers: 'AD' },
  refund: { letter: 'R', answers: 'AD' },
  reverse: { letter: 'V', answers: 'AD' },
  last: { letter: 'L', answers: 'ADN' },
  endOfDay: { letter: 'E', answers: 'TD' },
  cancel: { letter: 'C', answers: 'K' },
} as const;
export type CommandName = keyof typeof commands;
export const nameOf = (letter: string): CommandName | undefined =>
  (Object.keys(commands) as CommandName[]).find((name) => commands[name].letter === letter);

const eventNames = { K: 'done', A: 'approved', D: 'declined', N: 'none', T: 'day', S: 'status' } as const;
/** The name of a message, for people. */
export const wordOf = (letter: string): string | undefined =>
  nameOf(letter) ?? Object.entries(eventNames).find(([known]) => known === letter)?.[1];

/** The letter of unsolicited messages about what the customer is doing. */
export const notice = 'S';
export const events = ['presentCard', 'enterPin', 'authorising'] as const;
export const statuses: Partial<Record<string, string>> = { presentCard: 'card', enterPin: 'pin', authorising: 'host' };

/** A trace has 6 digits, an amount 12. */
export const digits = (value: string | bigint, count: 6 | 12): string => `${value}`.padStart(count, '0');

/** The simulated terminal's refusals; a real one can have others, each with its meaning. */
export const refusals = {
  busy: ['A0', 'another payment runs'],
  pulled: ['64', 'the card was pulled'],
  typed: ['C5', 'card numbers are not typed here'],
  unsupported: ['65', 'the card is not taken here'],
  chipRefuses: ['72', 'the chip refused'],
  useChip: ['7C', 'the chip is to be used'],
  lost: ['41', 'the card was lost'],
  stolen: ['43', 'the card was stolen'],
  restricted: ['62', 'the card may not do this'],
  expired: ['54', 'the card has expired'],
  wrongPin: ['55', 'the PIN is wrong'],
  noMoney: ['51', 'there is not enough money'],
  stopped: ['6C', 'it was stopped'],
  unknownReceipt: ['B5', 'there is no such payment'],
  alreadyReversed: ['B4', 'it was taken back before'],
} as const;

const [STX, ETX] = [0x02, 0x03];
const lrc = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum ^ byte, 0);

const encode = ({ letter, fields }: Message): Uint8Array => {
  const body = Buffer.from(`${[letter, ...fields].join('|')}\x03`, 'latin1');
  return Uint8Array.of(STX, ...body, lrc(body));
};

const framer: Framer<Message> = (buffer) => {
  const noise = (reason: string) => ({ kind: 'noise', size: 1, why: reason }) as const;
  if (buffer.length > 0 && buffer[0] !== STX) return noise('no frame starts with this byte');
  const end = buffer.indexOf(ETX);
  if (end < 0 || end + 1 === buffer.length) return undefined;
  if (lrc(buffer.subarray(1, end + 1)) !== buffer[end + 1]) return noise('the checksum is wrong');
  const [letter = '', ...fields] = Buffer.from(buffer.subarray(1, end)).toString('latin1').split('|');
  return { kind: 'frame', frame: { letter, fields }, size: end + 2 };
};

export const frames: Frames<Message> = { framer, sizeMax: 1_024, encode };
