/** What the till learns about a card from its unencrypted EMV tags, whatever protocol wraps them. */
import { Fault } from '../src/base/fault.ts';
import { fromHex, toHex } from '../src/base/hex.ts';
import { hidden, printable } from '../src/base/mask.ts';
import { verificationOf } from '../src/emv/cvm.ts';
import type { EntryMode } from '../src/emv/entry-mode.ts';
import { decodeTlv, type Tlv, tlv } from '../src/emv/tlv.ts';
import { wantsPin } from '../src/emv/tracks.ts';
import { present } from './codec.ts';
import type { CardData, Cryptogram, HostVerdict, Verification } from './terminal.ts';

/** Looks up the value of a tag in the device's message; undefined when the tag is not there unencrypted. */
export type ClearValueLookup = (tag: string) => Uint8Array | undefined;

/**
 * The tags that travel to the host, those of ISO 8583 field 55. This is a list of what is allowed, not of what is
 * forbidden: a device without keys, or with test software, also sends 57, 5A, 5F20 and 5F24 unencrypted, and they must
 * stop here.
 */
export const travels: ReadonlySet<string> = new Set(
  `9F26 9F27 9F10 9F37 9F36 95 9B 9A 9C 9F02 5F2A 82 9F1A 9F03 9F33 9F34 9F35 9F1E 84 9F06 9F09 9F41 5F34 9F21 9F39
   9F6E 9F7C 9F24 9F19 9F5B`.split(/\s+/),
);

/** The objects that are allowed to leave, in the device's order. Of repeated tags only the first counts. */
export const selectTags = <T extends { tag: string }>(list: readonly T[], isWanted: (each: T) => boolean): T[] => {
  const seenTags = new Set<string>();
  return list.filter((each) => {
    const leaves = !seenTags.has(each.tag) && isWanted(each);
    seenTags.add(each.tag);
    return leaves;
  });
};

/** A value in hex; undefined when it is missing or empty. */
export const hexOf = (value: Uint8Array | undefined): string | undefined =>
  value === undefined || value.length === 0 ? undefined : toHex(value);

const kinds: Readonly<Record<number, Cryptogram['kind']>> = { 128: 'ARQC', 64: 'TC', 0: 'AAC' };

/** Tags 9F26 and 9F27 (EMV Book 3, table 14). */
export const cryptogramOf = (clear: ClearValueLookup): Cryptogram | undefined => {
  const value = hexOf(clear('9F26'));
  const kind = kinds[(clear('9F27')?.[0] ?? 0xff) & 0xc0];
  return value === undefined || kind === undefined ? undefined : { kind, value };
};

/** The chip's results that both the second cryptogram and the receipt need. */
export const chipResults = (clear: ClearValueLookup): Pick<CardData, 'cryptogram' | 'tvr' | 'tsi'> =>
  present({ cryptogram: cryptogramOf(clear), tvr: hexOf(clear('95')), tsi: hexOf(clear('9B')) });

/** Tag 9F34; `none` when it is not there unencrypted. */
export const verificationFrom = (clear: ClearValueLookup, entryMode: EntryMode): Verification => {
  const results = clear('9F34');
  return results?.length === 3 ? verificationOf(results, entryMode) : 'none';
};

/** Tag 5F34; undefined when it is not a decimal number. */
export const panSequenceOf = (clear: ClearValueLookup): string | undefined => {
  const digits = hexOf(clear('5F34'));
  return digits !== undefined && /^\d+$/.test(digits) ? digits : undefined;
};

/** Everything that a chip or a tap reveals unencrypted, except the card number. */
export const chipFacts = (clear: ClearValueLookup, entryMode: EntryMode) => ({
  verification: verificationFrom(clear, entryMode),
  ...chipResults(clear),
  ...present({
    panSequence: panSequenceOf(clear),
    aid: hexOf(clear('84')) ?? hexOf(clear('4F')) ?? hexOf(clear('9F06')),
    label: labelOf(clear),
  }),
});

/** The preferred name when it is written in Latin letters (9F11 absent or 01), else the label. */
const labelOf = (clear: ClearValueLookup): string | undefined => {
  const latin = (clear('9F11')?.[0] ?? 1) === 1;
  return (latin ? textOf(clear('9F12')) : undefined) ?? textOf(clear('50'));
};

const textOf = (value: Uint8Array | undefined): string | undefined => {
  const text = value === undefined ? '' : printable(Buffer.from(value).toString('latin1'), 16).trim();
  return text === '' ? undefined : text;
};

// Card numbers and tracks that a device has masked in its own way; their hidden digits are already replaced by stars.

/**
 * Keeps the first six and last four digits, whatever the device left readable; other digits may already be masked. A
 * text that is not a card number is hidden completely.
 */
export const normaliseMask = (number: string): string => {
  if (!/^[\d*]{12,19}$/.test(number)) return hidden;
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
};

/** The service code in the data after a track's separator (ISO/IEC 7813); undefined where the device masks it. */
export const serviceCodeOf = (rest: string): string | undefined => /^\d{3}$/.exec(rest.slice(4, 7))?.[0];

// Whether a swiped card requires a PIN. Service codes are those of ISO/IEC 7813.

/**
 * A third digit of 0, 3 or 5 requires a PIN; 6 or 7 requires one where there is a PIN pad; every other or unknown code
 * requires a signature. Throws `terminal.unready` when the card requires a PIN and the device has no key for it.
 */
export const takesStripePin = (serviceCode: string | undefined, keys: { pinKey: boolean }): boolean => {
  if (serviceCode === undefined || !wantsPin(serviceCode)) return false;
  if (keys.pinKey) return true;
  if (/[67]$/.test(serviceCode)) return false;
  throw new Fault('terminal.unready', { why: 'the card wants a PIN and it has no PIN key' });
};

// What a host's answer contains for the card: the response code in tag 8A, and the issuer's tags 91, 71 and 72.

export type IssuerReply = {
  /** Tag 8A: the issuer's own code, else the host's, else one with the same meaning. */
  code: Tlv;
  /** Everything the host sent for the card; all templates are opened except those of scripts. */
  sent: readonly Tlv[];
};

type UnableCode = {
  /** Two characters for tag 8A when the issuer could not be reached: Y3 in EMV Book 4, Annex A6. */
  unable: string;
  /** Receives the fault when issuer data cannot be read. The data is left out: the card can answer without it. */
  report(fault: Fault): void;
};

/** Extracts the issuer's data from the verdict. Hosts send the tags side by side or in one template. */
export const issuerReply = (verdict: HostVerdict, { unable, report }: UnableCode): IssuerReply => {
  if (verdict.kind === 'unableToGoOnline') return { code: codeOf(unable), sent: [] };
  const { kind, arc = kind === 'approved' ? '00' : '05', icc } = verdict;
  const sent = icc === undefined ? [] : issuerTags(icc, report);
  return { code: sent.find(({ tag }) => tag === '8A') ?? codeOf(arc), sent };
};

/**
 * Tags 8A, 91, 71 and 72, in this order, as far as the device takes them: `fits` receives the list so far including the
 * next tag. A script that does not fit is left out and reported: the issuer sends it again, and the sale does not
 * depend on it.
 */
export const issuerList = (
  verdict: HostVerdict,
  { fits, ...rest }: UnableCode & { fits(list: readonly Tlv[]): boolean },
): readonly Tlv[] => {
  const { code, sent } = issuerReply(verdict, rest);
  const list = [code];
  for (const tag of ['91', '71', '72']) {
    for (const each of sent.filter((one) => one.tag === tag)) {
      if (fits([...list, each])) list.push(each);
      else rest.report(issuerDataTooLong(tag));
    }
  }
  return list;
};

/** The fault that is reported when issuer data is left out because it is too long. */
export const issuerDataTooLong = (tag: string): Fault =>
  new Fault('emv.malformed', { what: `Issuer data ${tag}`, why: 'it is too long' });

const codeOf = (text: string): Tlv =>
  tlv('8A', new Uint8Array(Buffer.from(text.slice(0, 2).padStart(2, '0'), 'latin1')));

const issuerTags = (icc: string, report: (fault: Fault) => void): Tlv[] => {
  try {
    return decodeTlv(fromHex(icc)).flatMap(leavesOf);
  } catch (error) {
    const malformed = new Fault('emv.malformed', { what: 'Issuer data', why: 'it is no TLV' }, error);
    report(error instanceof Fault ? error : malformed);
    return [];
  }
};

const leavesOf = (object: Tlv): Tlv[] =>
  object.tag === '71' || object.tag === '72' || object.children === undefined
    ? [object]
    : object.children.flatMap(leavesOf);
