/** Payment tokens in the shape that wallets deliver: their outer form around any ciphertext a test needs. */

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const sealed = 'not to be read by anybody';

export const appleData = (payload = sealed, extra: Record<string, unknown> = {}): Record<string, unknown> => ({
  data: base64(payload),
  signature: base64('signature'),
  header: { publicKeyHash: base64('hash'), ephemeralPublicKey: base64('key'), transactionId: '0123abcd' },
  version: 'EC_v1',
  ...extra,
});

export const apple = (payload?: string, extra?: Record<string, unknown>): string =>
  JSON.stringify(appleData(payload, extra));

export const google = (payload = sealed, extra: Record<string, unknown> = {}): string =>
  JSON.stringify({
    protocolVersion: 'ECv2',
    signature: base64('signature'),
    intermediateSigningKey: { signedKey: '{}', signatures: [base64('other')] },
    signedMessage: JSON.stringify({
      encryptedMessage: base64(payload),
      ephemeralPublicKey: base64('key'),
      tag: base64('tag'),
    }),
    ...extra,
  });

const url = (text: string): string => Buffer.from(text).toString('base64url');

export const jwe = (payload = sealed, header = '{"alg":"RSA1_5","enc":"A128GCM","kid":"k"}'): string =>
  [header, 'wrapped key', 'iv', payload, 'tag'].map(url).join('.');

export const samsung = (payload?: string, brand = 'visa'): string =>
  JSON.stringify({
    method: '3DS',
    recurring_payment: 'FALSE',
    card_brand: brand,
    card_last4digits: '1489',
    '3DS': { type: 'S', version: '100', data: jwe(payload) },
  });
