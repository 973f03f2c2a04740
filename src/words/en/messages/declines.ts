/** What is said of a decline at the counter: by its group, never by the bank's own reason. */
import type { DeclineGroup } from '../../../base/decline-groups.ts';
import { teller } from '../../../base/told.ts';

export const declineWords = {
  otherCard: 'This card was declined',
  otherCardNext: 'Ask for another card.',
  sameCard: 'This time it did not work',
  sameCardNext: 'Try the same card again. If it is declined again, ask for another card.',
  wrongPin: 'The PIN was wrong',
  wrongPinNext: 'Try the same card again with the right PIN, or ask for another card.',
  callBank: 'The card’s bank does not allow this payment',
  callBankNext: 'Ask for another card. The customer’s bank can tell them why.',
  shopLimit: 'This is more than this shop may take of one card',
  shopLimitNext: 'Ask for another card, or ask the manager.',
} as const satisfies Record<DeclineGroup | `${DeclineGroup}Next`, string>;

export type DeclineCode = keyof typeof declineWords;
export const tellDecline = teller('decline', declineWords);
