/** Google’s payment method token ("Payment data cryptography for merchants"), before and after it was opened. */
import * as z from 'zod';
import { accountNumber, base64, milliseconds, text } from '../token.ts';

const signed = { signature: base64, signedMessage: text };

/** The signed parts are texts and stay so: what was signed are their characters. */
const intermediateSigningKey = z.object({ signedKey: text, signatures: z.array(base64).min(1).max(10) });

export const googleToken = z.discriminatedUnion('protocolVersion', [
  z.object({ protocolVersion: z.literal('ECv1'), ...signed }),
  z.object({ protocolVersion: z.enum(['ECv2', 'ECv2SigningOnly']), ...signed, intermediateSigningKey }),
]);
export type GoogleToken = z.output<typeof googleToken>;

export const signedKey = z.object({ keyValue: base64, keyExpiration: milliseconds });

export const sealedMessage = z.object({ encryptedMessage: base64, ephemeralPublicKey: base64, tag: base64 });
export type SealedMessage = z.output<typeof sealedMessage>;

const month = z.number().int().min(1).max(12);
const year = z.number().int().min(2000).max(2099);

const cardDetails = z.object({
  /** Absent in ECv1’s messages, whose cards were those that the shopper had typed in. */
  authMethod: z.enum(['PAN_ONLY', 'CRYPTOGRAM_3DS']).optional(),
  pan: accountNumber,
  expirationMonth: month,
  expirationYear: year,
  cryptogram: base64.optional(),
  eciIndicator: z.string().optional(),
});

/** ECv1’s form of a card of the device. */
const tokenizedDetails = z.object({
  dpan: accountNumber,
  expirationMonth: month,
  expirationYear: year,
  '3dsCryptogram': base64.optional(),
  '3dsEciIndicator': z.string().optional(),
});

const common = {
  messageExpiration: milliseconds,
  messageId: text.max(1024),
  gatewayMerchantId: z.string().optional(),
};

/** assuranceDetails, which only say how Google knows the shopper, are not read. */
export const googlePayload = z.discriminatedUnion('paymentMethod', [
  z.object({ ...common, paymentMethod: z.literal('CARD'), paymentMethodDetails: cardDetails }),
  z.object({ ...common, paymentMethod: z.literal('TOKENIZED_CARD'), paymentMethodDetails: tokenizedDetails }),
]);
export type GooglePayload = z.output<typeof googlePayload>;
