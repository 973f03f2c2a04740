/** What is set for a channel's settlement. */

export const perPayment = ['AUTH_FEE', 'CAPTURE_FEE', 'CANCEL_FEE', 'REFUND_FEE'] as const;
export const perBatch = ['MONTHLY', 'BATCH'] as const;
/** Of each merchant under the channel that a batch has payments of; with the parameter that names it. */
export const perMerchant = {
  SUBMERCHANT: 'merchant.submerchantId',
  PAYMENT_FACILITATOR: 'merchant.payFacId',
} as const;

/**
 * A line of the fee schedule. Without `type` it is kept from what a payment is paid out with (SettlementFee), and the
 * first line that fits a payment counts. With one it is a FEE record of its own, and each line counts.
 */
export type FeeRule = {
  readonly type?: (typeof perPayment)[number] | (typeof perBatch)[number] | keyof typeof perMerchant;
  readonly brand?: string;
  /** Code of paymentMethods (spec 2.24), as CC. */
  readonly method?: string;
  readonly paymentType?: string;
  /** Only where it is settled in this currency. `fixed`, `min` and `max` are in the settlement currency. */
  readonly currency?: string;
  /** Of a hundred, up to four decimals: 1.25. */
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
  /** A private key's file, OpenSSH or PEM. */
  readonly keyFile?: string;
  readonly passphrase?: string;
  /** On the server; where the login leads, if absent. */
  readonly folder?: string;
};

export type SettlementSettings = {
  /** Where the day's file is put. */
  readonly folder: string;
  /** HH:mm in the channel's time zone: when the file of the day before is written. */
  readonly at?: string;
  /** As Europe/Berlin. */
  readonly timeZone?: string;
  /** HH:mm: when a day ends. */
  readonly cutOff?: string;
  /** What is paid out in; payments of currencies without a rate are settled in their own. */
  readonly currency?: string;
  /** Settlement currency for one of the payment's, up to six decimals. */
  readonly rates?: Readonly<Record<string, string>>;
  readonly acquirer?: { readonly name: string; readonly merchantId: string };
  readonly sftp?: SftpSettings;
};
