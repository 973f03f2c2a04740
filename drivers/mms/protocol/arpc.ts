/**
 * The host's word for the card: FF74 with the device's serial number, and tags 8A, 91, 71 and 72.
 * Source: MagTek, DynaFlex family programmer's manual, "EMV ARPC Type".
 */
import type { Fault } from '../../../src/base/fault.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { issuerWord, tooLong } from '../../issuer-data.ts';
import type { HostVerdict } from '../../terminal.ts';

/** Code for tag 8A that the device itself takes for "could not ask". */
const unable = 'Z3';

/** The device takes lists of scripts of so many bytes. */
const scriptsMax = 128;

/** The block, and what was left out of it because it cannot be read or is too long. */
export const arpcBlock = (serial: Uint8Array, verdict: HostVerdict): { arpc: Uint8Array; leftOut: Fault[] } => {
  const leftOut: Fault[] = [];
  const { code, sent } = issuerWord(verdict, { unable, report: (why) => leftOut.push(why) });
  const list = [code];
  const issuer = sent.find(({ tag }) => tag === '91');
  if (issuer !== undefined) list.push(issuer);
  for (const tag of ['71', '72']) {
    let size = 0;
    for (const script of sent.filter((each) => each.tag === tag)) {
      size += encodeTlv([script]).length;
      // A script that does not fit is left out: the issuer sends it again, and the sale does not depend on it.
      if (size <= scriptsMax) list.push(script);
      else leftOut.push(tooLong(tag));
    }
  }
  const arpc = encodeTlv([tlv('FF74', [tlv('DFDF25', serial), tlv('FA', [tlv('70', list)])])]);
  return { arpc, leftOut };
};
