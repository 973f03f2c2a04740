/** The outer shapes of the wallet providers' encrypted payment tokens, as they publish them. Nothing is decrypted. */
import { z } from 'zod';

/** A token taken apart as far as that goes without a key. */
export type OuterToken = {
  /** Its ciphertext, base64 or base64url. */
  sealed: string;
  /** The card network, where the provider writes it beside the ciphertext. */
  network?: string;
};

/** Longer than any provider's token. */
const LENGTH_MAX = 16_384;

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const text = z.string().min(1);

/** Apple's payment token format reference: EC_v1 has an ephemeral key, RSA_v1 a wrapped one. */
const appleData = z.object({
  data: base64,
  signature: base64,
  header: z
    .object({
      publicKeyHash: base64,
      transactionId: z.string().regex(/^[0-9A-Fa-f]+$/),
      ephemeralPublicKey: base64.optional(),
      wrappedKey: base64.optional(),
    })
    .refine(({ ephemeralPublicKey, wrappedKey }) => (ephemeralPublicKey ?? wrappedKey) !== undefined),
  version: z.enum(['EC_v1', 'RSA_v1']),
});

/** The whole token object of the wallet, or its paymentData alone. */
const apple = z.union([
  z
    .object({ paymentData: appleData, paymentMethod: z.object({ network: text.optional() }).optional() })
    .transform(({ paymentData, paymentMethod }) => outer(paymentData.data, paymentMethod?.network)),
  appleData.transform(({ data }) => outer(data)),
]);

const googleMessage = z.object({ encryptedMessage: base64, ephemeralPublicKey: base64, tag: base64 });

/** Google's payment method token: the signed message is JSON inside the JSON. */
const google = z
  .object({
    protocolVersion: z.enum(['ECv1', 'ECv2', 'ECv2SigningOnly']),
    signature: base64,
    signedMessage: text,
  })
  .transform(({ signedMessage }, context) => {
    const message = googleMessage.safeParse(jsonOf(signedMessage));
    if (message.success) return outer(message.data.encryptedMessage);
    context.addIssue({ code: 'custom', message: 'signedMessage' });
    return z.NEVER;
  });

/** RFC 7516 section 7.1: five parts between dots, the header says how it is encrypted. */
const jwe = z.string().transform((compact, context) => {
  const parts = /^([\w-]+)\.[\w-]*\.[\w-]+\.([\w-]+)\.[\w-]+$/.exec(compact);
  const header = jsonOf(Buffer.from(parts?.[1] ?? '', 'base64url').toString());
  const sealed = parts?.[2];
  if (sealed !== undefined && z.object({ alg: text, enc: text }).safeParse(header).success) return outer(sealed);
  context.addIssue({ code: 'custom', message: 'not a JWE' });
  return z.NEVER;
});

/** Samsung's credential: the JWE alone, or in the JSON that the wallet hands out. */
const samsung = z
  .object({ '3DS': z.object({ type: text, version: text, data: jwe }), card_brand: text.optional() })
  .transform(({ '3DS': { data }, card_brand }) => outer(data.sealed, card_brand));

const outer = (sealed: string, network?: string): OuterToken => ({
  sealed,
  ...(network !== undefined && { network }),
});

const shapes = { applePay: apple, googlePay: google, samsungPay: z.union([samsung, jwe]) } as const;

/** The token's ciphertext and network, or undefined for a text that is not of this provider's shape. */
export const outerToken = (wallet: keyof typeof shapes, token: string): OuterToken | undefined => {
  if (token.length > LENGTH_MAX) return undefined;
  const parsed = shapes[wallet].safeParse(token.startsWith('{') ? jsonOf(token) : token);
  return parsed.success ? parsed.data : undefined;
};

const jsonOf = (token: string): unknown => {
  try {
    return JSON.parse(token);
  } catch {
    // No shape takes undefined, so the shape check refuses it.
    return undefined;
  }
};
