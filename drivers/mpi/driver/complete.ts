/** The host's word, given to the chip for its second cryptogram (EMV Book 3, 10.9 to 10.11). */
import { Fault } from '../../../src/base/fault.ts';
import { encodeTlv, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { chipResults } from '../../card-facts.ts';
import { issuerList } from '../../issuer-data.ts';
import type { ChipVerdict, HostVerdict } from '../../terminal.ts';
import { clearIn, flat, harmless } from '../protocol/card-data.ts';
import type { MpiDevice } from './device.ts';
import { refused } from './device.ts';

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

/** Tags 8A, 91, 71 and 72 of the verdict, as far as one command holds them. */
const issuerTlvs = (device: MpiDevice, verdict: HostVerdict): readonly Tlv[] =>
  issuerList(verdict, {
    unable: 'Y3',
    fits: (list) => encodeTlv([tlv('E0', list)]).length <= device.dataMax(),
    report: (why) => device.tools.report(why),
  });
