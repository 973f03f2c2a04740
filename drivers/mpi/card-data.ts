/** From what an MPI device says of a card to what the till may know of it: encrypted data, masks, and harmless tags. */
import { toHex } from '../../src/base/hex.ts';
import { hidden, printable } from '../../src/base/mask.ts';
import { verificationOf } from '../../src/emv/cvm.ts';
import type { EntryMode } from '../../src/emv/entry-mode.ts';
import { encodeTlv, find, type Tlv } from '../../src/emv/tlv.ts';
import type { CardData, Cryptogram, Encrypted } from '../terminal.ts';
import { type MaskedTrack2, maskOfDigits, maskOfTag57, maskOfText } from './masked.ts';

/**
 * The tags that travel to the host, those of ISO 8583 field 55. A list of what may, not of what may not: a unit with
 * test software also sends 57, 5A, 5F20 and 5F24 in clear, and they must stop here.
 */
const travels = new Set(
  `9F26 9F27 9F10 9F37 9F36 95 9B 9A 9C 9F02 5F2A 82 9F1A 9F03 9F33 9F34 9F35 9F1E 84 9F06 9F09 9F41 5F34 9F21 9F39
   9F6E 9F7C 9F24 9F19 9F5B`.split(/\s+/),
);

/** Every object that is no template, in order. */
export const flat = (tlvs: readonly Tlv[]): Tlv[] =>
  tlvs.flatMap((each) => (each.children === undefined ? [each] : flat(each.children)));

/** TLV hex of the tags that may travel, each once, in the device's order; undefined when there is none. */
export const harmless = (tlvs: readonly Tlv[]): string | undefined => {
  const seen = new Set<string>();
  const kept = flat(tlvs).filter(({ tag }) => {
    const keep = travels.has(tag) && !seen.has(tag);
    seen.add(tag);
    return keep;
  });
  return kept.length === 0 ? undefined : toHex(encodeTlv(kept));
};

/** Tags DFAE02 and DFAE03: all ciphertexts, each with the key serial number that follows it. */
export const sredOf = (tlvs: readonly Tlv[]): Encrypted[] => {
  const all = flat(tlvs);
  return all.flatMap(({ tag, value }, at) => {
    const ksn = all.slice(at + 1).find((later) => later.tag === 'DFAE02' || later.tag === 'DFAE03');
    return tag === 'DFAE02' && ksn?.tag === 'DFAE03' ? [{ data: toHex(value), ksn: toHex(ksn.value) }] : [];
  });
};

const kinds: Readonly<Record<number, Cryptogram['kind']>> = { 128: 'ARQC', 64: 'TC', 0: 'AAC' };

/** Tags 9F26 and 9F27. */
export const cryptogramOf = (tlvs: readonly Tlv[]): Cryptogram | undefined => {
  const value = hexOf(tlvs, '9F26');
  const kind = kinds[(find(tlvs, '9F27')?.value[0] ?? 0xff) & 0xc0];
  return value === undefined || kind === undefined ? undefined : { kind, value };
};

/** What the second cryptogram and the receipt have in common. */
export const chipResults = (tlvs: readonly Tlv[]) => ({
  ...present('cryptogram', cryptogramOf(tlvs)),
  ...present('tvr', hexOf(tlvs, '95')),
  ...present('tsi', hexOf(tlvs, '9B')),
});

/** The masked track 2 that the device gives of a chip (DFAE57) or a stripe (DFAE22). */
export const maskedTrackOf = (tlvs: readonly Tlv[]): MaskedTrack2 | undefined => {
  const chip = find(tlvs, 'DFAE57') ?? find(tlvs, '57');
  if (chip !== undefined) return maskOfTag57(chip.value);
  const stripe = find(tlvs, 'DFAE22');
  return stripe === undefined ? undefined : maskOfText(Buffer.from(stripe.value).toString('latin1'));
};

/** What the till is told of a chip, a tap or a typed number. `given`: the children of the answer's template. */
export const cardDataOf = (given: readonly Tlv[], entryMode: EntryMode): CardData => {
  const tlvs = flat(given);
  const number = find(tlvs, 'DFAE5A') ?? find(tlvs, '5A');
  const psn = hexOf(tlvs, '5F34');
  const cvm = find(tlvs, '9F34')?.value;
  return {
    entryMode,
    maskedPan: number === undefined ? (maskedTrackOf(tlvs)?.maskedPan ?? hidden) : maskOfDigits(number.value),
    sred: sredOf(tlvs),
    verification: cvm?.length === 3 ? verificationOf(cvm, entryMode) : 'none',
    ...present('panSequence', psn !== undefined && /^\d+$/.test(psn) ? psn : undefined),
    ...present('icc', find(tlvs, '9F26') === undefined ? undefined : harmless(tlvs)),
    ...present('aid', hexOf(tlvs, '84') ?? hexOf(tlvs, '4F') ?? hexOf(tlvs, '9F06')),
    ...present('label', labelOf(tlvs)),
    ...chipResults(tlvs),
  };
};

/** The preferred name when it is written in Latin letters (9F11 absent or 01), else the label. */
const labelOf = (tlvs: readonly Tlv[]): string | undefined => {
  const latin = (find(tlvs, '9F11')?.value[0] ?? 1) === 1;
  const preferred = latin ? textOf(tlvs, '9F12') : undefined;
  return preferred ?? textOf(tlvs, '50');
};

const textOf = (tlvs: readonly Tlv[], tag: string): string | undefined => {
  const value = find(tlvs, tag)?.value;
  const text = value === undefined ? '' : printable(Buffer.from(value).toString('latin1'), 16).trim();
  return text === '' ? undefined : text;
};

export const hexOf = (tlvs: readonly Tlv[], tag: string): string | undefined => {
  const value = find(tlvs, tag)?.value;
  return value === undefined || value.length === 0 ? undefined : toHex(value);
};

/** A property, or none: `exactOptionalPropertyTypes` tells undefined from absent. */
export const present = <K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } =>
  value === undefined ? {} : ({ [name]: value } as { [P in K]: V });

/** Whether a tap gave chip or stripe data: tag 9F39 says so, else the mode of DF30, else whether a cryptogram came. */
export const tapMode = (given: readonly Tlv[]): EntryMode => {
  const tlvs = flat(given);
  const entry = hexOf(tlvs, '9F39');
  if (entry === '07' || entry === '91') return entry === '07' ? 'NFC_ICC' : 'NFC_MAGSTRIPE';
  const mode = find(tlvs, 'DF30')?.value[1];
  const chip = mode === undefined ? find(tlvs, '9F26') !== undefined : mode === 1;
  return chip ? 'NFC_ICC' : 'NFC_MAGSTRIPE';
};
