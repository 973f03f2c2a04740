/** The masked card numbers and tracks of an MPI device, made equal: it masks with F nibbles in bytes, stars in text. */
import { normalMask, serviceCodeOf } from '../../masked-pan.ts';
import { present } from '../../present.ts';

export type MpiMaskedTrack2 = {
  /** First six, stars, last four. */
  maskedPan: string;
  /** Undefined where the device masks it too. */
  serviceCode?: string;
  /** As PIN entry wants it back: `;476173******0010=1512201*********?`, without the card number ever in clear. */
  text: string;
};

/** Tag DFAE5A or 5A: two digits a byte, F for a masked digit. A number of odd length ends in one filling F. */
export const maskOfDigits = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString('hex').toUpperCase().replace(/F$/, '');
  return normalMask(text.replaceAll('F', '*'));
};

/** Tag DFA208: the typed number as text, in groups or not; whatever is no digit stands for a hidden one. */
export const maskOfTyped = (bytes: Uint8Array): string =>
  normalMask(Buffer.from(bytes).toString('latin1').replace(/\s/g, '').replace(/\D/g, '*'));

/** Tag DFAE57 or 57: number, D, expiry, service code, the rest. Undefined when there is no separator. */
export const maskOfTag57 = (bytes: Uint8Array): MpiMaskedTrack2 | undefined => {
  const [number, rest] = Buffer.from(bytes).toString('hex').toUpperCase().replace(/F$/, '').split('D');
  return number === undefined || rest === undefined ? undefined : masked(number, rest);
};

/** Tag DFAE22: one or more tracks as text, between their own sentinels. Track 2 of them, or undefined. */
export const maskOfText = (text: string): MpiMaskedTrack2 | undefined => {
  const match = /;([\d*]{12,19})=([\d*]{4,20})/.exec(text);
  if (match === null) return undefined;
  const track = masked(match[1] ?? '', match[2] ?? '');
  // The device compares it with what it said itself, so its own text goes back, if it is masked at all.
  return /\d{11}/.test(text) ? track : { ...track, text };
};

const masked = (number: string, rest: string): MpiMaskedTrack2 => {
  const maskedPan = normalMask(number.replaceAll('F', '*'));
  const shown = `${rest.slice(0, 7).replaceAll('F', '*')}${'*'.repeat(Math.max(rest.length - 7, 0))}`;
  return { maskedPan, text: `;${maskedPan}=${shown}?`, ...present({ serviceCode: serviceCodeOf(rest) }) };
};
