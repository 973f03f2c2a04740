/**
 * The block of Miura's MPI: NAD PCB LEN body LRC, the LRC being the XOR of everything before it.
 * Source: the vendor's public SDK sources (MpiPacket and its tests).
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { Cut, Framer } from './framer.ts';

export type MpiBlock = {
  /** Who speaks or is spoken to: 1 the PIN pad, 2 the printer or dock. */
  nad: 1 | 2;
  /** More blocks of the same message follow. */
  more: boolean;
  /** Sent by the device without having been asked. */
  unsolicited: boolean;
  body: Uint8Array;
};

export const mpiBodyMax = 254;
export const mpiBlockMax = mpiBodyMax + 4;

/** Cuts one block. What cannot be the start of a block is noise of one byte, with the rule that it breaks. */
export const mpiBlock: Framer<MpiBlock> = (held) => {
  const [nad, pcb, length] = held;
  if (nad === undefined) return undefined;
  if (nad !== 1 && nad !== 2) return noise('no block starts with this byte');
  if (pcb === undefined) return undefined;
  if ((pcb & 0xbe) !== 0) return noise('no block has this control byte');
  if (length === undefined) return undefined;
  if (length < 2 || length > mpiBodyMax) return noise(`no block has a body of ${length} bytes`);

  const size = length + 4;
  if (held.length < size) return undefined;
  if (lrc(held.subarray(0, size)) !== 0) return noise('the checksum is wrong');
  const body = held.slice(3, size - 1);
  return { kind: 'frame', frame: { nad, more: (pcb & 1) !== 0, unsolicited: (pcb & 0x40) !== 0, body }, size };
};

const noise = (why: string): Cut<MpiBlock> => ({ kind: 'noise', size: 1, why });

const lrc = (bytes: Uint8Array): number => {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 1) sum ^= bytes[at] as number;
  return sum;
};

/** The bytes of one block. Throws `terminal.garbled` when the body is not of 2 to 254 bytes. */
export const encodeMpiBlock = ({ nad, more, unsolicited, body }: MpiBlock): Uint8Array => {
  if (body.length < 2 || body.length > mpiBodyMax) throw new Fault('terminal.garbled', { bytes: body.length });
  const open = concat(Uint8Array.of(nad, (unsolicited ? 0x40 : 0) | (more ? 1 : 0), body.length), body);
  return concat(open, Uint8Array.of(lrc(open)));
};

/** The one block that these bytes are. Throws `terminal.garbled` for anything shorter, longer or broken. */
export const decodeMpiBlock = (bytes: Uint8Array): MpiBlock => {
  const cut = mpiBlock(bytes);
  if (cut?.kind !== 'frame' || cut.size !== bytes.length) throw new Fault('terminal.garbled', { bytes: bytes.length });
  return cut.frame;
};
