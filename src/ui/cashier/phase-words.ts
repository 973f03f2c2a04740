/** What a phase is called on the screen and for those who hear it. */
import type { LiveSale } from '../../api/ports/selling.ts';
import { fill } from '../../words/fill.ts';
import type { Words } from '../../words/tables.ts';

type CashierWords = Words['cashier'];

/** Of presenting a card, only the ways that this sale takes. */
export const phaseWords = (t: CashierWords, { phase, accept }: Pick<LiveSale, 'phase' | 'accept'>): string => {
  const usual = ['chip', 'tap', 'swipe'].every((way) => accept.includes(way as 'chip'));
  if (phase !== 'presentCard' || usual || accept.length === 0) return t.phases[phase];
  return fill(t.presentWays, { ways: accept.map((way) => t.presentOnly[way]).join(', ') });
};
