/** The settings of a channel's settlement. */

export const perPayment = ['AUTH_FEE', 'CAPTURE_FEE', 'CANCEL_FEE', 'REFUND_FEE'] as const;
export const perBatch = ['MONTHLY', 'BATCH'] as const;
/** For each sub-merchant with payments in a batch; with the parameter that names it. */
export const perMerchant = {
  SUBMERCHANT: 'merchant.submerchantId',
  PAYMENT_FACILITATOR: 'merchant.payFacId',
} as const;

/**
 * A line of the fee schedule. Without `type` it is deducted from a payment's payout (SettlementFee), and the first line
 * that fits a payment counts. With `type` it is a FEE record of its own, and each line counts.
 */
export type FeeRule = {
  readonly type?: (typeof perPayment)[number] | (typeof perBatch)[number] | keyof typeof perMerchant;
  readonly brand?: string;
  /** A code of paymentMethods (spec 2.24), such as CC. */
  readonly method?: string;
  readonly paymentType?: string;
  /** Only for payments settled in this currency. `fixed`, `min` and `max` are in the settlement currency. */
  readonly currency?: string;
  /** Per cent, up to four decimals: 1.25. */
  readonly percentage?: string;
  readonly fixed?: string;
  readonly min?: string;
  readonly max?: string;
};

export type SftpSettings = {
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  /** SHA256:… of the server's host key, as ssh-keygen -l shows it. No other key is trusted. */
  readonly hostKey: string;
  readonly password?: string;
  /** The file of a private key, OpenSSH or PEM. */
  readonly keyFile?: string;
  readonly passphrase?: string;
  /** On the server. Absent: the folder after login. */
  readonly folder?: string;
};

export type SettlementSettings = {
  /** The folder for the day's file. */
  readonly folder: string;
  /** HH:mm in the channel's time zone: when the previous day's file is written. */
  readonly at?: string;
  /** Such as Europe/Berlin. */
  readonly timeZone?: string;
  /** HH:mm: the end of a day. */
  readonly cutOff?: string;
  /** The currency of the payout; payments in currencies without a rate are settled in their own. */
  readonly currency?: string;
  /** Units of the settlement currency for one unit of the payment's currency, up to six decimals. */
  readonly rates?: Readonly<Record<string, string>>;
  readonly acquirer?: { readonly name: string; readonly merchantId: string };
  readonly sftp?: SftpSettings;
};
