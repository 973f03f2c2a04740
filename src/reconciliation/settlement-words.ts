/** What each difference between till, gateway and settlement means, and what a person does about it. */

export type ExplanationRow = {
  readonly says: string;
  readonly next: string;
  /** Nothing is wrong: it only says why the payout is another sum. */
  readonly isFine?: true;
};

export const explanations = {
  fee: { says: 'settled less its fee', next: 'Nothing: book the fee.', isFine: true },
  exchanged: { says: 'settled in another currency', next: 'Nothing: book the rate.', isFine: true },
  settledTomorrow: {
    says: 'not in this file: it is of the file’s last day, or later',
    next: 'Look for it in the next file.',
    isFine: true,
  },
  standaloneFee: { says: 'a fee of no single sale', next: 'Nothing: book the fee.', isFine: true },
  chargeback: {
    says: 'charged back: the customer’s bank took the money',
    next: 'Answer it with the merchant’s receipt before the acquirer’s deadline.',
  },
  chargebackReversal: {
    says: 'a chargeback was taken back',
    next: 'Nothing: the money is the store’s again.',
    isFine: true,
  },
  settledTwice: {
    says: 'settled more than once',
    next: 'Ask the acquirer to take the second one back: the customer is charged twice.',
  },
  refundNetted: {
    says: 'settled less what was refunded on it',
    next: 'Nothing: the refund is in the sum.',
    isFine: true,
  },
  refundNotSettled: { says: 'the refund is not settled yet', next: 'Look again in three days, then ask the acquirer.' },
  partialCapture: {
    says: 'the gateway booked another amount than the till, and that was settled',
    next: 'Compare the receipt with the gateway’s payment, and correct the difference with the customer.',
  },
  tipMissing: { says: 'settled without its tip', next: 'Complete it with the tip, or pay the tip out otherwise.' },
  gatewayDiffers: {
    says: 'the gateway has booked another amount than till and settlement',
    next: 'Ask the gateway’s support, naming the payment id.',
  },
  lateApproval: {
    says: 'approved at the gateway, and not sold in the till: a late approval',
    next: 'Refund it: the customer paid for a sale that the till took as not made.',
  },
  settledThoughReversed: {
    says: 'settled though its approval was given back',
    next: 'Ask the acquirer to take it back, or refund it.',
  },
  settlementFailed: { says: 'the acquirer names its settlement as failed', next: 'Ask the acquirer why.' },
  notSettled: { says: 'missing: it should have been settled by now', next: 'Ask the acquirer, naming the payment id.' },
  otherCurrency: {
    says: 'settled as another currency than it was sold in',
    next: 'Ask the acquirer, naming the payment id: the amount is of another currency than the receipt.',
  },
  namesCrossed: {
    says: 'its two numbers name two sales: taken for the one whose amount it has',
    next: 'Ask the acquirer which payment it is.',
  },
  swapped: {
    says: 'settled with the amount of another sale, and that one with the amount of this',
    next: 'Ask the acquirer to correct both: together the money is right, and each customer’s is not.',
  },
  settledTogether: {
    says: 'settled in one sum with others of its day',
    next: 'Nothing: the sum is that of the sales to the cent.',
    isFine: true,
  },
  overpaid: { says: 'paid out more than amount and fee make', next: 'Ask the acquirer what it is for.' },
  short: {
    says: 'paid out less than amount and fee make',
    next: 'Ask the acquirer what was kept back.',
  },
  otherTill: {
    says: 'unknown to this till: of another till of the store, or made elsewhere',
    next: 'Reconcile the file on the store’s other tills. If none knows it, ask the acquirer.',
  },
  ambiguous: { says: 'fits several sales', next: 'Tell them apart by the acquirer’s own transaction number.' },
  unexplained: { says: 'differs, and nothing known explains it', next: 'Ask the acquirer, naming the payment id.' },
} as const satisfies Record<string, ExplanationRow>;

export type ExplanationName = keyof typeof explanations;
export const rowOf = (name: ExplanationName): ExplanationRow => explanations[name];
