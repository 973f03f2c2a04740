/** The outer shapes of the wallet providers' encrypted payment tokens, as they publish them. Nothing is decrypted. */
import { z } from 'zod';
import { applePaymentData } from '../../../wallets/apple/token.ts';
import { sealedMessage } from '../../../wallets/google-pay.ts';
import { base64, text } from '../../../wallets/token.ts';

/** A token parsed as far as possible without a key. */
export type OuterToken = {
  /** The ciphertext, base64 or base64url. */
  sealed: string;
  /** The card network, if the provider writes it beside the ciphertext. */
  network?: string;
};

/** The maximum length: more than any provider's token has. */
const LENGTH_MAX = 16_384;

/** The wallet's whole token object, or only its paymentData. */
const apple = z.union([
  z
    .object({ paymentData: applePaymentData, paymentMethod: z.object({ network: text.optional() }).optional() })
    .transform(({ paymentData, paymentMethod }) => outerTokenOf(paymentData.data, paymentMethod?.network)),
  applePaymentData.transform(({ data }) => outerTokenOf(data)),
]);

/** Google's payment method token: the signed message is JSON within JSON. */
const google = z
  .object({ protocolVersion: z.enum(['ECv1', 'ECv2', 'ECv2SigningOnly']), signature: base64, signedMessage: text })
  .transform(({ signedMessage }, context) => {
    const message = sealedMessage.safeParse(parseJson(signedMessage));
    if (message.success) return outerTokenOf(message.data.encryptedMessage);
    context.addIssue({ code: 'custom', message: 'signedMessage' });
    return z.NEVER;
  });

/** RFC 7516 section 7.1: five parts separated by dots; the header states the encryption. */
const jwe = z.string().transform((compact, context) => {
  const match = /^([\w-]+)\.[\w-]*\.[\w-]+\.([\w-]+)\.[\w-]+$/.exec(compact);
  const header = parseJson(Buffer.from(match?.[1] ?? '', 'base64url').toString());
  const sealed = match?.[2];
  if (sealed !== undefined && z.object({ alg: text, enc: text }).safeParse(header).success) return outerTokenOf(sealed);
  context.addIssue({ code: 'custom', message: 'not a JWE' });
  return z.NEVER;
});

/** Samsung's credential: only the JWE, or the JSON around it that the wallet delivers. */
const samsung = z
  .object({ '3DS': z.object({ type: text, version: text, data: jwe }), card_brand: text.optional() })
  .transform(({ '3DS': { data }, card_brand }) => outerTokenOf(data.sealed, card_brand));

const outerTokenOf = (sealed: string, network?: string): OuterToken => ({ sealed, network });

const shapes = { applePay: apple, googlePay: google, samsungPay: z.union([samsung, jwe]) } as const;

/** The token's ciphertext and network, or undefined for a text without this provider's shape. */
export const parseOuterToken = (wallet: keyof typeof shapes, token: string): OuterToken | undefined => {
  if (token.length > LENGTH_MAX) return undefined;
  const parsed = shapes[wallet].safeParse(token.startsWith('{') ? parseJson(token) : token);
  return parsed.success ? parsed.data : undefined;
};

const parseJson = (token: string): unknown => {
  try {
    return JSON.parse(token);
  } catch {
    // No shape accepts undefined, so the shape check refuses it.
    return undefined;
  }
};
