/** Tracks 1 and 2 of the stripe and the chip's track 2 equivalent (ISO/IEC 7813; EMV Book 3, tags 57 and 9F6B). */
import { Fault } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';

export type Track2 = {
  /** 12 to 19 digits. */
  pan: string;
  /** YYMM. */
  expiry: string;
  /** Three digits. */
  serviceCode: string;
  /** Everything after the service code. */
  discretionary: string;
};

export type Track1 = Track2 & {
  /** The name as it is on the track, without the padding spaces. */
  name: string;
  surname: string;
  firstName?: string;
};

/** Characters between the sentinels. */
const TRACK2_MAX = 37;
/** The longest track 1 between the sentinels: 79 minus both sentinels and the check character. */
const TRACK1_MAX = 76;
const TAG57_BYTES_MAX = 19;

/** The longest texts that are parsed: a whole track with sentinels and check character. */
const TEXT_MAX = 80;

/** No fault of this file quotes its input: a card number would end up in logs. */
const refuse = (what: string, reason: string): Fault => new Fault('emv.malformed', { what, why: reason });

/** Track 2 as readers send it, `;PAN=YYMM SSS …?`, sentinels optional, separator `=` or `D`. Throws `emv.malformed`. */
export const parseTrack2 = (text: string): Track2 => {
  const what = 'Track 2';
  if (text.length > TEXT_MAX) throw refuse(what, `${text.length} characters`);
  const content = text.replace(/^;/, '').replace(/\?$/, '');
  if (content.length > TRACK2_MAX)
    throw refuse(what, `${content.length} characters, at most ${TRACK2_MAX} are possible`);
  const separator = content.search(/[=Dd]/);
  if (separator < 0) throw refuse(what, 'no separator');
  return parseFields(what, content.slice(0, separator), content.slice(separator + 1));
};

/**
 * Tag 57 or 9F6B: the digits of track 2 as nibbles, D as separator, one F after an odd number. Throws `emv.malformed`.
 */
export const parseTag57 = (bytes: Uint8Array): Track2 => {
  const what = 'Track 2 equivalent data';
  if (bytes.length > TAG57_BYTES_MAX)
    throw refuse(what, `${bytes.length} bytes, at most ${TAG57_BYTES_MAX} are possible`);
  const nibbles = toHex(bytes).replace(/F$/, '');
  const separator = nibbles.indexOf('D');
  if (separator < 0) throw refuse(what, 'no separator');
  return parseFields(what, nibbles.slice(0, separator), nibbles.slice(separator + 1));
};

const parseFields = (what: string, pan: string, rest: string): Track2 => {
  if (!/^\d*$/.test(pan) || !/^\d*$/.test(rest)) throw refuse(what, 'a character that is not a digit');
  return checkTrack(what, {
    pan,
    expiry: rest.slice(0, 4),
    serviceCode: rest.slice(4, 7),
    discretionary: rest.slice(7),
  });
};

const checkTrack = (what: string, track: Track2): Track2 => {
  const { pan, expiry, serviceCode } = track;
  if (!/^\d{12,19}$/.test(pan)) throw refuse(what, `a card number of ${pan.length} characters, it has 12 to 19 digits`);
  if (!/^\d\d(?:0[1-9]|1[0-2])$/.test(expiry)) throw refuse(what, 'an expiry date that is no year and month');
  if (!/^\d{3}$/.test(serviceCode)) throw refuse(what, 'a service code that is not three digits');
  return track;
};

/**
 * Track 1 of format B, `%B PAN^SURNAME/FIRST NAME^YYMM SSS …?`, sentinels optional. Throws `emv.malformed`.
 */
export const parseTrack1 = (text: string): Track1 => {
  const what = 'Track 1';
  if (text.length > TEXT_MAX) throw refuse(what, `${text.length} characters`);
  const content = text.replace(/^%/, '').replace(/\?$/, '');
  if (content.length > TRACK1_MAX)
    throw refuse(what, `${content.length} characters, at most ${TRACK1_MAX} are possible`);
  if (!content.startsWith('B')) throw refuse(what, 'it is not of format B');
  // Track 1 is six-bit: space to underscore, without the separators.
  if (!/^[ -$&->@-_]*$/.test(content)) throw refuse(what, 'a character that the track cannot hold');
  const [pan = '', field = '', rest = '', ...more] = content.slice(1).split('^');
  if (content.split('^').length < 3 || more.length > 0) throw refuse(what, 'it does not have two ^ separators');
  if (field.length < 2 || field.length > 26) throw refuse(what, `a name of ${field.length} characters, it has 2 to 26`);
  const track = checkTrack(what, {
    pan,
    expiry: rest.slice(0, 4),
    serviceCode: rest.slice(4, 7),
    discretionary: rest.slice(7),
  });
  return { ...track, ...nameParts(field.trimEnd()) };
};

const nameParts = (name: string): { name: string; surname: string; firstName?: string } => {
  const slash = name.indexOf('/');
  if (slash < 0) return { name, surname: name };
  return { name, surname: name.slice(0, slash).trimEnd(), firstName: name.slice(slash + 1).trim() };
};

/** `;PAN=YYMM SSS …?` without the space. Throws `emv.malformed` for what `parseTrack2` would refuse. */
export const printTrack2 = (track: Track2): string => {
  const text = `;${track.pan}=${printAfterSeparator(track)}?`;
  parseTrack2(text);
  return text;
};

/** The value of tag 57. Throws `emv.malformed` for what `parseTag57` would refuse. */
export const printTag57 = (track: Track2): Uint8Array => {
  const nibbles = `${track.pan}D${printAfterSeparator(track)}`;
  if (!/^\d+D\d+$/.test(nibbles)) throw refuse('Track 2 equivalent data', 'a character that is not a digit');
  const bytes = fromHex(nibbles.length % 2 === 0 ? nibbles : `${nibbles}F`);
  parseTag57(bytes);
  return bytes;
};

/** `%B PAN^NAME^YYMM SSS …?` without the spaces. Throws `emv.malformed` for what `parseTrack1` would refuse. */
export const printTrack1 = (track: Track2 & { name: string }): string => {
  const text = `%B${track.pan}^${track.name.padEnd(2)}^${printAfterSeparator(track)}?`;
  parseTrack1(text);
  return text;
};

const printAfterSeparator = ({ expiry, serviceCode, discretionary }: Track2): string => {
  // Only their fixed widths separate expiry date and service code once they are concatenated.
  if (expiry.length !== 4 || serviceCode.length !== 3) {
    throw refuse('Track data', 'the expiry has four digits and the service code three');
  }
  return `${expiry}${serviceCode}${discretionary}`;
};

// The three digits after the expiry on a stripe: where the card works and how to treat it (ISO/IEC 7813).

const first: Readonly<Record<string, string>> = {
  '1': 'international',
  '2': 'international, use the chip',
  '5': 'national',
  '6': 'national, use the chip',
  '7': 'private, by agreement',
  '9': 'test card',
};

const second: Readonly<Record<string, string>> = {
  '0': 'normal authorisation',
  '2': 'authorise by issuer',
  '4': 'authorise by issuer unless agreed otherwise',
};

const third: Readonly<Record<string, string>> = {
  '0': 'no restrictions, PIN required',
  '1': 'no restrictions',
  '2': 'goods and services only',
  '3': 'ATM only, PIN required',
  '4': 'cash only',
  '5': 'goods and services only, PIN required',
  '6': 'no restrictions, PIN if there is a PIN pad',
  '7': 'goods and services only, PIN if there is a PIN pad',
};

/** The service code in words, also for digits without a meaning. */
export const serviceCodeWords = (serviceCode: string): string =>
  [first, second, third].map((words, i) => words[serviceCode.charAt(i)] ?? 'not assigned').join('; ');

/** Whether the card has a chip, so that swiping it at a chip terminal is a fallback. */
export const hasChip = (serviceCode: string): boolean => /^[26]\d\d$/.test(serviceCode);

/** Whether a swipe of this card requires a PIN where there is a PIN pad. */
export const wantsPin = (serviceCode: string): boolean => /^\d\d[03567]$/.test(serviceCode);
