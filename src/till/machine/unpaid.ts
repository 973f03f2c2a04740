/**
 * Sales that were taken offline and whose money did not come, though the goods have left: declined, or approved for
 * less, when they were sent, or never sent. The card's data are gone with the answer, so nothing of them is sent again.
 */
import { type Money, money } from '../../base/money.ts';
import type { EndedSale, Sale } from './states.ts';

/**
 * What the sale itself did not bring, however it was paid since; undefined where nothing is missing, and as long as
 * nobody knows. A sale that asks for another one's money once more has no goods of its own.
 */
export const missingOf = (sale: Sale): Money | undefined => {
  if (sale.at !== 'ended' || sale.intent.chargesAgain !== undefined || isUndecided(sale)) return undefined;
  const { intent, ending, offline, forwarded, goodsLeft } = sale;
  const { amount } = intent;
  if (goodsLeft === true) return ending === 'approved' ? undefined : amount;
  if (offline === undefined || offline === 'stored' || forwarded === undefined) return undefined;
  if (!forwarded.approved) return ending === 'approved' ? undefined : amount;
  const got = forwarded.answer.approved?.minor ?? amount.minor;
  return got < amount.minor ? money(amount.minor - got, amount.currency) : undefined;
};

/** Something is still asked about it, or a person has to speak first. */
const isUndecided = ({ ending, reversal, differs, forced, unread }: EndedSale): boolean =>
  ending === 'unknown' ||
  reversal === 'due' ||
  differs !== undefined ||
  forced?.awaited === true ||
  unread !== undefined;
