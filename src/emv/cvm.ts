/**
 * Cardholder verification methods: the card's list (8E), the terminal's results (9F34), in words (EMV Book 3 Annex C3).
 */
import { Fault } from '../base/fault.ts';
import { toHex } from '../base/hex.ts';
import { type EntryMode, hasSecondCryptogram } from './entry-mode.ts';

/**
 * One rule or its result. `code` and `condition` are hex bytes; bit 7 of the code means: if it fails, try the next one.
 */
export type CvmRule = { code: string; condition: string };
/** `x` and `y` are amounts in minor units of the application's currency, which conditions 06 to 09 compare with. */
export type CvmList = { x: bigint; y: bigint; rules: CvmRule[] };
/** `result` 00 unknown, 01 failed, 02 successful. */
export type CvmResults = CvmRule & { result: string };

/** Tag 8E: two four-byte amounts, then at least one rule. Throws `emv.malformed`. */
export const parseCvmList = (bytes: Uint8Array): CvmList => {
  if (bytes.length < 10 || bytes.length > 252 || bytes.length % 2 !== 0) {
    throw new Fault('emv.malformed', {
      what: 'The CVM list',
      why: `${bytes.length} bytes, it has 8, then 2 for each of one or more rules`,
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const rules: CvmRule[] = [];
  for (let at = 8; at < bytes.length; at += 2) {
    rules.push({ code: toHex(bytes.subarray(at, at + 1)), condition: toHex(bytes.subarray(at + 1, at + 2)) });
  }
  return { x: BigInt(view.getUint32(0)), y: BigInt(view.getUint32(4)), rules };
};

/** Tag 9F34, three bytes. Throws `emv.malformed`. */
export const parseCvmResults = (bytes: Uint8Array): CvmResults => {
  if (bytes.length !== 3) {
    throw new Fault('emv.malformed', { what: 'CVM results', why: `${bytes.length} bytes, it has 3` });
  }
  const [code, condition, result] = [0, 1, 2].map((offset) => toHex(bytes.subarray(offset, offset + 1))) as [
    string,
    string,
    string,
  ];
  return { code, condition, result };
};

/** The methods by the low six bits of the code. */
const methods: Readonly<Record<number, string>> = {
  0: 'Fail CVM processing',
  1: 'Plaintext PIN verified by ICC',
  2: 'Enciphered PIN verified online',
  3: 'Plaintext PIN verified by ICC, and signature',
  4: 'Enciphered PIN verified by ICC',
  5: 'Enciphered PIN verified by ICC, and signature',
  6: 'Facial biometric verified offline',
  7: 'Facial biometric verified online',
  8: 'Finger biometric verified offline',
  9: 'Finger biometric verified online',
  10: 'Palm biometric verified offline',
  11: 'Palm biometric verified online',
  12: 'Iris biometric verified offline',
  13: 'Iris biometric verified online',
  14: 'Voice biometric verified offline',
  15: 'Voice biometric verified online',
  30: 'Signature',
  31: 'No CVM required',
  63: 'No CVM performed',
};

const conditions: Readonly<Record<string, string>> = {
  '00': 'always',
  '01': 'if unattended cash',
  '02': 'if not unattended cash, not manual cash and not purchase with cashback',
  '03': 'if the terminal supports it',
  '04': 'if manual cash',
  '05': 'if purchase with cashback',
  '06': 'if under X',
  '07': 'if over X',
  '08': 'if under Y',
  '09': 'if over Y',
};

const results: Readonly<Record<string, string>> = { '00': 'unknown', '01': 'failed', '02': 'successful' };

const methodOf = (code: string): number => Number.parseInt(code, 16) & 0x3f;

/** A rule for people: `Signature, if the terminal supports it, else the next rule`. */
export const cvmRuleWords = ({ code, condition }: CvmRule): string => {
  const method = methods[methodOf(code)] ?? `Method ${code}`;
  const goesOn = (Number.parseInt(code, 16) & 0x40) !== 0;
  return `${method}, ${conditions[condition] ?? `condition ${condition}`}${goesOn ? ', else the next rule' : ''}`;
};

/** Results for people: `Signature: unknown`. */
export const cvmResultsWords = ({ code, result }: CvmResults): string =>
  `${methods[methodOf(code)] ?? `Method ${code}`}: ${results[result] ?? `result ${result}`}`;

export type CvmVerification = 'onlinePin' | 'offlinePin' | 'signature' | 'device' | 'none';

/**
 * The verification that tag 9F34 (or its absence) reports. A failed method counts as no verification, and so does an
 * offline PIN that is not known to be right. A PIN checked by the card plus signature is `signature`, because that
 * still has to be taken.
 *
 * Mastercard's contactless kernel writes 010002 when the phone or watch verified its owner, which a contact chip writes
 * for a plaintext PIN; `mode` distinguishes the two, and without it the first is meant. Throws `emv.malformed`.
 */
export const verificationOf = (cvmResults: Uint8Array | undefined, mode?: EntryMode): CvmVerification => {
  if (cvmResults === undefined) return 'none';
  const { code, condition, result } = parseCvmResults(cvmResults);
  if (result === '01') return 'none';
  const method = methodOf(code);
  const onDevice = mode === undefined || !hasSecondCryptogram(mode);
  if (code === '01' && condition === '00' && result === '02' && onDevice) return 'device';
  if (method === 2) return 'onlinePin';
  if (method === 1 || method === 4) return result === '02' ? 'offlinePin' : 'none';
  if (method === 3 || method === 5 || method === 30) return 'signature';
  // Biometric methods with even codes are checked offline and must have succeeded; with odd codes the issuer decides.
  if (method >= 6 && method <= 15) return method % 2 === 0 && result !== '02' ? 'none' : 'device';
  return 'none';
};
