/** A payment with all that followed it, and what of that may have happened. Pure. */
import type { Sale } from './machine/states.ts';
import { mayHaveGone } from './refund.ts';

export type PaymentWithFollowers = {
  readonly sale: Sale;
  /** Refunds, a void, a completion …; oldest first. */
  readonly followers: readonly Sale[];
};

/** Whether a void took the whole payment back; `perhaps` while nobody knows. */
export const undone = ({ followers }: PaymentWithFollowers): 'yes' | 'no' | 'perhaps' => {
  const voids = followers.filter(({ intent }) => intent.operation === 'void').filter(mayHaveGone);
  if (voids.length === 0) return 'no';
  return voids.some((sale) => sale.at === 'ended' && sale.ending === 'approved') ? 'yes' : 'perhaps';
};
