/** What is said of what is open: why, what happens next by itself, and what is to be done about tasks. */
import { FROM_NEWER } from '../../../base/from-newer.ts';
import { OVERDUE_MINUTES } from '../../../base/overdue.ts';
import { codeAtStart, codes } from '../../../base/result-codes.ts';
import { type Told, teller } from '../../../base/told.ts';

export const openWords = {
  noEnding: 'It was begun and has no ending yet.',
  known: '{says}. {money}',
  nothing: 'Nothing by itself.',
  atStart: 'It is brought to an ending when the till is started.',
  cardDataGone: 'Nothing by itself. Its card data is gone from the queue, and it cannot be sent from here any more.',
  queuedAtStart: 'It is put into the queue again when the till is started.',
  terminalAsked: 'The terminal {device} is asked before its next payment.',
  terminalTold: 'The terminal {device} is told to take it back before its next payment.',
  reversal: 'The gateway is asked, and what it approved is taken back, from {from} on.{tried}',
  repeat: 'The gateway is asked, and sent the request again if it has none, from {from} on.{tried}',
  forward: 'It is sent to the gateway, from {from} on.{tried}',
  follow: 'It is sent to the gateway once the payment that it follows was answered, from {from} on.{tried}',
  tried: ' Tries so far: {count}; the last: {last}.',
  noAnswerYet: 'no answer yet',
  setAside: 'Nothing by itself. It was set aside: {why}',
  overdue: 'It has not ended within {minutes} minutes, and is still tried. {next}',
  newer: 'Nothing by itself until the newer version is started: it goes on with this sale.',
  fromNewer: FROM_NEWER,
  startNewer: 'Start the newer version: it sends it by itself',
  sentElsewhere: 'Nothing by itself. It was {why}, which sends it.',

  /** What the queue notes of a message that another till sends, and of one that no rule lets be tried again. */
  handedOver: 'handed over to another till',
  /** Of a message in a folder that was restored from an older copy. */
  restored: 'this folder was restored, and the sale may have been voided since',
  spent: 'the card’s scheme allows no further try of this sale',
  gatewaySaid: '{answer}',
  testAnswer: 'the gateway answered in test mode, and this till is live',
  liveAnswer: 'the gateway is live, and this till is in test mode',
  note: '{why}',
  afterReceipt: 'after receipt {receipt}',
  terminalCannot: '{why}',
  withNextSale: 'asked with the next sale at {device}',
  itsTerminal: 'its terminal',
  saidMade: 'said to be made, but: {differs}',
  saidNotMade: 'said to be not made, but: {differs}',
  notSentWithin: 'not sent within {within}: its card data had to be destroyed',
  itsTime: 'its time',
  bankApproved: 'the bank approved {amount}',

  mendTestAnswer:
    'No money has moved. Have the gateway’s operator set this till’s channel live, or give the till its live address and channel. It is then sent after the next approval, or at once if you try it again',
  mendLiveAnswer: 'Give this till a test channel, then try again. To take real money, take the till live',
  otherPayment: 'Ask the customer for other payment',
  otherPaymentOrLoss: 'Ask the customer for other payment, or book it as a loss',
  overdueToDo:
    'Ask once more now. Otherwise look it up where the payment was made, and see to it there that the customer has the money',
  chargingAgain: 'Wait for the ending of receipt {receipt}, which asks for it once more',
  restOrLoss: 'Ask the customer for the rest, or book it as a loss',
  neverAgain: 'Never ask this card again: ask the customer for other payment',
  againWithPin: 'May be tried again with the customer’s card and PIN',
  againWithCard: 'May be tried again with the card',
  againUntil: '{first}{from} before {until}{left}',
  againFrom: ' from {from}',
  againLeft: ', tries left this month: {count}',
} as const;

export type OpenCode = keyof typeof openWords;
export const tellOpen = teller('open', openWords);

/** What is still tried by itself, and should have ended long ago. */
export const overdueTold = (next: Told): Told => tellOpen('overdue', { minutes: OVERDUE_MINUTES, next });

/** Of a message that a gateway of the other mode than the till's answered: why it was set aside, and what mends it. */
export const otherModeTold = (note: string): { why: Told; toDo: Told } => {
  // A test till's gateway alone answers so; whatever else is noted, a test system answered a live till.
  const isLive = codeAtStart(note) === codes.succeeded;
  return isLive
    ? { why: tellOpen('liveAnswer'), toDo: tellOpen('mendLiveAnswer') }
    : { why: tellOpen('testAnswer'), toDo: tellOpen('mendTestAnswer') };
};

/** What the queue noted of a message: the gateway's own words stay as they are. */
export const noteTold = (note: string): Told | undefined => {
  if (note === '') return undefined;
  if (note === openWords.handedOver) return tellOpen('handedOver');
  if (note === FROM_NEWER) return tellOpen('fromNewer');
  if (note === openWords.restored) return tellOpen('restored');
  if (note === openWords.spent) return tellOpen('spent');
  return codeAtStart(note) !== undefined ? tellOpen('gatewaySaid', { answer: note }) : tellOpen('note', { why: note });
};
