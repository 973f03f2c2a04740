/** The answers of NEO 2 readers that are more than a row of fields: key states and entered PINs. */
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { overwrite, readHex } from '../../../src/base/overwrite.ts';
import { type Codec, malformed } from '../../codec.ts';

/**
 * 81-0B: 00 unused, 01 valid, 02 used up, FF not available; then the key serial number, 10 or 12 bytes, hex. Its table
 * has a length before it (IDG p345), the length of its frame leaves no room for that (p344): both are read.
 */
export type KeyAnswer = { state: 'unused' | 'valid' | 'ended' | 'none'; ksn?: string; withoutLength?: true };

const states = { unused: 0x00, valid: 0x01, ended: 0x02, none: 0xff } as const;

export const keyAnswer: Codec<KeyAnswer> = {
  encode({ state, ksn, withoutLength }) {
    if (ksn === undefined) return Uint8Array.of(states[state]);
    const length = withoutLength ? [] : [ksn.length / 2];
    return concat(Uint8Array.of(states[state], ...length), fromHex(ksn));
  },
  decode(raw) {
    const name = (Object.keys(states) as KeyAnswer['state'][]).find((each) => states[each] === raw[0]);
    if (name === undefined) throw malformed('A key state', 'it is none of those in the manual');
    const behind = raw.subarray(raw.length === 12 || raw.length === 14 ? 2 : 1);
    return { state: name, ...(behind.length === 10 || behind.length === 12 ? { ksn: toHex(behind) } : {}) };
  },
};

/** What became of a PIN entry: the last frame of 62-01. */
export type Neo2PinAnswer =
  | { kind: 'entered'; data: Uint8Array; ksn: string }
  | { kind: 'customerCancelled' | 'hostCancelled' | 'noKey' | 'failed'; code: number };

const ends: Readonly<Record<number, 'customerCancelled' | 'hostCancelled' | 'noKey'>> = {
  1: 'customerCancelled',
  2: 'hostCancelled',
  5: 'noKey',
  6: 'noKey',
};
export const pinEnds = { customerCancelled: 1, hostCancelled: 2, keyUsedUp: 6 } as const;

/** Characters of key serial number and block, by the length of both: TDES and AES in all their pairs. */
const pinForms: Readonly<Record<number, number>> = { 36: 20, 40: 24, 52: 20, 56: 24 };

/** State, then serial number and PIN block as hexadecimal characters. */
export const pinAnswer: Codec<Neo2PinAnswer> = {
  encode: (value) =>
    value.kind === 'entered'
      ? concat(Uint8Array.of(0), Buffer.from(value.ksn + toHex(value.data), 'latin1'))
      : Uint8Array.of(value.code),
  decode(raw) {
    const [code] = raw;
    if (code === undefined) throw malformed('A PIN entry', 'its state is missing');
    if (code !== 0) return { kind: ends[code] ?? 'failed', code };
    const characters = raw.subarray(1);
    const ksnLength = pinForms[characters.length];
    const [ksn, data] = [readHex(characters.subarray(0, ksnLength)), readHex(characters.subarray(ksnLength))];
    if (ksnLength === undefined || ksn === undefined || data === undefined)
      throw malformed('A PIN entry', 'it has no block');
    return { kind: 'entered', ksn: toHex(ksn), data };
  },
};

/** Tag 99: the encrypted block of 8 or 16 bytes, then the PIN key's serial number of 10 or 12. */
const tag99Forms: Readonly<Record<number, number>> = { 18: 8, 20: 8, 26: 16, 28: 16 };

/** Takes the PIN out: its bytes are overwritten where they stood. Undefined for any other length. */
export const pinOfTag99 = (value: Uint8Array): { data: Uint8Array; ksn: string } | undefined => {
  const size = tag99Forms[value.length];
  if (size === undefined) return undefined;
  const pin = { data: value.slice(0, size), ksn: toHex(value.subarray(size)) };
  overwrite(value);
  return pin;
};
