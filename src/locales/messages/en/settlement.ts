/** What each difference between till, gateway and settlement means, and what a person does about it. */

export type ExplanationRow = {
  readonly says: string;
  readonly next: string;
  /** Nothing is wrong: the row only explains why the payout differs. */
  readonly isFine?: true;
};

export const explanations = {
  fee: { says: 'settled minus its fee', next: 'Nothing: book the fee.', isFine: true },
  exchanged: { says: 'settled in another currency', next: 'Nothing: book the exchange difference.', isFine: true },
  settledTomorrow: {
    says: 'not in this file: it was sold on the file’s last day or later',
    next: 'Look for it in the next file.',
    isFine: true,
  },
  standaloneFee: { says: 'a fee that belongs to no single sale', next: 'Nothing: book the fee.', isFine: true },
  chargeback: {
    says: 'charged back: the customer’s bank took the money back',
    next: 'Answer it with the merchant’s receipt before the acquirer’s deadline.',
  },
  chargebackReversal: {
    says: 'a chargeback was reversed',
    next: 'Nothing: the money is the store’s again.',
    isFine: true,
  },
  settledTwice: {
    says: 'settled more than once',
    next: 'Ask the acquirer to reverse the second one: the customer was charged twice.',
  },
  refundNetted: {
    says: 'settled minus its refunds',
    next: 'Nothing: the refund is included.',
    isFine: true,
  },
  refundNotSettled: { says: 'the refund is not settled yet', next: 'Look again in three days, then ask the acquirer.' },
  partialCapture: {
    says: 'the gateway booked a different amount from the till, and that was settled',
    next: 'Compare the receipt with the gateway’s payment, and correct the difference with the customer.',
  },
  tipMissing: { says: 'settled without its tip', next: 'Complete it with the tip, or pay the tip out another way.' },
  gatewayDiffers: {
    says: 'the gateway booked a different amount from till and settlement',
    next: 'Contact the gateway’s support with the payment id.',
  },
  lateApproval: {
    says: 'approved at the gateway but not sold at the till: a late approval',
    next: 'Refund it: the customer paid for a sale that the till recorded as not made.',
  },
  settledThoughReversed: {
    says: 'settled although its approval was reversed',
    next: 'Ask the acquirer to reverse it, or refund it.',
  },
  settlementFailed: { says: 'the acquirer reports that its settlement failed', next: 'Ask the acquirer why.' },
  notSettled: { says: 'missing: it should have been settled by now', next: 'Ask the acquirer, naming the payment id.' },
  otherCurrency: {
    says: 'settled in a different currency from the receipt',
    next: 'Ask the acquirer, naming the payment id: the file has a different currency from the receipt.',
  },
  namesCrossed: {
    says: 'its two ids name two different sales: matched to the one with its amount',
    next: 'Ask the acquirer which payment it is.',
  },
  swapped: {
    says: 'settled with the amount of another sale, which was settled with this one’s amount',
    next: 'Ask the acquirer to correct both: the total is right, but each amount is wrong.',
  },
  settledTogether: {
    says: 'settled in one sum with other sales of its day',
    next: 'Nothing: the sum matches the sales to the cent.',
    isFine: true,
  },
  overpaid: { says: 'paid out more than the amount minus the fee', next: 'Ask the acquirer what it is for.' },
  short: {
    says: 'paid out less than the amount minus the fee',
    next: 'Ask the acquirer what was withheld.',
  },
  otherTill: {
    says: 'unknown to this till: it belongs to another till of the store, or was made elsewhere',
    next: 'Reconcile the file on the store’s other tills. If none knows it, ask the acquirer.',
  },
  ambiguous: { says: 'fits several sales', next: 'Tell them apart by the acquirer’s own transaction number.' },
  unexplained: { says: 'differs without a known explanation', next: 'Ask the acquirer, naming the payment id.' },
} as const satisfies Record<string, ExplanationRow>;

export type ExplanationName = keyof typeof explanations;
export const rowOf = (name: ExplanationName): ExplanationRow => explanations[name];

export type SettlementIn = { [Name in ExplanationName]: (typeof explanations)[Name]['says'] };
export type SettlementNextIn = { [Name in ExplanationName]: (typeof explanations)[Name]['next'] };
