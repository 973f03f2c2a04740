/** Card data for tapes, in hex: a chip's answer with its pairs, a swipe with its service code. */
import { encodeMsrBlock } from '../../../drivers/neo2/protocol/msr-block.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { authenticates, beginning, started } from './neo2-tape.ts';

export const ksn = 'FFFF9876543210E00001';
const pairs = `DFEE120A${ksn} 5AA1084761CCCCCCCC0119 5AC108AABBCCDDEEFF0011 57A1114761CCCCCCCC0119D1512CCCCCCCCCCCCC
  57C1181122334455667788112233445566778811223344556677 88`.replace(/\s+/g, '');
export const sred = [
  { data: fromHex('112233445566778811223344556677881122334455667788'), ksn },
  { data: fromHex('AABBCCDDEEFF0011'), ksn },
];
export const chip = (kind: '80' | '40' | '00', cvm = '1F0302') =>
  `${pairs} 9F26080102030405060708 9F2701${kind} 95050000008000 9B02E800 9F3403${cvm} 8407A0000000031010 5F340101
  500B5649534120435245444954 9F390105`.replace(/\s+/g, '');

const msr = (serviceCode: string): string => {
  const masked = new Uint8Array(Buffer.from(`;476173******0119=1512${serviceCode}*********?`));
  const size = Math.ceil(masked.length / 8) * 8;
  const block = encodeMsrBlock({
    cipher: 'tdes',
    ksn: fromHex(ksn),
    tracks: [{ track: 2, masked, encrypted: new Uint8Array(size).fill(0x5a) }],
  });
  const length = block.length < 0x80 ? [block.length] : [0x81, block.length];
  return `DFEE23${toHex(Uint8Array.from(length))}${toHex(block)}`;
};
export const swipeResult = (code: '0011' | '0007', serviceCode = '101') =>
  `< 0200 C8 DFEE2502${code} ${msr(serviceCode)} 9F3901${code === '0007' ? '80' : '90'}`;

/** A chip that was read and waits for the host. */
export const online = `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020004 ${chip('80')}`;
