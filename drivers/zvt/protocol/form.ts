/** The two forms of ZVT on a wire: frames with acknowledgement on serial lines, bare APDUs on TCP. */
import type { Link } from '../../links/link.ts';

export type ZvtFraming = 'serial' | 'apdu';

/** Which form a link wants: TCP carries bare APDUs, every other stream the serial frames. */
export const formOf = ({ name }: Pick<Link, 'name'>): ZvtFraming => (name.startsWith('tcp') ? 'apdu' : 'serial');

/**
 * Which form a stream has, from its first bytes; undefined while that is open. A serial stream begins with DLE, ACK or
 * NAK. ACK is also the class of half of the APDUs: the byte behind it tells, as no APDU that begins a conversation or
 * comes from a terminal has an instruction that looks like DLE, ACK, NAK.
 */
export const sniff = (bytes: Uint8Array): ZvtFraming | undefined => {
  const [first, second] = bytes;
  if (first === undefined) return undefined;
  if (first === 0x10 || first === 0x15) return 'serial';
  if (first !== 0x06) return 'apdu';
  if (second === undefined) return undefined;
  return second === 0x10 || second === 0x06 || second === 0x15 ? 'serial' : 'apdu';
};
