/** The kinds of fees of a channel's settlement. */

export const perPayment = ['AUTH_FEE', 'CAPTURE_FEE', 'CANCEL_FEE', 'REFUND_FEE'] as const;
export const perBatch = ['MONTHLY', 'BATCH'] as const;
/** For each sub-merchant with payments in a batch; with the parameter that names it. */
export const perMerchant = {
  SUBMERCHANT: 'merchant.submerchantId',
  PAYMENT_FACILITATOR: 'merchant.payFacId',
} as const;
