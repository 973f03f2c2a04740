/**
 * What is said of sales: how they ended, declines, claims, evidence, and those that are open. What stands beside the
 * words of a sale's reason comes first.
 */
import { type LocalizedMessage, teller } from '../../../base/localized-message.ts';
import { FROM_NEWER, OVERDUE_MINUTES } from '../../../base/open-messages.ts';
import { codeAtStart, codes, type DeclineGroup } from '../../../base/result-codes.ts';

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
  days: '{count, plural, one {# day} other {# days}}',
  managerLooks: 'A manager has to look',
} as const;

export type OutcomeCode = keyof typeof outcomeWords;
export const tellOutcome = teller('outcome', outcomeWords);
export type OutcomeIn = typeof outcomeWords;

/** What is said of a decline at the counter: by its group, never by the bank's own reason. */

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
export type DeclineIn = typeof declineWords;

/** What the books prove of a claim: what to tell the customer, of each sale what to do, and what a manager does. */

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
} as const;

export type ClaimCode = keyof typeof claimWords;
export const tellClaim = teller('claim', claimWords);
export type ClaimIn = typeof claimWords;

/**
 * Why a sale is not taken offline. English says each with the limits of the case, in the till's own words; other
 * languages say it without.
 */
export type OfflineRefusal =
  | 'off'
  | 'operation'
  | 'currency'
  | 'entryMode'
  | 'onlinePin'
  | 'mayHoldPin'
  | 'noResults'
  | 'expired'
  | 'notYetEffective'
  | 'serviceNotAllowed'
  | 'onExceptionFile'
  | 'dataAuthentication'
  | 'verification'
  | 'window'
  | 'clock'
  | 'disk'
  | 'uncounted'
  /** It may be taken if the chip approves, and the chip does not. */
  | 'chipAlone'
  | 'perSale'
  | 'total'
  | 'together'
  | 'perCard'
  | 'perCashier'
  | 'perHour'
  | 'perDay'
  | 'brand'
  | 'cardType'
  | 'refunds';

export type OfflineIn = Readonly<Record<OfflineRefusal, ''>>;

/** The words of evidence: what was asked, and what was answered. */

export const evidenceWords = {
  begun: 'begun: {amount}',
  begunForUnpaid: 'begun: {amount}; it asks once more for the money of receipt {receipt}',
  otherCard:
    'receipt {receipt} asked for its money with another card: it ends in {now}, the card of this sale in {before}',
  begunAgain: 'begun: {amount}; asked whether it was the same customer as of receipt {receipts}, somebody said no',
  gateway: 'the gateway',
  terminal: 'the terminal',
  search: '{whom} was asked what it has of this sale: {answer}',
  reversal: '{whom} was asked to take it back: {answer}',
  request: '{whom} was sent the request: {answer}',
  last: '{whom} was asked for its last payment: {answer}',
  noAnswer: '{why}',
  hostApproved: 'the gateway approved: {answer}',
  hostDeclined: 'the gateway declined: {answer}',
  hostOtherMode: 'the gateway answered in the other mode than this till’s: {answer}',
  hostRefused: 'the gateway refused the request: {answer}',
  hostNotReached: 'the request was not sent: {why}',
  hostSilent: 'the request was sent: {why}',
  reversed: 'taken back{answer}',
  notFound: 'the gateway never had it{answer}',
  notApproved: 'the gateway had not approved it{answer}',
  sentApproved: 'sent later, approved: {answer}',
  sentDeclined: 'sent later, declined: {answer}',
  approvedLate: 'asked once more after its ending, the gateway had approved it: {answer}',
  movedTo: 'a test system alone had it: from here on it is sent to {gateway}',
  cardDataExpired: 'not sent within {days, plural, one {# day} other {# days}}: its card data was destroyed',
  cancelAsked: 'a cancel was asked for',
  restarted: 'the till was started again',
  unread: 'a newer version of this program wrote what this one cannot read: {what}',
  passedOver: 'a newer version of this program noted what this one need not know: {what}',
  terminalApproved: 'the terminal approved {amount}, its receipt {receipt}',
  terminalDeclined: 'the terminal declined: {answer}',
  terminalNotBegun: 'the terminal did not begin: {answer}',
  terminalSilent: 'the terminal was lost: {why}',
  terminalUnchanged: 'the terminal’s last payment is still the one before',
  terminalUnclear: 'the terminal cannot tell: {why}',
  terminalReversed: 'the terminal took it back',
  terminalTookAnother: 'the terminal took back another payment: {why}',
  terminalTook: 'the terminal has taken the payment on',
  terminalKeeps: 'the terminal does not take it back: {why}',
  somebodySaidMade: 'a person said that it was made',
  somebodySaidNot: 'a person said that it was not made',
  saidMade: '{who} ({role}) said that it was made. Reason: {reason}. Evidence: {evidence}',
  settledOtherwise: '{who} ({role}) said that {missing} was settled otherwise. Reason: {reason}',
  writtenOff: '{who} ({role}) wrote {missing} off. Reason: {reason}',
  saidNot: '{who} ({role}) said that it was not made. Reason: {reason}. Evidence: {evidence}',
} as const;

export type EvidenceCode = keyof typeof evidenceWords;
export const tellEvidence = teller('evidence', evidenceWords);
export type EvidenceIn = typeof evidenceWords;

/** What is said of what is open: why, what happens next by itself, and what is to be done about tasks. */

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
  overdue: 'It has not ended within {minutes, plural, one {# minute} other {# minutes}}, and is still tried. {next}',
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
export type OpenIn = typeof openWords;

/** What is still tried by itself, and should have ended long ago. */
export const overdueMessage = (next: LocalizedMessage): LocalizedMessage =>
  tellOpen('overdue', { minutes: OVERDUE_MINUTES, next });

/** Of a message that a gateway of the other mode than the till's answered: why it was set aside, and what mends it. */
export const otherModeMessages = (note: string): { why: LocalizedMessage; toDo: LocalizedMessage } => {
  // A test till's gateway alone answers so; whatever else is noted, a test system answered a live till.
  const isLive = codeAtStart(note) === codes.succeeded;
  return isLive
    ? { why: tellOpen('liveAnswer'), toDo: tellOpen('mendLiveAnswer') }
    : { why: tellOpen('testAnswer'), toDo: tellOpen('mendTestAnswer') };
};

/** What the queue noted of a message: the gateway's own words stay as they are. */
export const noteMessage = (note: string): LocalizedMessage | undefined => {
  if (note === '') return undefined;
  if (note === openWords.handedOver) return tellOpen('handedOver');
  if (note === FROM_NEWER) return tellOpen('fromNewer');
  if (note === openWords.restored) return tellOpen('restored');
  if (note === openWords.spent) return tellOpen('spent');
  return codeAtStart(note) !== undefined ? tellOpen('gatewaySaid', { answer: note }) : tellOpen('note', { why: note });
};
