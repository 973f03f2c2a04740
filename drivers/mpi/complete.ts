/** The host's word, given to the chip for its second cryptogram (EMV Book 3, 10.9 to 10.11). */
import { Fault } from '../../src/base/fault.ts';
import { fromHex } from '../../src/base/hex.ts';
import { decodeTlv, encodeTlv, type Tlv, tlv } from '../../src/emv/tlv.ts';
import { chipResults } from '../card-facts.ts';
import type { ChipVerdict, HostVerdict } from '../terminal.ts';
import { apduDataMax } from './apdu.ts';
import { clearIn, flat, harmless } from './card-data.ts';
import type { MpiDevice } from './device.ts';
import { refused } from './device.ts';

/** Authorisation response codes for tag 8A when the host gave none (EMV Book 4 Annex A6 for Y3). */
const defaultCodes = { approved: '00', declined: '05', unableToGoOnline: 'Y3' } as const;

/** Asks the chip for its last word. Anything but a clear answer of the card counts as the card having left. */
export const complete = async (device: MpiDevice, verdict: HostVerdict): Promise<ChipVerdict> => {
  const { status, answer } = await device.ask('continueContact', { tlvs: issuerTlvs(device, verdict) });
  if (answer === undefined) {
    device.tools.report(refused('continueContact', status));
    return { kind: 'gone' };
  }
  const tlvs = flat(answer.tlvs);
  const results = chipResults(clearIn(tlvs));
  const kind = results.cryptogram?.kind;
  const icc = harmless(tlvs) ?? '';
  if (answer.template === 'E5' || kind === 'AAC') return { kind: 'declined', icc, ...results };
  if (answer.template === 'E3' && kind !== 'ARQC') return { kind: 'approved', icc, ...results };
  device.tools.report(new Fault('terminal.garbled', { bytes: encodeTlv(answer.tlvs).length }));
  return { kind: 'gone' };
};

/** Tags 8A, 91, 71 and 72 of the verdict, in this order, as far as one command holds them. */
const issuerTlvs = (device: MpiDevice, verdict: HostVerdict): Tlv[] => {
  const sent = verdict.kind === 'unableToGoOnline' || verdict.icc === undefined ? [] : issuerData(device, verdict.icc);
  const own = verdict.kind === 'unableToGoOnline' ? undefined : verdict.arc;
  const responseCode = sent.find(({ tag }) => tag === '8A') ?? code(own ?? defaultCodes[verdict.kind]);
  const list = [responseCode];
  for (const tag of ['91', '71', '72']) {
    for (const each of sent.filter((one) => one.tag === tag)) {
      const size = encodeTlv([tlv('E0', [...list, each])]).length;
      // A script that does not fit is left out: the issuer sends it again, and the sale does not depend on it.
      if (size <= apduDataMax) list.push(each);
      else device.tools.report(new Fault('emv.malformed', { what: `Issuer data ${tag}`, why: 'it is too long' }));
    }
  }
  return list;
};

const code = (text: string): Tlv => tlv('8A', new Uint8Array(Buffer.from(text.slice(0, 2).padStart(2, '0'), 'latin1')));

/** The host's TLV. What cannot be read is left out and reported: the card can answer without it. */
const issuerData = (device: MpiDevice, icc: string): Tlv[] => {
  try {
    const list = decodeTlv(fromHex(icc));
    return list.flatMap(issuerLeaves);
  } catch (error) {
    device.tools.report(
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
