/** Google Pay: every published vector, by operation. */
import { createPrivateKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { messageIn, messageKeys, openGooglePay, testRootKeys } from '../../../src/gateway/wallets/google-pay.ts';
import { pointOf, sharedSecret } from '../../../src/gateway/wallets/token.ts';
import { refusalOf } from './refusals.ts';
import { type GoogleInputs, googleVector, googleVectors, ofOperation } from './vectors.ts';

/** The reason for each vector that must be refused. */
const refusals: Readonly<Record<string, RegExp>> = {
  'no private key fits (HMAC)': /cannot be decrypted with any private key/,
  'HMAC (other recipient key)': /cannot be decrypted with any private key/,
  'message expired': /messageExpiration has passed/,
  'unknown protocolVersion': /protocolVersion is missing or malformed/,
  'protocolVersion not a string': /protocolVersion is missing or malformed/,
  'no intermediate signature': /signatures/,
  'message signature': /signature|not signed by Google for/,
  'intermediate key expired': /intermediate signing key has expired/,
  'no root key for ECv1': /no root key of Google for ECv1/,
};

const settingsOf = ({ privateKeys, recipientId, rootKeys }: GoogleInputs) => ({
  environment: 'PRODUCTION' as const,
  recipientId,
  privateKeys,
  rootKeys,
});

const textOf = ({ token, tokenJson }: GoogleInputs): string => tokenJson ?? JSON.stringify(token);

test('runs every operation in the file', () => {
  const operations = [...new Set(googleVectors.map(({ op }) => op))].sort();
  expect(operations).toEqual(['googlepay.decrypt', 'googlepay.deriveKeys', 'googlepay.unseal']);
});

test.each(ofOperation(googleVectors, 'googlepay.decrypt'))('decrypt $name', async ({ inputs, expected }) => {
  const settings = settingsOf(inputs);
  const open = () => openGooglePay(textOf(inputs), settings, Number(inputs.now));
  if (typeof expected['error'] === 'string') {
    expect(await refusalOf(open)).toMatch(refusals[expected['error']] ?? /never/);
    return;
  }
  expect(JSON.parse(messageIn(textOf(inputs), settings, Number(inputs.now)))).toEqual(expected['payload']);
  const payload = expected['payload'] as { messageId: string; paymentMethodDetails: { pan: string } };
  const openedToken = open();
  expect(openedToken).toMatchObject({ id: payload.messageId, card: { number: payload.paymentMethodDetails.pan } });
  expect(openedToken.stale).toBeUndefined();
});

test.each(ofOperation(googleVectors, 'googlepay.unseal'))('unseal $name', ({ inputs, expected }) => {
  expect(messageIn(textOf(inputs), settingsOf(inputs), Number(inputs.now))).toBe(expected['plaintext']);
});

test.each(ofOperation(googleVectors, 'googlepay.deriveKeys'))('keys $name', ({ inputs, expected }) => {
  const point = Buffer.from(inputs.ephemeralPublicKey, 'base64');
  const secret = sharedSecret(createPrivateKey(inputs.privateKey), pointOf(point));
  const { aesKey, macKey } = messageKeys(secret, point, inputs.protocolVersion);
  const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
  expect({ sharedSecret: hex(secret), aesKey: hex(aesKey), macKey: hex(macKey) }).toEqual(expected);
});

test('the built-in root keys are those of Google’s test environment', () => {
  const { inputs } = googleVector('bt-ecv2-new');
  expect(testRootKeys).toEqual(inputs.rootKeys);
  const settings = { ...settingsOf(inputs), environment: 'TEST' as const, rootKeys: undefined };
  const { rootKeys: _, ...withoutKeys } = settings;
  expect(openGooglePay(textOf(inputs), withoutKeys, Number(inputs.now)).card.number).toBe('4111111111111111');
});
