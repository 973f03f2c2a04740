/**
 * One row per property of an MMS device that the driver or the simulator uses: its name on the wire, the form of the
 * manual's example, and the type of its value. Source: MagTek, DynaFlex family programmer's manual, "Configuration".
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { byte, type Codec, ownBytes, text } from '../../codec.ts';

// The names of MMS properties: arcs like 2.3.1.2.1.1, written on the wire in one of three forms. A device answers in
// the form of the question; all forms are read. Source: MagTek, DynaFlex family programmer's manual, "Configuration",
// examples of the properties.

/**
 * `plain`: first arc in 85, middle ones in 87, the last as the tag of a TLV in 89. `company`: the same after the
 * manufacturer's own arc in 81. `nested`: after 81 and 85 all other arcs are nested tags.
 */
export type OidForm = 'plain' | 'company' | 'nested';
export type Property = { oid: string; value: Uint8Array };

const company = fromHex('2B06010401F609');
/** Tags of arcs: constructed on the way, primitive for the last one, which holds the value. */
const wayTag = 0xe0;
const lastTag = 0xc0;
const arcMax = 30;

const malformed = (reason: string): Fault => new Fault('emv.malformed', { what: 'A property name', why: reason });

const tagOf = (base: number, arc: number): string => (base | arc).toString(16).toUpperCase();

/** The TLVs that name a property and hold its value; in a question the value is empty. Throws `emv.malformed`. */
export const encodeProperty = ({ oid, value }: Property, form: OidForm): Tlv[] => {
  const arcs = oid.split('.').map(Number);
  const [first = 0, ...rest] = arcs;
  const last = rest.pop() ?? 0;
  if (arcs.length < 3 || arcs.some((arc) => !(arc >= 1 && arc <= arcMax))) throw malformed('arcs go from 1 to 30');
  const leaf = tlv(tagOf(lastTag, last), value);
  const begin = [...(form === 'plain' ? [] : [tlv('81', company)]), tlv('85', Uint8Array.of(first))];
  if (form !== 'nested') return [...begin, tlv('87', Uint8Array.from(rest)), tlv('89', encodeTlv([leaf]))];
  const nested = rest.reduceRight((inner, arc) => tlv(tagOf(wayTag, arc), [inner]), leaf);
  return [...begin, tlv('89', encodeTlv([nested]))];
};

/** Reads a property in any form. Throws `emv.malformed` or `tlv.malformed`. */
export const decodeProperty = (list: readonly Tlv[]): Property & { form: OidForm } => {
  const first = find(list, '85')?.value;
  const middle = find(list, '87')?.value ?? new Uint8Array(0);
  const end = find(list, '89')?.value;
  if (first === undefined || end === undefined) throw malformed('its first or last arc is missing');
  const arcs = [...concat(first, middle)];
  let [leaf] = decodeTlv(end);
  while (leaf?.children !== undefined) {
    arcs.push(Number.parseInt(leaf.tag, 16) & 0x1f);
    [leaf] = leaf.children;
  }
  if (leaf === undefined) throw malformed('it has no last arc');
  arcs.push(Number.parseInt(leaf.tag, 16) & 0x1f);
  const form = find(list, '81') === undefined ? 'plain' : find(list, '87') === undefined ? 'nested' : 'company';
  return { oid: arcs.join('.'), value: leaf.value.slice(), form };
};

export type PropertyRow<T> = { oid: string; form: OidForm; says: string; holds: Codec<T> };

const row = <T>(oid: string, form: OidForm, o: { says: string; holds: Codec<T> }): PropertyRow<T> => ({
  oid,
  form,
  ...o,
});

/** Four bytes: seven hex digits, then a zero that is not part of the number. */
const serial: Codec<string> = {
  encode: (value) => fromHex(value.padEnd(8, '0').slice(0, 8)),
  decode: (bytes) => (bytes.length === 4 ? toHex(bytes).replace(/(?<=^.{7})0$/, '') : text.decode(bytes)),
};

/** Slots 2000 to 201F, one bit each, lowest first. */
const slots: Codec<readonly string[]> = {
  encode(names) {
    const bits = new Uint8Array(4);
    for (const name of names) {
      const slot = Number.parseInt(name, 16) & 0x1f;
      bits[3 - (slot >> 3)] = (bits[3 - (slot >> 3)] ?? 0) | (1 << (slot & 7));
    }
    return bits;
  },
  decode: (bytes) =>
    [...bytes]
      .reverse()
      .flatMap((bits, index) =>
        [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => ((bits >> bit) & 1) === 1).map((bit) => 8 * index + bit),
      )
      .map((slot) => (0x2000 + slot).toString(16)),
};

/** Which DUKPT slot serves a purpose, and with which variant or usage. Slot 0000 means none. */
export type Mapping = { slot: string; usage: number };

const mapping: Codec<Mapping> = {
  encode: ({ slot, usage }) => Uint8Array.of(...fromHex(slot), usage),
  decode: (bytes) => ({ slot: toHex(bytes.subarray(0, 2)), usage: byte.decode(bytes.subarray(2)) }),
};

export const properties = {
  arpcTimeout: row('1.1.1.1.1.5', 'plain', { says: 'Seconds to wait for the host, FF the sale’s own', holds: byte }),
  arpcRetries: row('1.1.1.1.1.6', 'plain', { says: 'How often the ARQC is sent again', holds: byte }),
  pinKey: row('1.1.2.4.1.1', 'nested', { says: 'The key for PINs, Triple DES', holds: mapping }),
  dataKey: row('1.1.2.4.1.2', 'nested', { says: 'The key for account data', holds: mapping }),
  macKey: row('1.1.2.4.1.3', 'nested', { says: 'The key for MACs', holds: mapping }),
  pinKeyAes: row('1.1.2.4.1.7', 'nested', { says: 'The key for PINs, AES', holds: mapping }),
  fallback: row('1.2.1.1.1.1', 'nested', { says: 'Who leads the fallback: 00 the host, 01 the device', holds: byte }),
  resetControl: row('1.2.7.1.1.1', 'plain', { says: 'How the device tells of its resets', holds: byte }),
  resetSeen: row('1.2.7.1.1.2', 'plain', { says: '01 acknowledges the notice of a reset', holds: byte }),
  model: row('2.1.2.2.2.1', 'nested', { says: 'Model', holds: text }),
  firmware: row('2.1.2.2.2.2', 'nested', { says: 'Version of the main firmware', holds: text }),
  serial: row('2.2.1.1.1.1', 'company', { says: 'Serial number', holds: serial }),
  deviceKeys: row('2.3.1.1.1.1', 'nested', { says: 'Which keys of the device itself are there', holds: ownBytes }),
  transactionKeys: row('2.3.1.1.1.2', 'nested', { says: 'Which DUKPT slots are loaded', holds: slots }),
  tampered: row('2.3.1.1.2.3', 'plain', { says: '01 somebody opened it', holds: byte }),
  state: row('2.3.1.2.1.1', 'plain', { says: '01 offline, 02 online', holds: byte }),
  offlineWhy: row('2.3.1.2.1.2', 'plain', { says: 'What keeps it offline', holds: ownBytes }),
  battery: row('2.3.1.2.1.4', 'plain', { says: 'Charge in percent', holds: byte }),
} as const;

export type Properties = typeof properties;
export type PropertyName = keyof Properties;
export type PropertyValue<N extends PropertyName> = Properties[N] extends PropertyRow<infer T> ? T : never;

/** TypeScript cannot follow a row through a name of union type; the only place that asserts it. */
export const propertyRow = <N extends PropertyName>(name: N): PropertyRow<PropertyValue<N>> =>
  properties[name] as unknown as PropertyRow<PropertyValue<N>>;

/** The property with these arcs; undefined when no row has them. */
export const propertyNamed = (oid: string): PropertyName | undefined =>
  (Object.keys(properties) as PropertyName[]).find((name) => properties[name].oid === oid);

/** Why a device is offline: the bits of the first byte of `offlineWhy`, lowest first. */
export const offlineReasons = [
  'The terminal was opened by somebody',
  'There is a problem with its master key',
  'There is a problem with its keys or certificates',
  'There is a problem with its clock',
  'There is a problem with its random numbers',
  'There is a problem with its cryptography',
  'There is a problem with its stripe reader',
] as const;
