/** What stands against a close, in words for a screen: the books' own are for a command line. */
import { teller } from '../../../base/told.ts';

export const closingWords = {
  silent: 'the gateway did not answer for {count} of {of} sales in the batch',
  sums: 'the running sums are not those of all sales',
  away: '{why}',
  clock: 'the business day {day} is by the till’s own clock alone',

  notFinished: 'it is not finished',
  offlineNotSent: 'taken offline and not sent yet',
  toGiveBack: 'approved, and still to be given back',
  overdue: 'to be given back or asked about by itself, and not ended within {minutes} minutes: it needs a person',
  gatewaySilent: '{why}',
  gatewayDiffers: '{why}: the till has {till}, the gateway {gateway}',
  holdGone: 'held here, and no longer at the gateway: no charge on it will be approved',
  unknownHere:
    'at the gateway under terminal {terminal}, and not in this till: {count}, of {amounts}. Taken by another till with this id, or by a copy of this one',
  gaveTooMuch: 'more was given back of it than it had',

  send: 'Send it now, under open items.',
  ask: 'Ask what became of it now, under open items. What nobody can tell, a manager says by the evidence.',
  newer: 'Start the newer version of this program: it goes on with this sale. Nothing can be done with it here.',
  checkAgain: 'Check again when the line is back.',
  compare: 'Compare the receipt with the gateway’s payment. Closed as it is, the Z report names it.',
  holdAgain: 'Ask the customer for the card again and take the payment anew; then release this hold.',
  support: 'Call support. The batch can be closed, and its Z report names it.',
} as const;

export type ClosingCode = keyof typeof closingWords;
export const tellClosing = teller('closing', closingWords);
