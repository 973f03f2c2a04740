/**
 * Whether deciphered bytes are account data as a whole. The wrong cipher gives random bytes, so nothing may be left
 * over: this is what tells the right one.
 */
import { tagRow } from '../../../emv/tags.ts';
import { decodeTlv, type Tlv } from '../../../emv/tlv.ts';
import { unlessMalformed } from './malformed.ts';

export type PlainText = { readonly kind: 'tags'; readonly tags: readonly Tlv[] } | { kind: 'tracks'; text: string };

/** Manufacturers' tags around account data: MagTek F0 to F9, FC, DF71, DFDFxx; ID TECH DFEExx; Miura DFAExx. */
const makersTags = /^(?:F[0-9C]|DF71|5F2[12]|DF(?:AE|DF|EE|EF)[0-7][0-9A-F]|FFEE[0-7][0-9A-F])$/;

const isKnown = ({ tag }: Tlv): boolean => tagRow(tag) !== undefined || makersTags.test(tag);

/** Tracks 1, 2 and 3 with their sentinels, each with a check character or none, then filling zeros. */
const tracks = /^(?:%[ -$&->@-_]{1,76}\?[ -~]?)?(?:;[0-9:;<=>]{1,37}\?[ -~]?)?(?:;[0-9:;<=>]{1,104}\?[ -~]?)?\0*$/;

/**
 * Tags behind one another and zeros behind them, or the text of a stripe and zeros behind it. Only the outermost tags
 * must be known ones: what a container holds is up to the list that its device was set up with. Undefined for anything
 * else. Tags are windows on the bytes given.
 */
export const readPlainText = (plain: Uint8Array): PlainText | undefined => {
  const first = plain[0];
  if (first === PERCENT || first === SEMICOLON) {
    const text = Buffer.from(plain).toString('latin1');
    return tracks.test(text) ? { kind: 'tracks', text } : undefined;
  }
  if (first === 0) return undefined;
  const tags = unlessMalformed(() => decodeTlv(plain));
  return tags?.every(isKnown) ? { kind: 'tags', tags } : undefined;
};

const PERCENT = 0x25;
const SEMICOLON = 0x3b;
