/** What stands beside the words of a sale's reason: what it means for this operation, this amount, this person. */
import { teller } from '../../../base/told.ts';

export const outcomeWords = {
  notSale: 'Not charged.',
  notPreauthorisation: 'Nothing is held on the card.',
  notCredit: 'Nothing was paid out.',
  notRefund: 'Nothing was given back.',
  notVoid: 'Nothing was taken back: the sale stands.',
  notIncrement: 'Nothing more is held.',
  notCompletion: 'Not charged: the amount stays held.',
  notRelease: 'The amount stays held.',
  noneInTest: 'No money moved: this till is in test mode.',
  noneInTraining: 'No money moved: this was training.',
  gaveBack: '{money} The approval was given back.',
  askedAgain: 'Unknown. It is asked for again, as it was, until it is answered.',
  sign: 'Have the customer sign the merchant copy, then hand over the receipt.',
  part: 'Approved for a part: {approved} of {amount}',
  partCharged: '{approved} charged. {left} is not paid.',
  partHeld: '{approved} held. {left} is not paid.',
  partNext: 'Take the rest otherwise, or take this back.',
  forced: '{says} (forced by {who})',
  forcedByRole: '{who}, {role}',
  somebody: 'a person',
  noRole: 'unknown role',
  but: '{money} But: {differs}.',
  days: '{count} days',
  managerLooks: 'A manager has to look',
} as const;

export type OutcomeCode = keyof typeof outcomeWords;
export const tellOutcome = teller('outcome', outcomeWords);
