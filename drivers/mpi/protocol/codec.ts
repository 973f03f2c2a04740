/** MPI's additions to the codecs of the command table: texts, templates, and answers of several kinds. */
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, findAll, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import {
  type Codec,
  digits,
  type Fields,
  type FieldValues,
  field,
  hex,
  malformed,
  ownBytes,
  readFields,
  writeFields,
} from '../../codec.ts';

// Texts, and fields in a template.

/** Printable ASCII; other characters are sent as a question mark and read as Latin-1. */
export const text: Codec<string> = {
  encode: (value) => new Uint8Array(Buffer.from(value.replace(/[^\x20-\x7e\n]/g, '?'), 'latin1')),
  decode: (raw) => Buffer.from(raw).toString('latin1'),
};

/** A constructed TLV. Writes the fields in the table's order; reads them in any order. Unknown tags are ignored. */
export const template = <F extends Fields>(tag: string, fields: F): Codec<FieldValues<F>> => ({
  encode: (values) => encodeTlv([tlv(tag, writeFields(fields, values))]),
  decode: (raw) => readFields(fields, templateIn(decodeTlv(raw), tag), `Template ${tag}`),
});

/** The children of the template with this tag. Throws `emv.malformed` when it is not there. */
export const templateIn = (list: readonly Tlv[], tag: string): readonly Tlv[] => {
  const found = find(list, tag);
  if (found === undefined) throw malformed('An MPI message', `template ${tag} is missing`);
  return found.children ?? decodeTlv(found.value);
};

/**
 * The device's components: `parts` are its programs, such as M000-MPI and M000-OS, in this order. `extended`: it takes
 * commands that are longer than a block.
 */
export type ResetAnswer = {
  serial: string;
  parts: readonly { name: string; version: string }[];
  extended?: boolean;
};

const EXTENDED = 'Extended APDU';

export const resetAnswer: Codec<ResetAnswer> = {
  encode: ({ serial, parts, extended = false }) =>
    encodeTlv([
      tlv('E1', [
        tlv('9F1E', text.encode(serial)),
        ...parts.map(({ name, version }) =>
          tlv('EF', [tlv('DF0D', text.encode(name)), tlv('DF7F', text.encode(version))]),
        ),
        ...(extended ? [tlv('ED', [tlv('DF0D', text.encode(EXTENDED))])] : []),
      ]),
    ]),
  decode(raw) {
    const list = decodeTlv(raw);
    const serial = findDeep(list, '9F1E');
    if (serial === undefined)
      throw new Fault('emv.malformed', { what: 'The reset answer', why: 'tag 9F1E is missing' });
    const reports = find(list, 'E1')?.children ?? list;
    const parts = findAll(reports, 'EF').map(({ children = [] }) => ({
      name: text.decode(find(children, 'DF0D')?.value ?? new Uint8Array(0)),
      version: text.decode(find(children, 'DF7F')?.value ?? new Uint8Array(0)),
    }));
    const abilities = findAll(reports, 'ED').map(
      ({ children = [] }) => find(children, 'DF0D')?.value ?? new Uint8Array(0),
    );
    const extended = abilities.some((ability) => text.decode(ability) === EXTENDED);
    return { serial: text.decode(serial.value), parts, extended: extended || undefined };
  },
};

export type MpiKeyStatus = { ready: boolean; pin: boolean; sred: boolean };

/** Tag DFAE01: bit 0 the device is ready, bit 1 for PINs, bit 2 for card data. */
export const keysAnswer: Codec<MpiKeyStatus> = {
  encode: ({ ready, pin, sred }) =>
    encodeTlv([tlv('E1', [tlv('DFAE01', Uint8Array.of((ready ? 1 : 0) | (pin ? 2 : 0) | (sred ? 4 : 0)))])]),
  decode(raw) {
    const bits = find(templateIn(decodeTlv(raw), 'E1'), 'DFAE01')?.value[0];
    if (bits === undefined) throw new Fault('emv.malformed', { what: 'The key state', why: 'tag DFAE01 is missing' });
    return { ready: (bits & 1) !== 0, pin: (bits & 2) !== 0, sred: (bits & 4) !== 0 };
  },
};

/** Tags 9A (YYMMDD) and 9F21 (HHMMSS) in the device's local time; absent when the device sends none. */
export type ClockAnswer = { date?: string; time?: string };

/** The place of the two tags is not public: they are searched for anywhere, and a missing clock is not an error. */
export const clockAnswer: Codec<ClockAnswer> = {
  encode: ({ date = '000000', time = '000000' }) =>
    encodeTlv([tlv('E1', [tlv('9A', digits(3).encode(date)), tlv('9F21', digits(3).encode(time))])]),
  decode(raw) {
    const [, date, time] = /9A03(\d{6})9F2103(\d{6})/.exec(toHex(raw)) ?? [];
    return date === undefined || time === undefined ? {} : { date, time };
  },
};

type MpiPinAnswer =
  | { kind: 'entered'; data: Uint8Array; ksn: string }
  /** `cancelled` is also the result when the customer took too long. */
  | { kind: 'cancelled' | 'bypassed' | 'failed'; code: number };

const codes = { cancelled: 0x08, bypassed: 0x0c, failed: 0x09 } as const;
const entered = template('E1', { data: field('DFAE04', ownBytes), ksn: field('DFAE05', hex) });

/** An encrypted PIN, or a one-byte body with the reason why there is none. */
export const pinAnswer: Codec<MpiPinAnswer> = {
  encode: (value) => (value.kind === 'entered' ? entered.encode(value) : Uint8Array.of(value.code)),
  decode(raw) {
    const [code] = raw;
    if (raw.length !== 1 || code === undefined) return { kind: 'entered', ...entered.decode(raw) };
    if (code === codes.cancelled) return { kind: 'cancelled', code };
    return { kind: code === codes.bypassed ? 'bypassed' : 'failed', code };
  },
};
