/** From a data block to what the till may know of a card: the ciphertext, a mask, and a few harmless tags. */
import { toHex } from '../../../src/base/hex.ts';
import { hidden } from '../../../src/base/mask.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { encodeTlv, find } from '../../../src/emv/tlv.ts';
import { chipResults, hexOf, type InClear, leaving, normalMask, panSequenceOf, verifiedBy } from '../../card-facts.ts';
import { present } from '../../codec.ts';
import type { CardData, LastWord } from '../../terminal.ts';
import { type MmsBlock, takeSealed } from './blocks.ts';

/** The clear tags of a batch that may leave for the host: few, for the rest goes in the ciphertext. */
const travels = new Set(['9F34', '9F06', '9F39', '9C', '9F02', '5F2A', '9F1A', '9F36', '9F27', '95', '9B', '5F34']);

/** Tag DFDF52: what the card was read as. */
export const cardTypes = {
  stripe: 0x01,
  manual: 0x03,
  chip: 0x05,
  tap: 0x06,
  chipCardStripe: 0x07,
  tapStripe: 0x08,
} as const;

/** Tag DFDF53: 00 no fallback, 01 after a technical failure, 81 because the chip did not fit. */
export const isFallback = (block: MmsBlock): boolean => (find(block.clear, 'DFDF53')?.value[0] ?? 0) !== 0;

export const cardTypeOf = (block: MmsBlock): number | undefined => find(block.clear, 'DFDF52')?.value[0];

/** How the data came in; `chipFailed`: this driver saw the chip fail. Undefined for a kind that is no payment card. */
export const entryModeOf = (block: MmsBlock, chipFailed: boolean): EntryMode | undefined => {
  switch (cardTypeOf(block)) {
    case cardTypes.stripe:
      return 'MAGSTRIPE';
    case cardTypes.manual:
      return 'MANUAL';
    case cardTypes.chip:
      return 'ICC';
    case cardTypes.tap:
      return 'NFC_ICC';
    case cardTypes.tapStripe:
      return 'NFC_MAGSTRIPE';
    case cardTypes.chipCardStripe:
      return isFallback(block) || chipFailed ? 'MAGSTRIPE_AS_FALLBACK' : 'MAGSTRIPE';
    default:
      return undefined;
  }
};

/** First six and last four of DFDF33 or DFDF4D: a track 2 as text, whose hidden digits are zeros or stars. */
export const maskOf = (block: MmsBlock): string => {
  const track = find(block.clear, 'DFDF4D') ?? find(block.clear, 'DFDF33');
  const number = /^;([\d*]{12,19})=/.exec(Buffer.from(track?.value ?? []).toString('latin1'))?.[1];
  return number === undefined ? hidden : normalMask(number);
};

/** TLV hex of what may travel, each tag once; empty when there is nothing. */
export const harmless = ({ clear }: MmsBlock): string =>
  toHex(encodeTlv(leaving(clear, ({ tag, value }) => travels.has(tag) && value.length > 0)));

/**
 * What the till is told of a card. The verification of a chip or tap that asks for the host is in the ciphertext and
 * counts as none; a stripe or a typed number wants a signature.
 */
export const cardDataOf = (block: MmsBlock, entryMode: EntryMode): CardData => {
  const clear: InClear = (tag) => find(block.clear, tag)?.value;
  const stripe = entryMode.startsWith('MAGSTRIPE') || entryMode === 'MANUAL';
  return {
    entryMode,
    maskedPan: maskOf(block),
    sred: [takeSealed(block)].flatMap((sealed) => sealed ?? []),
    verification: stripe ? 'signature' : verifiedBy(clear, entryMode),
    ...present({ panSequence: panSequenceOf(clear), aid: hexOf(clear('9F06')) }),
  };
};

/** What batch data tell of the card at its end. */
export const lastWordOf = (block: MmsBlock): LastWord => {
  const clear: InClear = (tag) => find(block.clear, tag)?.value;
  const mode = entryModeOf(block, false) ?? 'ICC';
  const verification = clear('9F34') === undefined ? undefined : verifiedBy(clear, mode);
  return { ...chipResults(clear), ...present({ verification, aid: hexOf(clear('9F06')) }) };
};
