/**
 * The attribution byte, first in an answer with card data: which interface, which cipher, and whether it was used.
 * Source: NEO 2 IDG 80139403-002, p233 and p238; VP3350 Integration Manual. With bits 2 and 1 as 10 the cipher is in
 * DFEE26; in the vendor's public test scripts it is TransArmor then (E4, E5, EC, F5).
 */

export type CardWay = 'contact' | 'tap' | 'tapStripe' | 'swipe';

export type Attribution = { way: CardWay; cipher: 'tdes' | 'aes' | 'extended'; encrypted: boolean };

const bits = { aes: 0x02, extended: 0x04, encrypted: 0xc0 } as const;
const cipherMask = 0x06;
const interfaceMask = 0x19;
/** Bits 4, 3 and 0. */
const ways: Readonly<Record<number, CardWay>> = { 0: 'contact', 1: 'tap', 17: 'tapStripe', 8: 'swipe', 9: 'swipe' };
const codes: Readonly<Record<CardWay, number>> = { contact: 0x00, tap: 0x01, tapStripe: 0x11, swipe: 0x08 };

/** Undefined when no interface has these bits: the byte is something else. */
export const attributionOf = (byte: number): Attribution | undefined => {
  const way = ways[byte & interfaceMask];
  const found = byte & cipherMask;
  const cipher = found === bits.aes ? 'aes' : found === bits.extended ? 'extended' : 'tdes';
  return way === undefined ? undefined : { way, cipher, encrypted: (byte & bits.encrypted) !== 0 };
};

export const attributionByte = ({ way, cipher, encrypted }: Attribution): number =>
  codes[way] | (cipher === 'tdes' ? 0 : bits[cipher]) | (encrypted ? bits.encrypted : 0);
