/**
 * Why a sale ended as it did: what happened, what it means for the money, what to do next, and whether trying again is
 * safe. The words a cashier reads; `{why}` is filled with the facts of the case.
 */
export type ReasonRow = {
  says: string;
  money: string;
  next: string;
  again: boolean;
  /** What the customer's paper says instead, where the facts are only for the till. */
  paper?: string;
};

const notCharged = 'Not charged.';
const released = 'Not charged: the bank’s approval is being given back by itself.';

export const reasons = {
  approved: { says: 'Approved', money: 'Charged.', next: 'Hand over the receipt.', again: false },
  refunded: {
    says: 'Given back',
    money: 'The money goes back to the card.',
    next: 'Hand over the receipt.',
    again: false,
  },
  approvedOffline: {
    says: 'Approved offline',
    money: 'Will be charged when the line is back.',
    next: 'Hand over the receipt.',
    again: false,
  },
  declinedOnForwarding: {
    says: 'Taken offline, then declined by the bank: {why}',
    money: 'Not charged, though the goods have left.',
    next: 'Tell the manager.',
    paper: 'Declined by the bank',
    again: false,
  },
  declinedByHost: {
    says: 'Declined: {why}',
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
    money: 'Unknown. It is being asked, and taken back if it was charged.',
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
} as const satisfies Record<string, ReasonRow>;

export type Reason = keyof typeof reasons;

/** The row with its facts filled in. A gateway's "transaction declined (reason)" says the first half twice. */
export const reasonWords = (reason: Reason, why = ''): ReasonRow => {
  const row: ReasonRow = reasons[reason];
  const fact = /^transaction declined \((.+)\)$/.exec(why)?.[1] ?? why;
  return { ...row, says: row.says.replace('{why}', () => fact) };
};
