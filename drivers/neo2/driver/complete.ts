/** The host's word: for the chip's second cryptogram (EMV Book 3, 10.9 to 10.11), or for the reader after a tap. */
import type { Fault } from '../../../src/base/fault.ts';
import type { Tlv } from '../../../src/emv/tlv.ts';
import { chipResults } from '../../card-facts.ts';
import { issuerList } from '../../issuer-data.ts';
import type { ChipVerdict, HostVerdict } from '../../terminal.ts';
import { clearIn, harmless } from '../protocol/card-data.ts';
import type { Neo2Ask } from '../protocol/commands.ts';
import { encodeNeo2Tlv, type Neo2Tlv, neo2Tlv } from '../protocol/tlv.ts';
import { type Neo2Device, refused } from './device.ts';
import { meaningOf } from './step.ts';

/** Issuer data beside the answer code, at most: far above what EMV scripts have. */
const issuerBytesMax = 1_024;

/** Asks the chip for its last word. Anything but a clear answer of the card counts as the card having left. */
export const completeChip = async (device: Neo2Device, verdict: HostVerdict): Promise<ChipVerdict> => {
  const reply = device.ownWord ?? (await device.ask('finish', hostWord(device, verdict)));
  const means = meaningOf(reply);
  const results = chipResults(clearIn(reply.answer?.tlvs ?? []));
  const kind = results.cryptogram?.kind;
  const icc = harmless(reply.answer?.tlvs ?? []) ?? '';
  if (means === 'declined' || kind === 'AAC') return { kind: 'declined', icc, ...results };
  const isApproved = means === 'approved' && kind !== 'ARQC';
  // Without a host's word the card's own counts, but never against the host's.
  const isAlone = (means === 'unreachable' || means === 'approvedAlone') && verdict.kind !== 'declined';
  if (isApproved || (isAlone && kind === 'TC')) return { kind: 'approved', icc, ...results };
  device.tools.report(refused('finish', reply.status));
  return { kind: 'gone' };
};

/** Tells the reader what the host said of a tap that has left (03-03); it shows its customer the result. */
export const completeTap = async (device: Neo2Device, verdict: HostVerdict): Promise<ChipVerdict> => {
  const { status } = await device.ask('tapResult', { refused: verdict.kind === 'approved' ? 0 : 1, tlvs: [] });
  // The host's word stands, whatever the reader makes of it.
  if (status !== 0) device.tools.report(refused('tapResult', status));
  return { kind: 'none' };
};

/** Behind the word that no host answered stands nothing: the reader itself knows what to tell the chip then. */
const hostWord = (device: Neo2Device, verdict: HostVerdict): Neo2Ask<'finish'> =>
  verdict.kind === 'unableToGoOnline'
    ? { hostAnswered: 0, tlvs: [] }
    : { hostAnswered: 1, tlvs: issuerTlvs(device, verdict) };

/** Tags 8A, 91, 71 and 72 of the verdict, as far as they fit. */
const issuerTlvs = (device: Neo2Device, verdict: HostVerdict): Neo2Tlv[] => {
  const fits = (list: readonly Tlv[]) => encodeNeo2Tlv(list.map(ownForm)).length <= issuerBytesMax;
  const report = (why: Fault) => device.tools.report(why);
  return issuerList(verdict, { unable: 'Y3', fits, report }).map(ownForm);
};

const ownForm = ({ tag, value }: Tlv): Neo2Tlv => neo2Tlv(tag, value);
