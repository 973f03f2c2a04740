/** The shape of a channel's fees and settlement in a configuration, separate so that payments run without zod. */
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { isCurrency } from '../../base/money.ts';
import { isTimeZone } from '../../base/wall-time.ts';
import { perBatch, perPayment } from './fee-kinds.ts';

/** Fees that belong to no single payment. */
const FIXED = [...perBatch, 'SUBMERCHANT', 'PAYMENT_FACILITATOR'] as const;
const FEES = [...perPayment, ...FIXED] as const;
const currency = z.string().refine(isCurrency, 'must be an ISO 4217 currency code such as EUR');
const amount = z.string().regex(/^\d{1,10}\.\d{2}$/, 'must be an amount such as 0.05');
const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:00');
const rate = z.string().regex(/^(?!0+(?:\.0+)?$)\d{1,6}(?:\.\d{1,6})?$/, 'must be a rate such as 0.9213, and not 0');
const textShape = (max: number) =>
  z.string().min(1, 'must not be empty').max(max, `must have ${max} characters or fewer`);

/**
 * A line of the fee schedule. Without `type` it is deducted from a payment's payout (SettlementFee), and the first line
 * that fits a payment counts. With `type` it is a FEE record of its own, and each line counts.
 */
const feeShape = z
  .strictObject({
    type: z.enum(FEES, `must be one of ${FEES.join(', ')}`).exactOptional(),
    brand: textShape(32).exactOptional(),
    /** A code of paymentMethods (spec 2.24), such as CC. */
    method: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be a payment method such as CC')
      .exactOptional(),
    paymentType: z
      .string()
      .regex(/^[A-Z]{2}(?:\.CP)?$/, 'must be a payment type such as DB')
      .exactOptional(),
    /** Only for payments settled in this currency. `fixed`, `min` and `max` are in the settlement currency. */
    currency: currency.exactOptional(),
    /** Per cent, up to four decimals: 1.25. */
    percentage: z
      .string()
      .regex(/^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/, 'must be a percentage such as 1.25')
      .exactOptional(),
    fixed: amount.exactOptional(),
    min: amount.exactOptional(),
    max: amount.exactOptional(),
  })
  .refine(
    ({ type, percentage }) => percentage === undefined || !FIXED.some((one) => one === type),
    'has a percentage without a payment: MONTHLY, BATCH, SUBMERCHANT and PAYMENT_FACILITATOR accept only fixed',
  )
  .refine(({ percentage, fixed }) => percentage !== undefined || fixed !== undefined, 'needs percentage or fixed')
  .refine(
    ({ min, max }) => min === undefined || max === undefined || Number(min) <= Number(max),
    'has a min above its max',
  );

export type FeeRule = Readonly<z.infer<typeof feeShape>>;

export const feesShape = z.array(feeShape).max(200, 'must be 200 or fewer');

const sftpShape = z
  .strictObject({
    host: z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be a host name or an address'),
    port: z
      .int('must be a whole number')
      .min(1, 'must be 1 or more')
      .max(65_535, 'must be 65535 or less')
      .exactOptional(),
    user: textShape(128),
    /** Of the server's host key. No other key is trusted. */
    hostKey: z
      .string()
      .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, 'must be SHA256: and 43 characters, as ssh-keygen -l shows it'),
    password: textShape(512).exactOptional(),
    /** The file of a private key, OpenSSH or PEM. */
    keyFile: textShape(1024).exactOptional(),
    passphrase: textShape(512).exactOptional(),
    /** On the server. Absent: the folder after login. */
    folder: textShape(1024).exactOptional(),
  })
  .refine(
    ({ password, keyFile }) => (password === undefined) !== (keyFile === undefined),
    'needs either password or keyFile',
  );

export type SftpSettings = Readonly<z.infer<typeof sftpShape>>;

export const settlementShape = z.strictObject({
  /** For the day's file. */
  folder: textShape(1024).refine(isAbsolute, 'must be an absolute path'),
  /** In the channel's time zone: when the previous day's file is written. */
  at: time.exactOptional(),
  timeZone: textShape(64).refine(isTimeZone, 'must be a time zone such as Europe/Berlin').exactOptional(),
  /** The end of a day. */
  cutOff: time.exactOptional(),
  /** The currency of the payout; payments in currencies without a rate are settled in their own. */
  currency: currency.exactOptional(),
  /** Units of the settlement currency for one unit of the payment's currency, up to six decimals. */
  rates: z.record(currency, rate).exactOptional(),
  acquirer: z
    .strictObject({
      name: textShape(64),
      merchantId: z.string().regex(/^[A-Za-z0-9]{5,64}$/, 'must be 5 to 64 letters and digits'),
    })
    .exactOptional(),
  sftp: sftpShape.exactOptional(),
});

export type SettlementSettings = Readonly<z.infer<typeof settlementShape>>;
