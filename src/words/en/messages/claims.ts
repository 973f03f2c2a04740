/** What the books prove of a claim: what to tell the customer, of each sale what to do, and what a manager does. */
import type { ClaimAnswer } from '../../../api/ports/selling.ts';
import { teller } from '../../../base/told.ts';

export const claimWords = {
  chargedOnce: 'It was charged once. No second charge is in the books.',
  chargedTwice: 'The same card was charged the same amount more than once. Give back what was one too many.',
  notCharged: 'It was not charged. A bank may show an approval that lapses by itself within days.',
  unknown: 'It is not known yet. The till is asking; do not charge again before it has an answer.',
  notFound: 'No such sale is in this till’s books.',

  giveBack: 'If the customer bought once, give it back: refund {left} of receipt {receipt}.{part}',
  charged: 'Charged.{part} If the goods were not handed over, refund {left} of receipt {receipt}.',
  chargedLater:
    'Taken offline; it will be charged.{part} If the goods were not handed over, refund {left} of receipt {receipt}.',
  part: ' {back} of it was given back already.',
  givenBack: 'Given back in full. Banks show a refund within some days. Do not give it back again.',
  held: 'Held, not charged. What is not completed is let go by the bank; release it if it is not needed.',
  notKnown: 'Not known yet. Do not charge again, and do not give anything back, before it is.',
  nothingToGive: 'Not charged: it did not come about. There is nothing to give back.',

  unfinished: 'Wait until it has ended.',
  waiting: 'Nothing yet: it is asked about by itself. It can be asked about now, under open items.',
  overdue: 'A manager asks about it once more and looks it up, under open items: it should have ended by now.',
  parked: 'A manager mends what stopped it, or says how it ended, under open items.',
  person: 'A manager looks it up and says how it ended, under open items.',
  differs: 'A manager finds out what is true and puts it right, under open items.',
  closed: 'Nothing is left to do.',
} as const satisfies Readonly<Record<ClaimAnswer['verdict'], string>> & Readonly<Record<string, string>>;

export type ClaimCode = keyof typeof claimWords;
export const tellClaim = teller('claim', claimWords);
