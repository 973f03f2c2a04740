/** Any token leads to a refusal with a message, never to a crash, and never to an echo of its content. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openApplePay } from '../../../src/gateway/wallets/apple/apple-pay.ts';
import { openGooglePay } from '../../../src/gateway/wallets/google-pay.ts';
import { openSamsungPay } from '../../../src/gateway/wallets/samsung-pay.ts';
import { byNight } from '../../support/night/night.ts';
import { settings as googlePay, googleToken, now } from './google-seal.ts';
import { refusalOf } from './refusals.ts';
import { madeVector, samsungVector } from './vectors.ts';

const created = madeVector('ec').inputs;
const applePay = {
  merchantId: created.merchantId,
  keys: created.keys.map((privateKey) => ({ privateKey })),
  rootCertificates: [created.appleRootPem],
};
const samsung = samsungVector('RSA1_5-A128GCM').inputs;

const opening: Readonly<Record<string, (token: string) => unknown>> = {
  apple: (token) => openApplePay(token, applePay, Number(created.now)),
  google: (token) => openGooglePay(token, googlePay, now),
  samsung: (token) => openSamsungPay(token, samsung),
};

const valid: Readonly<Record<string, string>> = {
  apple: JSON.stringify(created.paymentData),
  google: JSON.stringify(googleToken()),
  samsung: samsung.token,
};

const base64 = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const part = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64url'));

const appleLike = fc
  .record({ data: base64, signature: base64, ephemeralPublicKey: base64, transactionId: fc.constant('00ff') })
  .map(({ data, signature, ...header }) => ({
    version: 'EC_v1',
    data,
    signature,
    header: { ...header, publicKeyHash: 'AAAA' },
  }));
const googleLike = fc.record({
  protocolVersion: fc.constantFrom('ECv1', 'ECv2', 'ECv2SigningOnly'),
  signature: base64,
  signedMessage: fc.oneof(fc.string(), fc.json()),
  intermediateSigningKey: fc.record({ signedKey: fc.json(), signatures: fc.array(base64) }),
});
const joseLike = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('.'));

const anyToken = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.json(),
  appleLike.map((token) => JSON.stringify(token)),
  googleLike.map((token) => JSON.stringify(token)),
  joseLike,
  joseLike.map((data) => JSON.stringify({ '3DS': { type: 'S', version: '100', data } })),
);

/** A failure prints its seed. */
const expectRefusal = async (wallet: string, token: string): Promise<void> => {
  const text = await refusalOf(() => opening[wallet]?.(token));
  expect(text).not.toBe('taken');
  expect(text.length).toBeLessThan(200);
};

test.each(Object.keys(opening))('%s: anything', async (wallet) => {
  await fc.assert(
    fc.asyncProperty(anyToken, (token) => expectRefusal(wallet, token)),
    { numRuns: byNight({ day: 100, night: 300 }) },
  );
});

test.each(Object.keys(opening))('%s: a valid token truncated, doubled and with changed characters', async (wallet) => {
  const validToken = valid[wallet] ?? '';
  expect(await refusalOf(() => opening[wallet]?.(validToken))).toBe('taken');
  const position = fc.nat({ max: validToken.length - 1 });
  await fc.assert(
    fc.asyncProperty(position, fc.nat({ max: 40 }), fc.string({ maxLength: 3 }), async (from, length, inserted) => {
      const changedToken = validToken.slice(0, from) + inserted + validToken.slice(from + length);
      const text = await refusalOf(() => opening[wallet]?.(changedToken));
      // Some changes have no effect: in names that nobody reads, or to another spelling of the same text.
      if (text === 'taken') expect(await opening[wallet]?.(changedToken)).toEqual(await opening[wallet]?.(validToken));
    }),
    { numRuns: byNight({ day: 70, night: 200 }) },
  );
});

test('endless brackets', async () => {
  for (const token of ['['.repeat(16_000), '{"3DS":'.repeat(2_000), `{"a":${'['.repeat(15_000)}`]) {
    for (const wallet of Object.keys(opening)) await expectRefusal(wallet, token);
  }
});

test('a signature of nested sequences', async () => {
  const nested = Buffer.alloc(8_000, Buffer.from([0x30, 0x80])).toString('base64');
  await expectRefusal('apple', JSON.stringify({ ...created.paymentData, signature: nested }));
});
