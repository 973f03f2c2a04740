/**
 * The host's word for the card: FF74 with the device's serial number, and tags 8A, 91, 71 and 72.
 * Source: MagTek, DynaFlex family programmer's manual, "EMV ARPC Type".
 */
import { Fault } from '../../src/base/fault.ts';
import { fromHex } from '../../src/base/hex.ts';
import { decodeTlv, encodeTlv, type Tlv, tlv } from '../../src/emv/tlv.ts';
import type { HostVerdict } from '../terminal.ts';

/** Response codes for tag 8A when the host gave none. Z3 is what the device itself takes for "could not ask". */
const defaultCodes = { approved: '00', declined: '05', unableToGoOnline: 'Z3' } as const;

/** The device takes lists of scripts of so many bytes. */
const scriptsMax = 128;

/** The block, and what was left out of it because it cannot be read or is too long. */
export const arpcBlock = (serial: Uint8Array, verdict: HostVerdict): { arpc: Uint8Array; leftOut: Fault[] } => {
  const leftOut: Fault[] = [];
  const sent = verdict.kind === 'unableToGoOnline' || verdict.icc === undefined ? [] : issuerData(verdict.icc, leftOut);
  const own = verdict.kind === 'unableToGoOnline' ? undefined : verdict.arc;
  const list = [sent.find(({ tag }) => tag === '8A') ?? code(own ?? defaultCodes[verdict.kind])];
  const issuer = sent.find(({ tag }) => tag === '91');
  if (issuer !== undefined) list.push(issuer);
  for (const tag of ['71', '72']) {
    let size = 0;
    for (const script of sent.filter((each) => each.tag === tag)) {
      size += encodeTlv([script]).length;
      // A script that does not fit is left out: the issuer sends it again, and the sale does not depend on it.
      if (size <= scriptsMax) list.push(script);
      else leftOut.push(new Fault('emv.malformed', { what: `Issuer data ${tag}`, why: 'it is too long' }));
    }
  }
  const arpc = encodeTlv([tlv('FF74', [tlv('DFDF25', serial), tlv('FA', [tlv('70', list)])])]);
  return { arpc, leftOut };
};

const code = (text: string): Tlv => tlv('8A', new Uint8Array(Buffer.from(text.slice(0, 2).padStart(2, '0'), 'latin1')));

const issuerData = (icc: string, leftOut: Fault[]): Tlv[] => {
  try {
    return decodeTlv(fromHex(icc)).flatMap(issuerLeaves);
  } catch (error) {
    leftOut.push(
      error instanceof Fault ? error : new Fault('emv.malformed', { what: 'Issuer data', why: 'it is no TLV' }, error),
    );
    return [];
  }
};

/** Hosts put the tags side by side or into one template. */
const issuerLeaves = (object: Tlv): Tlv[] => {
  if (object.tag === '71' || object.tag === '72' || object.children === undefined) return [object];
  return object.children.flatMap(issuerLeaves);
};
