/** Card data for tapes, in hex: encrypted pairs, chips with their verification, stripes with their service code. */
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { template } from './mpi-tape.ts';

export const sred = 'DFAE02081122334455667788 DFAE030AFFFF9876543210E00001'.replaceAll(' ', '');
export const sealed = [{ data: fromHex('1122334455667788'), ksn: 'FFFF9876543210E00001' }];

const kinds = { ARQC: '80', TC: '40', AAC: '00' };
export const noCvm = '1F0302';
export const onlinePin = '420300';

/**
 * The answer of a chip or tap: template, cryptogram, CVM results. It contains clear account data, as test units send
 * it.
 */
export const cardAnswer = (input: string, o: { kind: keyof typeof kinds; cvm?: string; more?: string }): string => {
  const hex = `
    500B5649534120435245444954 5F2003412F42 5F2403151231 5F340101 8407A0000000031010 9F26080102030405060708
    9F2701${kinds[o.kind]} 95050000008000 9B02E800 9F3403${o.cvm ?? noCvm}
    DFAE5711476173FFFFFF0119D15122010000000000 57114761739001010119D15122011758989389 ${sred} ${o.more ?? ''}`;
  return `${template(input, hex.replace(/\s+/g, ''))}9000`;
};

/** The notice of a swipe. */
export const swipe = (serviceCode: string, slot = '00'): string => {
  const track = `;476173******0010=1512${serviceCode}1*********?*`;
  const children = [
    tlv('48', `${slot}07`),
    tlv('DFAE02', sealed[0]?.data ?? new Uint8Array(0)),
    tlv('DFAE03', sealed[0]?.ksn ?? ''),
    tlv('DFAE22', new Uint8Array(Buffer.from(track))),
  ];
  return `${toHex(encodeTlv([tlv('E1', children)]))}9000`;
};
