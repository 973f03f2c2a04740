/**
 * Why a sale ended as it did: what happened, what it means for the money, what to do next, and whether trying again is
 * safe. These are the texts that a cashier reads; `{why}` is replaced by the facts of the case.
 */
import { gatewayFact } from '../../../base/localized-message.ts';
import { OVERDUE_MINUTES } from '../../../base/open-messages.ts';

export type ReasonRow = {
  says: string;
  money: string;
  next: string;
  again: boolean;
  /** The text on the customer's receipt, if the facts are only for the till. */
  paper?: string;
};

const notCharged = 'Not charged.';
const called = `If that takes longer than ${OVERDUE_MINUTES} minutes, a person is called.` as const;
const released = `Not charged: the bank’s approval is being given back by itself. ${called}` as const;

export const reasons = {
  approved: { says: 'Approved', money: 'Charged.', next: 'Hand over the receipt.', again: false },
  refunded: {
    says: 'Given back',
    money: 'The money goes back to the card.',
    next: 'Hand over the receipt.',
    again: false,
  },
  held: {
    says: 'Amount held',
    money: 'Held on the card, not charged yet.',
    next: 'Hand over the receipt. Complete it with this receipt number when the amount is known.',
    again: false,
  },
  credited: {
    says: 'Credited',
    money: 'The money goes to the card.',
    next: 'Hand over the receipt.',
    again: false,
  },
  voided: { says: 'Taken back', money: 'Undone: no money moves.', next: 'Hand over the receipt.', again: false },
  heldMore: {
    says: 'More held',
    money: 'Held on the card, not charged yet.',
    next: 'Hand over the receipt.',
    again: false,
  },
  completed: { says: 'Completed', money: 'Charged.', next: 'Hand over the receipt.', again: false },
  released: {
    says: 'Hold released',
    money: 'Nothing is held on the card any more, and nothing is charged.',
    next: 'Hand over the receipt.',
    again: false,
  },
  stored: {
    says: 'Stored, to be sent when the line is back',
    money: 'It reaches the bank when the line is back.',
    next: 'Hand over the receipt. It is sent by itself.',
    again: false,
  },
  storedRefused: {
    says: 'Stored, then refused by the bank',
    money: 'It did not happen: the payment that it follows stands as it was.',
    next: 'Tell the manager.',
    paper: 'Refused by the bank',
    again: false,
  },
  nothingToFollow: {
    says: 'There is nothing to do any more: {why}',
    money: 'Nothing was moved: the payment that it follows was never made.',
    next: 'Look at the receipt that it follows.',
    paper: 'The payment that it follows was never made',
    again: false,
  },
  voidedBeforeSending: {
    says: 'Taken back before it was sent to the bank',
    money: 'Not charged: the bank never hears of it.',
    next: 'Hand over the receipt.',
    again: false,
  },
  approvedOffline: {
    says: 'Approved offline',
    money: 'Will be charged when the line is back.',
    next: 'Hand over the receipt.',
    again: false,
  },
  takenOffline: {
    says: 'Taken offline, not approved yet',
    money: 'Charged when the line is back, if the bank approves it then.',
    next: 'Hand over the receipt.',
    again: false,
  },
  holdTakenOffline: {
    says: 'Taken offline, not approved yet',
    money: 'Held on the card when the line is back, if the bank approves it then.',
    next: 'Hand over the receipt.',
    again: false,
  },
  heldOffline: {
    says: 'Approved offline',
    money: 'Will be held on the card when the line is back.',
    next: 'Hand over the receipt.',
    again: false,
  },
  declinedOnForwarding: {
    says: 'Taken offline, then declined by the bank',
    money: 'Not charged, though the goods have left.',
    next: 'Tell the manager.',
    paper: 'Declined by the bank',
    again: false,
  },
  declinedByHost: {
    says: 'Declined',
    money: notCharged,
    next: 'Ask for another card.',
    paper: 'Declined by the bank',
    again: true,
  },
  refusedByHost: {
    says: 'The gateway refused the request: {why}',
    money: notCharged,
    next: 'Have the till’s configuration checked.',
    paper: 'Technical fault',
    again: false,
  },
  testAnswer: {
    says: 'This till is live, but its gateway answered in test mode',
    money: notCharged,
    next: 'Take no more cards here. A manager has to put the gateway’s address and channel right.',
    paper: 'Technical fault',
    again: false,
  },
  liveAnswer: {
    says: 'This till is in test mode, but its gateway is live',
    money: released,
    next: 'Take no more cards here. A manager can take this till live, or give it a test channel.',
    paper: 'Technical fault',
    again: false,
  },
  declinedByChip: { says: 'Declined by the card', money: notCharged, next: 'Ask for another card.', again: true },
  chipRefusedApproval: {
    says: 'The bank approved, then the card declined',
    money: released,
    next: 'Ask for another card.',
    again: true,
  },
  cardPulled: {
    says: 'The card was taken out too early',
    money: notCharged,
    next: 'Start again and leave the card in.',
    again: true,
  },
  cardPulledAfterApproval: {
    says: 'The card was taken out, or the terminal lost, before the sale was finished',
    money: released,
    next: 'Start again and leave the card in.',
    again: true,
  },
  cancelledByTill: { says: 'Cancelled at the till', money: notCharged, next: 'Start again when ready.', again: true },
  cancelledAfterApproval: {
    says: 'Cancelled at the till',
    money: released,
    next: 'Start again when ready.',
    again: true,
  },
  cancelledByCustomer: {
    says: 'Cancelled by the customer',
    money: notCharged,
    next: 'Ask the customer how to go on.',
    again: true,
  },
  pinCancelled: {
    says: 'No PIN was entered',
    money: notCharged,
    next: 'Start again, or ask for another card.',
    again: true,
  },
  timedOut: {
    says: 'No card was presented in time',
    money: notCharged,
    next: 'Start again when the customer is ready.',
    again: true,
  },
  cardUnsupported: {
    says: 'This card is not supported',
    money: notCharged,
    next: 'Ask for another card.',
    again: true,
  },
  cardUnreadable: {
    says: 'The card cannot be read',
    money: notCharged,
    next: 'Try again, or ask for another card.',
    again: true,
  },
  terminalFailed: {
    says: 'The terminal failed: {why}',
    money: notCharged,
    next: 'Check the terminal and start again.',
    paper: 'Terminal failed',
    again: true,
  },
  offlineRefused: {
    says: 'The gateway cannot be reached, and this sale cannot be taken offline: {why}',
    money: notCharged,
    next: 'Try again when the line is back, or take cash.',
    paper: 'No connection to the bank',
    again: true,
  },
  unanswered: {
    says: 'The gateway gave no answer',
    money: `Unknown. It is being asked, and taken back if it was charged. ${called}`,
    next: 'Do not charge again until this sale is resolved.',
    again: false,
  },
  reversed: {
    says: 'The gateway gave no answer in time; what it had approved was taken back',
    money: notCharged,
    next: 'Start again.',
    again: true,
  },
  neverArrived: {
    says: 'The request never reached the gateway',
    money: notCharged,
    next: 'Start again.',
    paper: 'No connection to the bank',
    again: true,
  },
  restarted: {
    says: 'The till was restarted before the sale was finished',
    money: notCharged,
    next: 'Start again.',
    again: true,
  },
  restartedAfterApproval: {
    says: 'The till was restarted before the sale was finished',
    money: released,
    next: 'Start again.',
    again: true,
  },

  // At a terminal that authorises by itself
  declinedAtTerminal: {
    says: 'Declined at the terminal',
    money: notCharged,
    next: 'Ask for another card.',
    paper: 'Declined',
    again: true,
  },
  notBegunAtTerminal: {
    says: 'The terminal did not begin: {why}',
    money: notCharged,
    next: 'Look at the terminal and start again.',
    paper: 'Not begun at the terminal',
    again: true,
  },
  neverMade: {
    says: 'The terminal was lost, and says now that it made no payment',
    money: notCharged,
    next: 'Start again.',
    paper: 'No payment was made',
    again: true,
  },
  unansweredAtTerminal: {
    says: 'The terminal was lost before it told the result',
    money: `Unknown. The terminal is asked before the next payment. ${called}`,
    next: 'Do not charge again. Read the result on the terminal, and connect it again.',
    again: false,
  },
  unclearAtTerminal: {
    says: 'The terminal cannot tell what became of the payment: {why}',
    money: 'Unknown. It may have been charged.',
    next: 'Look for it in the terminal’s own journal before you charge again, and tell the manager.',
    paper: 'The terminal cannot tell',
    again: false,
  },
  approvedOtherAmount: {
    says: 'The terminal approved another amount',
    money: `Not charged: what was approved is being given back by itself. ${called}`,
    next: 'Have the terminal checked before you start again.',
    again: false,
  },
  refundedOtherAmount: {
    says: 'The terminal gave back another amount',
    money: 'The amount on the terminal’s receipt was given back, not this one.',
    next: 'Tell the manager.',
    again: false,
  },
  reversedAtTerminal: {
    says: 'Given back: the terminal took its payment back',
    money: 'The customer is not charged.',
    next: 'Hand over the receipt.',
    again: false,
  },
  reversalDeclined: {
    says: 'The terminal does not take its payment back: {why}',
    money: 'Nothing was given back.',
    next: 'Start the refund again: it is then made with the customer’s card at the terminal.',
    paper: 'Declined',
    again: true,
  },
  otherTerminal: {
    says: 'The payment was made on another terminal, and only that one can take it back',
    money: 'Nothing was given back.',
    next: 'Start the refund again: it is then made with the customer’s card at this terminal.',
    again: true,
  },
  reversalRefused: {
    says: 'The terminal had approved, and does not take it back: {why}',
    money: 'Charged.',
    next: 'Give the money back: refund this receipt with the customer’s card.',
    again: false,
  },
  personSaidDone: {
    says: 'Looked up: it was made',
    money: 'The money moved as it was asked for.',
    next: 'Hand over the receipt.',
    again: false,
  },
  approvedLate: {
    says: 'The bank approved it late, after the sale had ended as not sent',
    money: released,
    next: 'Tell the manager if the customer asks.',
    paper: 'Approved too late by the bank',
    again: true,
  },
  cardDataExpired: {
    says: 'Taken offline and not sent within {why}: its card data had to be destroyed',
    money: 'Not charged, though the goods have left.',
    next: 'Tell the manager: this is a loss.',
    paper: 'It could not be sent to the bank in time',
    again: false,
  },
  newerVersion: {
    says: 'A newer version of this program has written what this one cannot read: {why}',
    money: 'What became of it this version cannot tell. It changes nothing, and sends nothing of it.',
    next: 'Start the newer version: it goes on with this sale. All other sales go on here.',
    paper: 'It cannot be said yet what became of this payment',
    again: false,
  },
  personSaidNot: {
    says: 'Looked up: no such payment was made',
    money: notCharged,
    next: 'Start again.',
    again: true,
  },
} as const satisfies Record<string, ReasonRow>;

export type Reason = keyof typeof reasons;

/** The row with its facts filled in. */
export const reasonWords = (reason: Reason, why = ''): ReasonRow => {
  const row: ReasonRow = reasons[reason];
  return { ...row, says: row.says.replace('{why}', () => gatewayFact(why)) };
};

export type ReasonsIn = typeof reasons;
