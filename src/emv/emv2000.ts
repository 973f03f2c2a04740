/** The session key of EMV 2000: a tree of keys over the ATC. EMVCo withdrew it in 2005; old cards still use it. */
import { Fault } from '../base/fault.ts';
import { oddParity } from './parity.ts';
import { tdes } from './tdes.ts';
import { wantBytes, wantKey } from './want.ts';

export type Tree = {
  /** The ATC (9F36), 2 bytes. */
  atc: Uint8Array;
  /** Levels of the tree, and branches at each node: 8 and 4, or 16 and 2. */
  height: 8 | 16;
  branchFactor: 2 | 4;
  /** 16 bytes; zero unless given. */
  iv?: Uint8Array;
};

/**
 * The session key of a transaction: 16 bytes, odd parity. Throws `key.malformed`, `emv.malformed`. EMV 2000 Book 2,
 * A1.3.
 */
export const emv2000SessionKey = (mk: Uint8Array, { atc, height, branchFactor, iv }: Tree): Uint8Array => {
  wantKey('A card master key', mk, [16]);
  wantBytes('The ATC', atc, [2]);
  const top = iv ?? new Uint8Array(16);
  wantBytes('The initial vector of the key tree', top, [16]);
  if (branchFactor ** height !== 0x1_0000) {
    throw new Fault('emv.malformed', { what: 'A key tree', why: 'its leaves must be as many as there are counters' });
  }
  const counter = ((atc[0] ?? 0) << 8) | (atc[1] ?? 0);
  let grandparent = top;
  let parent = mk;
  for (let level = 1; level < height; level += 1) {
    const key = child(parent, grandparent, {
      counter: Math.floor(counter / branchFactor ** (height - level)),
      branchFactor,
    });
    grandparent = parent;
    parent = key;
  }
  // The leaf itself is XORed with its grandparent, which makes the way back up impossible.
  const leaf = child(parent, grandparent, { counter, branchFactor });
  return oddParity(leaf.map((byte, index) => byte ^ (grandparent[index] ?? 0)));
};

type Branch = { counter: number; branchFactor: number };

/** The key of one branch: both halves of the grandparent, numbered, encrypted under the parent. */
const child = (parent: Uint8Array, grandparent: Uint8Array, { counter, branchFactor }: Branch): Uint8Array => {
  const key = Uint8Array.from(grandparent);
  const branch = counter % branchFactor;
  key[7] = (key[7] ?? 0) ^ branch;
  key[15] = (key[15] ?? 0) ^ 0xf0 ^ branch;
  const cipher = tdes(parent);
  cipher.encrypt(key, 0);
  cipher.encrypt(key, 8);
  return key;
};
