/** The terminal's information about itself: name and state, from the end of a registration or status enquiry. */
import { toHex } from '../../../src/base/hex.ts';
import { find, findDeep, type Tlv } from '../../../src/emv/tlv.ts';
import { present } from '../../codec.ts';
import { resultOf } from './codes.ts';
import { bmp, type CharacterSet, containerOf, decodeBmps, readText, tags } from './fields.ts';
import { characterSetIn } from './messages.ts';

export type ZvtTerminalInfo = {
  terminalId?: string;
  model?: string;
  firmware?: string;
  serial?: string;
  /** Two hex digits: 00 ready, otherwise the problem. */
  state?: string;
  /** Bits: 1 initialisation, 2 diagnosis, 4 personalisation is due. */
  due?: number;
  /** The character set of all its texts from now on, if it names one. */
  characters?: CharacterSet;
};

/**
 * Reads the data of a completion: a list of bitmaps, or in a status enquiry one state byte followed by such a list.
 * Unreadable data is ignored, because none of it concerns money. Missing values have no key: a status is merged over
 * the information from the registration.
 */
export const readAbout = (data: Uint8Array): ZvtTerminalInfo => {
  const plain = undefinedOnError(() => aboutOf(data));
  if (plain !== undefined) return plain;
  const rest = data.subarray(versionLength(data));
  const state = toHex(rest.subarray(0, 1));
  return present({ ...undefinedOnError(() => aboutOf(rest.subarray(1))), state: state || undefined });
};

/** A terminal that ignores the service byte begins with its version: three digits F0 to F9, then that many bytes. */
export const versionLength = (data: Uint8Array): number => {
  const digits = [...data.subarray(0, 3)].map((byte) => byte ^ 0xf0);
  if (digits.length < 3 || digits.some((digit) => digit > 9)) return 0;
  const length = 3 + digits.reduce((sum, digit) => 10 * sum + digit, 0);
  return length < data.length ? length : 0;
};

const aboutOf = (data: Uint8Array): ZvtTerminalInfo => {
  const list = decodeBmps(data);
  const objects = containerOf(list);
  const device = find(objects, tags.deviceInformation)?.children ?? objects;
  const id = bmp(list, '29');
  return present({
    characters: characterSetIn(objects),
    terminalId: id && toHex(id),
    model: textIn(device, tags.deviceName),
    firmware: textIn(device, tags.softwareVersion),
    serial: serialOf(device),
    due: bmp(list, '19')?.[0],
  });
};

const textIn = (objects: readonly Tlv[], tag: string): string | undefined => {
  const found = findDeep(objects, tag);
  return found && readText(found.value).trim();
};

/** The serial number is either text or plain digits. */
const serialOf = (objects: readonly Tlv[]): string | undefined => {
  const value = findDeep(objects, tags.serialNumber)?.value;
  if (value === undefined) return undefined;
  // No byte of a numeric serial number is dropped to read it as text: two devices would get the same number.
  const letters = Buffer.from(value).toString('latin1').trim();
  return /^[0-9A-Za-z-]+$/.test(letters) ? letters : toHex(value);
};

const undefinedOnError = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    // The data is not of this form: the caller tries the other form, or continues without the data.
    return undefined;
  }
};

const stateWords: Readonly<Record<string, string>> = {
  '51': 'The terminal must be initialised',
  '62': 'The clock of the terminal is wrong',
  '9C': 'The terminal is busy',
  '9D': 'The terminal waits for goods to be issued',
  C2: 'The terminal wants a diagnosis',
  CC: 'The printer of the terminal is not ready',
  DC: 'There is a card in the terminal',
  DF: 'The terminal is out of order',
  E1: 'A card was left in the terminal',
  F0: 'The end of day of the terminal is due',
};

/** The problems in whole sentences; none when all is well. */
export const problemsOf = ({ state = '00', due = 0 }: ZvtTerminalInfo): string[] => [
  ...(state === '00' ? [] : [stateWords[state] ?? `The terminal says: ${resultOf(state).says} (${state})`]),
  ...((due & 1) === 0 ? [] : ['The terminal must be initialised']),
  ...((due & 2) === 0 ? [] : ['The terminal wants a diagnosis']),
  ...((due & 4) === 0 ? [] : ['The terminal must be personalised']),
];

export const wantsDiagnosis = ({ state, due = 0 }: ZvtTerminalInfo): boolean => state === 'C2' || (due & 2) !== 0;
