/** What a look back under other limits rests on, and what it cannot tell. */
import { teller } from '../../../base/told.ts';

export const replayWords = {
  nothing: 'No card met a line that was down, so nothing can be told from these days.',
  more: 'A customer who was refused may have paid otherwise: what would have been taken is not all gained.',
  chipFirst:
    'Some that the chip approved by itself would have gone to the bank at once. They are not counted as refused.',
  unknown: 'Whether the bank, or the chip, would have approved all of them is not known: some were never asked.',
  otherwise: 'Some were refused for the clock or the disk of the till: limits change nothing about that.',
} as const;

export type ReplayCode = keyof typeof replayWords;
export const tellReplay = teller('replay', replayWords);
