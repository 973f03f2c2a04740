/** What one data block tells of the dialect that its device speaks. */
import { find } from '../../../src/emv/tlv.ts';
import { blockBytes, type MmsBlock, macBytes } from './blocks.ts';

/** Whether a block is filled to whole eights before its MAC. */
export const isFilled = (block: Uint8Array): boolean => (block.length - macBytes) % blockBytes === 0;

/**
 * The front of a masked card number. `six`: the fifth and sixth digits are shown; `four`: they are stars; `zeros`: they
 * may be digits of the card, or hidden ones. `digits` are the first four.
 */
export type MaskedFront = { digits: string; shows: 'four' | 'six' | 'zeros' };

/** Undefined where there is no track 2, or its number is not masked. */
export const maskedFrontOf = ({ clear }: MmsBlock): MaskedFront | undefined => {
  const track = find(clear, 'DFDF4D') ?? find(clear, 'DFDF33');
  const text = Buffer.from(track?.value ?? []).toString('latin1');
  const [, digits, next] = /^;(\d{4})(\d\d|\*\*)(?:0{2,9}|\*{2,9})\d{4}=/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return { digits, shows: next === '**' ? 'four' : next === '00' ? 'zeros' : 'six' };
};
