/** Single and Triple DES as block ciphers: from a key's bytes, a cipher with its round keys computed. */
import { type BlockCipher, putWord, wordAt } from './cipher-modes.ts';
import { type DesSchedule, desPair, expandDesKey } from './des.ts';
import { wantKey } from './want.ts';

/** Reverses the order of the round keys from `from` to `to`, in place: they then work in the opposite direction. */
const reverseRounds = (schedule: DesSchedule, from: number, to: number): void => {
  for (let left = from, right = to - 2; left < right; left += 2, right -= 2) {
    const odd = schedule[left] as number;
    const even = schedule[left + 1] as number;
    schedule[left] = schedule[right] as number;
    schedule[left + 1] = schedule[right + 1] as number;
    schedule[right] = odd;
    schedule[right + 1] = even;
  }
};

/** Round keys of single DES in the order of encryption. 8 bytes. Throws `key.malformed`. */
const desSchedule = (key: Uint8Array): DesSchedule => {
  wantKey('A DES key', key, [8]);
  const schedule = new Int32Array(32);
  expandDesKey({ high: wordAt(key, 0), low: wordAt(key, 4) }, schedule, 0);
  return schedule;
};

/** Writes the round keys of Triple DES (encrypt, decrypt, encrypt) under 16 or 24 bytes to the 96 words of `into`. */
const expandTdesKey = (key: Uint8Array, into: DesSchedule): void => {
  wantKey('A Triple DES key', key, [16, 24]);
  expandDesKey({ high: wordAt(key, 0), low: wordAt(key, 4) }, into, 0);
  expandDesKey({ high: wordAt(key, 8), low: wordAt(key, 12) }, into, 32);
  reverseRounds(into, 32, 64);
  if (key.length === 16) into.copyWithin(64, 0, 32);
  else expandDesKey({ high: wordAt(key, 16), low: wordAt(key, 20) }, into, 64);
};

// One block of working space. Every use begins and ends within one call, so it can be shared.
const pair = new Int32Array(2);

const cryptBlock = (schedule: DesSchedule, bytes: Uint8Array, at: number): void => {
  pair[0] = wordAt(bytes, at);
  pair[1] = wordAt(bytes, at + 4);
  desPair(schedule, pair);
  putWord(bytes, at, pair[0] as number);
  putWord(bytes, at + 4, pair[1] as number);
};

const cipherOf = (encrypting: DesSchedule): BlockCipher => {
  let decrypting: DesSchedule | undefined;
  return {
    size: 8,
    encrypt: (bytes, at) => cryptBlock(encrypting, bytes, at),
    decrypt: (bytes, at) => {
      if (decrypting === undefined) {
        decrypting = Int32Array.from(encrypting);
        reverseRounds(decrypting, 0, decrypting.length);
      }
      cryptBlock(decrypting, bytes, at);
    },
  };
};

/** Single DES under 8 bytes of key. Throws `key.malformed`. */
export const des = (key: Uint8Array): BlockCipher => cipherOf(desSchedule(key));

/** Triple DES under 16 (two keys) or 24 bytes (three keys). Throws `key.malformed`. */
export const tdes = (key: Uint8Array): BlockCipher => {
  const schedule = new Int32Array(96);
  expandTdesKey(key, schedule);
  return cipherOf(schedule);
};

// Round keys are too large for the young heap: allocating them costs more than computing them.
const shared = new Int32Array(96);
const sharedBack = new Int32Array(96);
let backIsReady = false;

const sharedCipher: BlockCipher = {
  size: 8,
  encrypt: (bytes, at) => cryptBlock(shared, bytes, at),
  decrypt: (bytes, at) => {
    if (!backIsReady) {
      sharedBack.set(shared);
      reverseRounds(sharedBack, 0, sharedBack.length);
      backIsReady = true;
    }
    cryptBlock(sharedBack, bytes, at);
  },
};

/**
 * As `tdes`, but the cipher is valid only until the next call of this function. For work that is finished with it
 * before calling anything else; it allocates nothing. Throws `key.malformed`.
 */
export const tdesForNow = (key: Uint8Array): BlockCipher => {
  expandTdesKey(key, shared);
  backIsReady = false;
  return sharedCipher;
};
