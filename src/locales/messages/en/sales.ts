/** English texts about sales: outcomes, declines, claims, evidence and open sales. */
import { type LocalizedMessage, messageFactory } from '../../../base/localized-message.ts';
import { FROM_NEWER, OVERDUE_MINUTES } from '../../../base/open-messages.ts';
import { codeAtStart, codes, type DeclineGroup } from '../../../base/result-codes.ts';

export const outcomeWords = {
  notSale: 'Not charged.',
  notPreauthorisation: 'Nothing is held on the card.',
  notCredit: 'Nothing was paid out.',
  notRefund: 'Nothing was refunded.',
  notVoid: 'Not voided: the payment is unchanged.',
  notIncrement: 'The hold was not increased.',
  notCompletion: 'Not charged: the amount is still held.',
  notRelease: 'The amount is still held.',
  noneInTest: 'No money moved: this till is in test mode.',
  noneInTraining: 'No money moved: this was training.',
  gaveBack: '{money} The approval was reversed.',
  askedAgain: 'We don’t know yet. The till repeats the same request until it gets an answer.',
  sign: 'Have the customer sign the merchant copy, then hand over the receipt.',
  part: 'Partially approved: {approved} of {amount}',
  partCharged: '{approved} charged. {left} is not paid.',
  partHeld: '{approved} held. {left} is not paid.',
  partNext: 'Take the rest in another way, or void this payment.',
  forced: '{says} (forced by {who})',
  forcedByRole: '{who}, {role}',
  somebody: 'a person',
  noRole: 'unknown role',
  but: '{money} But: {differs}.',
  days: '{count, plural, one {# day} other {# days}}',
  managerLooks: 'A manager has to check this',
} as const;

export type OutcomeCode = keyof typeof outcomeWords;
export const tellOutcome = messageFactory('outcome', outcomeWords);
export type OutcomeIn = typeof outcomeWords;

/** What the counter is told about a decline: its group, never the bank's own reason. */

export const declineWords = {
  otherCard: 'This card was declined',
  otherCardNext: 'Ask for another card.',
  sameCard: 'It did not work this time',
  sameCardNext: 'Try the same card again. If it is declined again, ask for another card.',
  wrongPin: 'The PIN was wrong',
  wrongPinNext: 'Try the same card again with the right PIN, or ask for another card.',
  callBank: 'The card’s bank does not allow this payment',
  callBankNext: 'Ask for another card. The customer’s bank can tell them why.',
  shopLimit: 'This is more than this shop may charge to one card',
  shopLimitNext: 'Ask for another card, or ask the manager.',
} as const satisfies Record<DeclineGroup | `${DeclineGroup}Next`, string>;

export type DeclineCode = keyof typeof declineWords;
export const tellDecline = messageFactory('decline', declineWords);
export type DeclineIn = typeof declineWords;

/** A customer's claim: what to tell the customer, what to do about each sale, and what a manager does. */

export const claimWords = {
  chargedOnce: 'The customer was charged once. The till has no second charge.',
  chargedTwice: 'The same card was charged the same amount more than once. Refund the extra charge.',
  notCharged: 'The customer was not charged. Their bank may still show an approval, which expires within days.',
  unknown: 'We don’t know yet. The till is checking. Do not charge again before it has the result.',
  notFound: 'This till has no such sale.',

  giveBack: 'If the customer bought only once, refund {left} of receipt {receipt}.{part}',
  charged: 'Charged.{part} If the goods were not handed over, refund {left} of receipt {receipt}.',
  chargedLater:
    'Taken offline; it will be charged.{part} If the goods were not handed over, refund {left} of receipt {receipt}.',
  part: ' {back} of it has already been refunded.',
  givenBack: 'Refunded in full. It can take a few days until the bank shows a refund. Do not refund it again.',
  held: 'Held, not charged. The bank lets a hold expire if it is not completed. Release it if it is not needed.',
  notKnown: 'Not known yet. Do not charge again, and do not refund anything, until it is known.',
  nothingToGive: 'Not charged: the payment was not made. There is nothing to refund.',

  unfinished: 'Wait until it has ended.',
  waiting: 'Nothing yet: the till checks automatically. You can also check now, under open items.',
  overdue: 'It should have ended by now. A manager checks once more and looks it up, under open items.',
  parked: 'A manager fixes what stopped it, or records how it ended, under open items.',
  person: 'A manager looks it up and records how it ended, under open items.',
  differs: 'A manager finds out what really happened and corrects it, under open items.',
  closed: 'There is nothing left to do.',
} as const;

export type ClaimCode = keyof typeof claimWords;
export const tellClaim = messageFactory('claim', claimWords);
export type ClaimIn = typeof claimWords;

/** Why a sale is not taken offline. The English text names the limits of the case; other languages leave them out. */
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
  /** Only allowed if the chip approves offline, which it did not. */
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

/** Evidence about a sale: what was asked, and what was answered. */

export const evidenceWords = {
  begun: 'started: {amount}',
  begunForUnpaid: 'started: {amount}; it charges the unpaid receipt {receipt} again',
  otherCard:
    'receipt {receipt} tried to charge it with another card: it ends in {now}, the card of this sale in {before}',
  begunAgain: 'started: {amount}; someone confirmed that it was not the customer of receipt {receipts}',
  gateway: 'the gateway',
  terminal: 'the terminal',
  search: '{whom} was asked for this sale: {answer}',
  reversal: '{whom} was asked to reverse it: {answer}',
  request: 'the request was sent to {whom}: {answer}',
  last: '{whom} was asked for its last payment: {answer}',
  noAnswer: '{why}',
  hostApproved: 'the gateway approved: {answer}',
  hostDeclined: 'the gateway declined: {answer}',
  hostOtherMode: 'the gateway answered in a different mode from this till: {answer}',
  hostRefused: 'the gateway refused the request: {answer}',
  hostNotReached: 'the request was not sent: {why}',
  hostSilent: 'the request was sent: {why}',
  reversed: 'reversed{answer}',
  notFound: 'the gateway never had it{answer}',
  notApproved: 'the gateway had not approved it{answer}',
  sentApproved: 'sent later, approved: {answer}',
  sentDeclined: 'sent later, declined: {answer}',
  approvedLate: 'asked again after the sale had ended, the gateway reported an approval: {answer}',
  movedTo: 'only a test system had received it: from now on it is sent to {gateway}',
  cardDataExpired: 'not sent within {days, plural, one {# day} other {# days}}: its card data was destroyed',
  cancelAsked: 'someone asked to cancel it',
  restarted: 'the till was restarted',
  unread: 'a newer version of this program recorded something that this one cannot read: {what}',
  passedOver: 'a newer version of this program recorded something that this one does not need: {what}',
  terminalApproved: 'the terminal approved {amount}, terminal receipt {receipt}',
  terminalDeclined: 'the terminal declined: {answer}',
  terminalNotBegun: 'the terminal did not start the payment: {answer}',
  terminalSilent: 'the terminal was lost: {why}',
  terminalUnchanged: 'the terminal’s last payment is still the previous one',
  terminalUnclear: 'the terminal does not know: {why}',
  terminalReversed: 'the terminal reversed it',
  terminalTookAnother: 'the terminal reversed another payment: {why}',
  terminalTook: 'the terminal has accepted the request',
  terminalKeeps: 'the terminal did not reverse it: {why}',
  somebodySaidMade: 'a person recorded that it went through',
  somebodySaidNot: 'a person recorded that it did not go through',
  saidMade: '{who} ({role}) recorded that it went through. Reason: {reason}. Evidence: {evidence}',
  settledOtherwise: '{who} ({role}) recorded that {missing} was settled in another way. Reason: {reason}',
  writtenOff: '{who} ({role}) wrote {missing} off. Reason: {reason}',
  saidNot: '{who} ({role}) recorded that it did not go through. Reason: {reason}. Evidence: {evidence}',
} as const;

export type EvidenceCode = keyof typeof evidenceWords;
export const tellEvidence = messageFactory('evidence', evidenceWords);
export type EvidenceIn = typeof evidenceWords;

/** Open sales: why they are open, what the till does automatically, and what a person has to do. */

export const openWords = {
  noEnding: 'It was started and has not ended yet.',
  known: '{says}. {money}',
  nothing: 'Nothing happens automatically.',
  atStart: 'The till finishes it at its next start.',
  cardDataGone:
    'Nothing happens automatically. Its card data is no longer in the queue, so it cannot be sent from here.',
  queuedAtStart: 'The till puts it back into the queue at its next start.',
  terminalAsked: 'The till asks the terminal {device} before its next payment.',
  terminalTold: 'The till has the terminal {device} reverse it before its next payment.',
  reversal: 'From {from} on, the till asks the gateway and reverses any approval.{tried}',
  repeat: 'From {from} on, the till asks the gateway, and sends the request again if it never arrived.{tried}',
  forward: 'From {from} on, the till sends it to the gateway.{tried}',
  follow:
    'From {from} on, the till sends it to the gateway, once the payment that it follows has been answered.{tried}',
  tried: ' Attempts so far: {count}; the last one: {last}.',
  noAnswerYet: 'no answer yet',
  setAside: 'Nothing happens automatically. It was set aside: {why}',
  overdue:
    'It has not ended within {minutes, plural, one {# minute} other {# minutes}}. The till is still trying. {next}',
  newer: 'Nothing happens until the newer version is started: it continues this sale.',
  fromNewer: FROM_NEWER,
  startNewer: 'Start the newer version: it sends it automatically',
  sentElsewhere: 'Nothing happens here. It was {why}, which sends it.',

  // Notes that the queue stores with a message, in English: changed here, older notes are no longer translated.
  handedOver: 'handed over to another till',
  restored: 'this folder was restored, and the sale may have been voided since',
  spent: 'the card’s scheme allows no further try of this sale',
  gatewaySaid: '{answer}',
  testAnswer: 'the gateway answered in test mode, and this till is live',
  liveAnswer: 'the gateway is live, and this till is in test mode',
  note: '{why}',
  afterReceipt: 'after receipt {receipt}',
  terminalCannot: '{why}',
  withNextSale: 'checked before the next sale at {device}',
  itsTerminal: 'its terminal',
  saidMade: 'recorded as made, but: {differs}',
  saidNotMade: 'recorded as not made, but: {differs}',
  notSentWithin: 'not sent within {within}: its card data had to be destroyed',
  itsTime: 'its time',
  bankApproved: 'the bank approved {amount}',

  mendTestAnswer:
    'No money has moved. Have the gateway’s operator switch this till’s channel to live, or enter the live address and channel at the till. The till then sends it after the next approval, or at once if you try it again',
  mendLiveAnswer: 'Set up a test channel for this till, then try again. To take real money, go live',
  otherPayment: 'Ask the customer for another means of payment',
  otherPaymentOrLoss: 'Ask the customer for another means of payment, or write it off',
  overdueToDo:
    'Check once more now. Otherwise look it up where the payment was made, and make sure there that the customer gets the money',
  chargingAgain: 'Wait for the result of receipt {receipt}, which charges it again',
  restOrLoss: 'Ask the customer for the rest, or write it off',
  neverAgain: 'Do not try this card again: ask the customer for another means of payment',
  againWithPin: 'Can be tried again with the customer’s card and PIN',
  againWithCard: 'Can be tried again with the card',
  againUntil: '{first}{from} before {until}{left}',
  againFrom: ' from {from}',
  againLeft: ', attempts left this month: {count}',
} as const;

export type OpenCode = keyof typeof openWords;
export const tellOpen = messageFactory('open', openWords);
export type OpenIn = typeof openWords;

/** For a sale that is still retried automatically, and should have ended long ago. */
export const overdueMessage = (next: LocalizedMessage): LocalizedMessage =>
  tellOpen('overdue', { minutes: OVERDUE_MINUTES, next });

/** For a message that a gateway in the other mode answered: why it was set aside, and how to fix that. */
export const otherModeMessages = (note: string): { why: LocalizedMessage; toDo: LocalizedMessage } => {
  // Only a test till can get a success from a live gateway; with any other note, a test system answered a live till.
  const isLive = codeAtStart(note) === codes.succeeded;
  return isLive
    ? { why: tellOpen('liveAnswer'), toDo: tellOpen('mendLiveAnswer') }
    : { why: tellOpen('testAnswer'), toDo: tellOpen('mendTestAnswer') };
};

/** The queue's note on a message; the gateway's own text is kept as it is. */
export const noteMessage = (note: string): LocalizedMessage | undefined => {
  if (note === '') return undefined;
  if (note === openWords.handedOver) return tellOpen('handedOver');
  if (note === FROM_NEWER) return tellOpen('fromNewer');
  if (note === openWords.restored) return tellOpen('restored');
  if (note === openWords.spent) return tellOpen('spent');
  return codeAtStart(note) !== undefined ? tellOpen('gatewaySaid', { answer: note }) : tellOpen('note', { why: note });
};
