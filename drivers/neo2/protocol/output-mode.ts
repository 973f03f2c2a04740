/**
 * How a reader's data key is used: its answer to C7-A3, which no page of a public guide has. Questions, answers and
 * what they are called: the vendor's test scripts and logs (github IDTSQATW/test_tree), CR041, CR065 and CR066.
 *
 * Key management (00 Triple DES DUKPT, 01 AES DUKPT), cipher, key variant (00 data, 01 PIN), and three bytes more.
 */
import type { Codec } from '../../codec.ts';

export type OutputMode = { cipher: 'tdes' | 'aes' | 'transArmor' | 'other'; variant: 'data' | 'pin' };

type Cipher = OutputMode['cipher'];

/** By key management and cipher. */
const ciphers: Readonly<Record<string, Cipher>> = {
  '0000': 'tdes',
  '0001': 'aes',
  '0002': 'transArmor',
  '0102': 'aes',
  '0105': 'transArmor',
};
const codes: Readonly<Record<Cipher, readonly [number, number]>> = {
  tdes: [0, 0],
  aes: [0, 1],
  transArmor: [0, 2],
  other: [0xff, 0xff],
};

const hex = (byte = 0xff): string => byte.toString(16).padStart(2, '0');

/** A combination that no source has is `other`. */
export const outputMode: Codec<OutputMode> = {
  encode: ({ cipher, variant }) => Uint8Array.of(...codes[cipher], variant === 'pin' ? 1 : 0, 0, 0, 0),
  decode: ([management, cipher, variant]) => ({
    cipher: ciphers[hex(management) + hex(cipher)] ?? 'other',
    variant: variant === 1 ? 'pin' : 'data',
  }),
};
