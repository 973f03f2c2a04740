/** Apple’s payment token (Payment Token Format Reference), before and after it was opened. */
import * as z from 'zod';
import { accountNumber, base64, fitting, hex, jsonOf, text } from '../token.ts';

const header = {
  /** SHA-256 of the merchant's public key: which of his keys it is for. */
  publicKeyHash: base64,
  transactionId: hex,
  /** SHA-256 of what the merchant gave the wallet, if he gave anything. */
  applicationData: hex.optional(),
};

const ellipticCurve = z.object({
  version: z.literal('EC_v1'),
  data: base64,
  signature: base64,
  header: z.object({ ...header, ephemeralPublicKey: base64 }),
});

const rsa = z.object({
  version: z.literal('RSA_v1'),
  data: base64,
  signature: base64,
  header: z.object({ ...header, wrappedKey: base64 }),
});

export const applePaymentData = z.discriminatedUnion('version', [ellipticCurve, rsa]);
export type ApplePaymentData = z.output<typeof applePaymentData>;

const wholeToken = z.object({ paymentData: z.unknown() });

/** The paymentData: by itself, or in the whole token of the wallet. Throws `wallet.refused`. */
export const paymentDataIn = (token: string): ApplePaymentData => {
  const json = jsonOf(token, 'it');
  const whole = wholeToken.safeParse(json);
  const inner = whole.success && whole.data.paymentData !== undefined ? whole.data.paymentData : json;
  return fitting(applePaymentData, inner, 'it');
};

const common = {
  applicationPrimaryAccountNumber: accountNumber,
  /** YYMMDD */
  applicationExpirationDate: z.string().regex(/^\d{2}(0[1-9]|1[0-2])\d{2}$/),
  /** ISO 4217 numeric, three digits. */
  currencyCode: z.string().regex(/^\d{3}$/),
  /** Minor units. */
  transactionAmount: z.number().int().nonnegative(),
  cardholderName: text.optional(),
  deviceManufacturerIdentifier: hex.optional(),
};

export const applePayload = z.discriminatedUnion('paymentDataType', [
  z.object({
    ...common,
    paymentDataType: z.literal('3DSecure'),
    paymentData: z.object({ onlinePaymentCryptogram: base64, eciIndicator: z.string().optional() }),
  }),
  z.object({
    ...common,
    paymentDataType: z.literal('EMV'),
    paymentData: z.object({ emvData: base64, encryptedPINData: hex.optional() }),
  }),
]);
export type ApplePayload = z.output<typeof applePayload>;
