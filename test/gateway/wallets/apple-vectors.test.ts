/** Apple Pay: every published vector, by operation. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  appleRootCertificate,
  decrypt,
  openPaymentData,
  staleReason,
} from '../../../src/gateway/wallets/apple/apple-pay.ts';
import { signedContent, signingTimeOf } from '../../../src/gateway/wallets/apple/signature.ts';
import { contentKeyOf, merchantIdHashIn } from '../../../src/gateway/wallets/apple/token.ts';
import { publicKeyHashOf, publicKeyOf, sha256, sharedSecret } from '../../../src/gateway/wallets/token.ts';
import { refusalOf } from './refusals.ts';
import { type AppleInputs, appleVectors, ofOperation } from './vectors.ts';

/** The reason for each vector that must be refused. */
const refusals: Readonly<Record<string, RegExp>> = {
  'GCM tag': /cannot be decrypted/,
  'no merchant key with this publicKeyHash': /has its publicKeyHash/,
  signature: /its signature is for different data/,
  'signing time older than 5 minutes': /signed more than 300000 ms ago/,
  'signature missing': /signature is missing or malformed/,
};

const open = async (inputs: AppleInputs) => {
  const { paymentData, merchantPrivateKeyPem: privateKey, appleRootPem, now, maxAgeMs } = inputs;
  const merchant = merchantIdHashIn(inputs.merchantCertificatePem);
  if (merchant === undefined) throw new Error('no merchant in the certificate');
  const settings = { merchantId: 'not.read', keys: [{ privateKey }], rootCertificates: [appleRootPem] };
  const openedPayload = await openPaymentData(JSON.stringify(paymentData), settings, merchant);
  return {
    ...openedPayload,
    stale: staleReason(openedPayload.signingTime, { now: Number(now), maxAgeMs: Number(maxAgeMs) }),
  };
};

test('runs every operation in the file', () => {
  expect([...new Set(appleVectors.map(({ op }) => op))].sort()).toEqual([
    'applepay.decrypt',
    'applepay.decryptData',
    'applepay.merchantId',
    'applepay.publicKeyHash',
    'applepay.sharedSecret',
    'applepay.signedData',
    'applepay.symmetricKey',
    'applepay.verifySignature',
  ]);
});

test.each(ofOperation(appleVectors, 'applepay.decrypt'))('decrypt $name', async ({ inputs, expected }) => {
  if (typeof expected['error'] === 'string') {
    expect(await refusalOf(() => open(inputs))).toMatch(refusals[expected['error']] ?? /never/);
    return;
  }
  const openedPayload = await open(inputs);
  expect(openedPayload.stale).toBeUndefined();
  expect(openedPayload.payload).toEqual(expected['payload']);
});

test.each(ofOperation(appleVectors, 'applepay.verifySignature'))('signature $name', async ({ inputs, expected }) => {
  const { paymentData, appleRootPem } = inputs;
  const verify = () => signingTimeOf(paymentData, [appleRootPem]);
  if (expected['valid'] !== true) {
    expect(await refusalOf(verify)).toMatch(/signature/);
    return;
  }
  // UTCTime: YYMMDDhhmmssZ
  const written = new Date(await verify())
    .toISOString()
    .replace(/[-:T]|\.\d+/g, '')
    .slice(2);
  expect(written).toBe(expected['signingTime']);
});

test.each(ofOperation(appleVectors, 'applepay.signedData'))('signed data $name', ({ inputs, expected }) => {
  expect(signedContent(inputs.paymentData).toString('hex').toUpperCase()).toBe(expected['signedData']);
});

test.each(ofOperation(appleVectors, 'applepay.merchantId'))('merchant id $name', ({ inputs, expected }) => {
  expect(merchantIdHashIn(inputs.certificatePem)?.toString('hex').toUpperCase()).toBe(expected['merchantIdHash']);
});

test.each(ofOperation(appleVectors, 'applepay.publicKeyHash'))('public key hash $name', ({ inputs, expected }) => {
  const { publicKey } = new X509Certificate(inputs.certificatePem);
  const hash = sha256(publicKey.export({ type: 'spki', format: 'der' }));
  expect(hash.toString('base64')).toBe(expected['publicKeyHash']);
});

test('the hash of a private key is that of its certificate', () => {
  const vectors = ofOperation(appleVectors, 'applepay.decrypt').filter(({ expected }) => !('error' in expected));
  expect(vectors.length).toBeGreaterThan(2);
  for (const { inputs } of vectors) {
    const hash = publicKeyHashOf(createPrivateKey(inputs.merchantPrivateKeyPem));
    expect(hash.toString('base64')).toBe(inputs.paymentData.header.publicKeyHash);
  }
});

test.each(ofOperation(appleVectors, 'applepay.sharedSecret'))('shared secret $name', ({ inputs, expected }) => {
  const key = createPrivateKey(inputs.merchantPrivateKeyPem);
  const secret = sharedSecret(key, publicKeyOf(Buffer.from(inputs.ephemeralPublicKey, 'base64')));
  expect(secret.toString('hex').toUpperCase()).toBe(expected['sharedSecret']);
});

test.each(ofOperation(appleVectors, 'applepay.symmetricKey'))('content key $name', ({ inputs, expected }) => {
  const key = contentKeyOf(Buffer.from(inputs.sharedSecret, 'hex'), Buffer.from(inputs.merchantIdHash, 'hex'));
  expect(key.toString('hex').toUpperCase()).toBe(expected['key']);
});

test.each(ofOperation(appleVectors, 'applepay.decryptData'))('data $name', async ({ inputs, expected }) => {
  const run = () => decrypt(inputs.data, () => Buffer.from(inputs.key, 'hex'));
  expect(await refusalOf(run)).toMatch(refusals[String(expected['error'])] ?? /never/);
});

test('the root is the one that Apple publishes', () => {
  const root = new X509Certificate(appleRootCertificate);
  expect(root.fingerprint256.replaceAll(':', '')).toBe(
    '63343ABFB89A6A03EBB57E9B3F5FA7BE7C4F5C756F3017B3A8C488C3653E9179',
  );
  expect(root.verify(root.publicKey)).toBe(true);
});
