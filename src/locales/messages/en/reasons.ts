/**
 * Why a sale ended as it did: what happened, what it means for the money, what to do next, and whether trying again is
 * safe. These are the texts that a cashier reads; `{why}` is replaced by the facts of the case.
 */
import type { CommonFaultMoney } from '../../../base/faults.ts';
import { gatewayFact } from '../../../base/localized-message.ts';
import { OVERDUE_MINUTES } from '../../../base/open-messages.ts';

export type ReasonRow = {
  says: string;
  money: string;
  next: string;
  /** Whether trying again is safe. */
  again?: boolean;
  /** The text on the customer's receipt, if the facts are only for the till. */
  paper?: string;
};

/** Written for a sale: other operations get their own text in its place. */
export const notCharged = 'Not charged.';
const called = `If this takes longer than ${OVERDUE_MINUTES} minutes, the till asks a person to look into it.` as const;
const released = `Not charged: the till is reversing the bank’s approval. ${called}` as const;

const charged = 'Charged.';

export const reasons = {
  approved: { says: 'Approved', money: charged, next: 'Hand over the receipt.' },
  refunded: { says: 'Refunded', money: 'The money goes back to the card.', next: 'Hand over the receipt.' },
  held: {
    says: 'Amount held',
    money: 'Held on the card, not charged yet.',
    next: 'Hand over the receipt. Complete it with this receipt number when the amount is known.',
  },
  credited: { says: 'Credited', money: 'The money goes to the card.', next: 'Hand over the receipt.' },
  voided: { says: 'Voided', money: 'The customer will not be charged.', next: 'Hand over the receipt.' },
  heldMore: { says: 'Hold increased', money: 'Held on the card, not charged yet.', next: 'Hand over the receipt.' },
  completed: { says: 'Completed', money: charged, next: 'Hand over the receipt.' },
  released: {
    says: 'Hold released',
    money: 'Nothing is held on the card any more, and nothing is charged.',
    next: 'Hand over the receipt.',
  },
  stored: {
    says: 'Stored until the connection is back',
    money: 'The till sends it to the bank when the connection is back.',
    next: 'Hand over the receipt. The till sends it automatically.',
  },
  storedRefused: {
    says: 'Stored, then refused by the bank',
    money: 'Not done: the original payment is unchanged.',
    next: 'Tell the manager.',
    paper: 'Refused by the bank',
  },
  nothingToFollow: {
    says: 'There is nothing left to do: {why}',
    money: 'No money was moved: the original payment was never made.',
    next: 'Look at the receipt of the original payment.',
    paper: 'The original payment was never made',
  },
  voidedBeforeSending: {
    says: 'Voided before it was sent to the bank',
    money: 'Not charged: it will not be sent to the bank.',
    next: 'Hand over the receipt.',
  },
  approvedOffline: {
    says: 'Approved offline',
    money: 'Will be charged when the connection is back.',
    next: 'Hand over the receipt.',
  },
  takenOffline: {
    says: 'Taken offline, not approved yet',
    money: 'Will be charged when the connection is back, if the bank approves it.',
    next: 'Hand over the receipt.',
  },
  holdTakenOffline: {
    says: 'Taken offline, not approved yet',
    money: 'Will be held on the card when the connection is back, if the bank approves it.',
    next: 'Hand over the receipt.',
  },
  heldOffline: {
    says: 'Approved offline',
    money: 'Will be held on the card when the connection is back.',
    next: 'Hand over the receipt.',
  },
  declinedOnForwarding: {
    says: 'Taken offline, then declined by the bank',
    money: 'Not charged, though the goods have left.',
    next: 'Tell the manager.',
    paper: 'Declined by the bank',
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
  },
  testAnswer: {
    says: 'This till is live, but its gateway answered in test mode',
    money: notCharged,
    next: 'Take no more cards here. A manager has to correct the gateway’s address and channel.',
    paper: 'Technical fault',
  },
  liveAnswer: {
    says: 'This till is in test mode, but its gateway is live',
    money: released,
    next: 'Take no more cards here. A manager can switch this till to live, or set a test channel.',
    paper: 'Technical fault',
  },
  declinedByChip: { says: 'Declined by the card', money: notCharged, next: 'Ask for another card.', again: true },
  chipRefusedApproval: {
    says: 'The bank approved, then the card declined',
    money: released,
    next: 'Ask for another card.',
    again: true,
  },
  cardPulled: {
    says: 'The card was removed too early',
    money: notCharged,
    next: 'Start again and leave the card in.',
    again: true,
  },
  cardPulledAfterApproval: {
    says: 'The card was removed or the terminal was lost before the sale was finished',
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
    next: 'Ask the customer how to continue.',
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
    next: 'Try again when the connection is back, or take cash.',
    paper: 'No connection to the bank',
    again: true,
  },
  unanswered: {
    says: 'The gateway did not answer',
    money: `We don’t know yet. The till is checking, and will reverse it if it was charged. ${called}`,
    next: 'Do not charge again until this sale is resolved.',
  },
  reversed: {
    says: 'The gateway did not answer in time, and its approval was reversed',
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

  // At an integrated terminal
  declinedAtTerminal: {
    says: 'Declined at the terminal',
    money: notCharged,
    next: 'Ask for another card.',
    paper: 'Declined',
    again: true,
  },
  notBegunAtTerminal: {
    says: 'The terminal did not start the payment: {why}',
    money: notCharged,
    next: 'Look at the terminal and start again.',
    paper: 'Not started at the terminal',
    again: true,
  },
  neverMade: {
    says: 'The terminal was lost; it now reports that it made no payment',
    money: notCharged,
    next: 'Start again.',
    paper: 'No payment was made',
    again: true,
  },
  unansweredAtTerminal: {
    says: 'The terminal was lost before it reported the result',
    money: `We don’t know yet. The till asks the terminal before the next payment. ${called}`,
    next: 'Do not charge again. Read the result on the terminal, and connect it again.',
  },
  unclearAtTerminal: {
    says: 'The terminal does not know how the payment ended: {why}',
    money: 'We don’t know. The customer may have been charged.',
    next: 'Look for the payment in the terminal’s own journal before you charge again, and tell the manager.',
    paper: 'The terminal does not know',
  },
  approvedOtherAmount: {
    says: 'The terminal approved a different amount',
    money: `Not charged: the till is reversing the approved amount. ${called}`,
    next: 'Have the terminal checked before you start again.',
  },
  refundedOtherAmount: {
    says: 'The terminal refunded a different amount',
    money: 'The amount on the terminal’s receipt was refunded, not this one.',
    next: 'Tell the manager.',
  },
  reversedAtTerminal: {
    says: 'Reversed by the terminal',
    money: 'The customer is not charged.',
    next: 'Hand over the receipt.',
  },
  reversalDeclined: {
    says: 'The terminal did not reverse its payment: {why}',
    money: 'Nothing was refunded.',
    next: 'Start the refund again: it then uses the customer’s card at the terminal.',
    paper: 'Declined',
    again: true,
  },
  otherTerminal: {
    says: 'The payment was made on another terminal, and only that terminal can reverse it',
    money: 'Nothing was refunded.',
    next: 'Start the refund again: it then uses the customer’s card at this terminal.',
    again: true,
  },
  reversalRefused: {
    says: 'The terminal approved the payment but did not reverse it: {why}',
    money: charged,
    next: 'Refund this receipt with the customer’s card.',
  },
  personSaidDone: {
    says: 'Checked by a person: it went through',
    money: 'The money was moved as requested.',
    next: 'Hand over the receipt.',
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
  },
  newerVersion: {
    says: 'A newer version of this program wrote something that this one cannot read: {why}',
    money: 'This version does not know how the sale ended. It changes nothing and sends nothing for it.',
    next: 'Start the newer version: it continues this sale. All other sales continue here.',
    paper: 'The result of this payment is not known yet',
  },
  personSaidNot: {
    says: 'Checked by a person: it did not go through',
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

/** What many faults or endings mean for the money. */
export type CommonMoney = CommonFaultMoney | typeof charged | typeof notCharged | typeof released;
export type MoneyIn = { readonly [Sentence in CommonMoney]: Sentence };
/** A translation has these texts in one table, and its rows leave them out. */
export type WithoutCommonMoney<Table extends Readonly<Record<string, { money: string }>>> = {
  readonly [Name in keyof Table]: Table[Name]['money'] extends CommonMoney ? Omit<Table[Name], 'money'> : Table[Name];
};

export type ReasonsIn = WithoutCommonMoney<typeof reasons>;
