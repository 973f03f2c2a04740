/** The host's word: for the chip's second cryptogram (EMV Book 3, 10.9 to 10.11), or for the reader after a tap. */
import { Fault } from '../../src/base/fault.ts';
import { fromHex } from '../../src/base/hex.ts';
import { decodeTlv, type Tlv } from '../../src/emv/tlv.ts';
import { chipResults } from '../card-facts.ts';
import type { ChipVerdict, HostVerdict } from '../terminal.ts';
import { clearIn, harmless } from './card-data.ts';
import { type Neo2Device, refused } from './device.ts';
import { localDateTime } from './reading.ts';
import { meaningOf } from './step.ts';
import { encodeNeo2Tlv, type Neo2Tlv, neo2Tlv } from './tlv.ts';

/** Authorisation response codes for tag 8A when the host gave none (EMV Book 4 Annex A6 for Y3). */
const defaultCodes = { approved: '00', declined: '05', unableToGoOnline: 'Y3' } as const;
/** Issuer data beside the answer code, at most: far above what EMV scripts have. */
const issuerBytesMax = 1_024;

/** Asks the chip for its last word. Anything but a clear answer of the card counts as the card having left. */
export const completeChip = async (device: Neo2Device, verdict: HostVerdict): Promise<ChipVerdict> => {
  const hostAnswered = verdict.kind === 'unableToGoOnline' ? 0 : 1;
  const reply = await device.ask('finish', { hostAnswered, tlvs: issuerTlvs(device, verdict) });
  const means = meaningOf(reply);
  const results = chipResults(clearIn(reply.answer?.tlvs ?? []));
  const kind = results.cryptogram?.kind;
  const icc = harmless(reply.answer?.tlvs ?? []) ?? '';
  if (means === 'declined' || kind === 'AAC') return { kind: 'declined', icc, ...results };
  // Told that no host answered, a reader may say only that; then the card's own word counts.
  const approves = means === 'approved' ? kind !== 'ARQC' : means === 'unreachable' && kind === 'TC';
  if (approves) return { kind: 'approved', icc, ...results };
  device.tools.report(refused('finish', reply.status));
  return { kind: 'gone' };
};

/** Tells the reader what the host said of a tap that has left (03-03); it shows its customer the result. */
export const completeTap = async (device: Neo2Device, verdict: HostVerdict): Promise<ChipVerdict> => {
  const [date, time] = localDateTime(device.tools.clock.now());
  const tlvs = [neo2Tlv('9A', date), neo2Tlv('9F21', time)];
  const { status } = await device.ask('tapResult', { refused: verdict.kind === 'approved' ? 0 : 1, tlvs });
  // The host's word stands, whatever the reader makes of it.
  if (status !== 0) device.tools.report(refused('tapResult', status));
  return { kind: 'none' };
};

/** Tags 8A, 91, 71 and 72 of the verdict, in this order. */
const issuerTlvs = (device: Neo2Device, verdict: HostVerdict): Neo2Tlv[] => {
  const sent = verdict.kind === 'unableToGoOnline' || verdict.icc === undefined ? [] : issuerData(device, verdict.icc);
  const own = verdict.kind === 'unableToGoOnline' ? undefined : verdict.arc;
  const list = [sent.find(({ tag }) => tag === '8A') ?? code(own ?? defaultCodes[verdict.kind])];
  for (const tag of ['91', '71', '72']) {
    for (const each of sent.filter((one) => one.tag === tag)) {
      // A script that does not fit is left out: the issuer sends it again, and the sale does not depend on it.
      if (encodeNeo2Tlv([...list, each]).length <= issuerBytesMax) list.push(each);
      else device.tools.report(new Fault('emv.malformed', { what: `Issuer data ${tag}`, why: 'it is too long' }));
    }
  }
  return list;
};

const code = (text: string): Neo2Tlv =>
  neo2Tlv('8A', new Uint8Array(Buffer.from(text.slice(0, 2).padStart(2, '0'), 'latin1')));

/** The host's TLV. What cannot be read is left out and reported: the card can answer without it. */
const issuerData = (device: Neo2Device, icc: string): Neo2Tlv[] => {
  try {
    return decodeTlv(fromHex(icc)).flatMap(issuerLeaves);
  } catch (error) {
    const why = 'it is no TLV';
    device.tools.report(
      error instanceof Fault ? error : new Fault('emv.malformed', { what: 'Issuer data', why }, error),
    );
    return [];
  }
};

/** Hosts put the tags side by side or into one template. */
const issuerLeaves = ({ tag, value, children }: Tlv): Neo2Tlv[] => {
  if (tag === '71' || tag === '72' || children === undefined) return [neo2Tlv(tag, value)];
  return children.flatMap(issuerLeaves);
};
