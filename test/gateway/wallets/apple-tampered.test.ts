/** Apple Pay: each part of a real token changed by one bit, and each fails with its own message. */
import { expect, test } from 'vitest';
import { openApplePay } from '../../../src/gateway/wallets/apple/apple-pay.ts';
import { flipBit, flippedHex } from './flipped.ts';
import { refusalOf } from './refusals.ts';
import { type AppleInputs, appleVector, madeVector } from './vectors.ts';

type PaymentData = AppleInputs['paymentData'];

const changedAfter = 'its signature is for different data: something in it was changed after it was signed';
const malformed = (path: string) => `it does not have the provider’s form: ${path} is missing or malformed`;

const { inputs } = appleVector('bt-ec-new');
const settings = { merchantId: 'merchant.basistheory.sales', keys: [{ privateKey: inputs.merchantPrivateKeyPem }] };

const refusalWith = (change: (data: PaymentData) => unknown): Promise<string> =>
  refusalOf(() =>
    openApplePay(JSON.stringify(change(structuredClone(inputs.paymentData))), settings, Number(inputs.now)),
  );

const withHeader = (changes: Record<string, string | undefined>) => (data: PaymentData) => ({
  ...data,
  header: { ...data.header, ...changes },
});

test('an unchanged token is accepted, alone and in the wallet’s whole token', async () => {
  expect(await refusalWith((data) => data)).toBe('taken');
  expect(await refusalWith((paymentData) => ({ paymentData, paymentMethod: { network: 'Visa' } }))).toBe('taken');
});

const { header } = inputs.paymentData;

test.each<[title: string, change: (data: PaymentData) => unknown, message: string]>([
  ['data', (data) => ({ ...data, data: flipBit(data.data) }), changedAfter],
  ['transactionId', withHeader({ transactionId: flippedHex(header.transactionId) }), changedAfter],
  [
    'ephemeralPublicKey',
    withHeader({ ephemeralPublicKey: flipBit(String(header['ephemeralPublicKey'])) }),
    changedAfter,
  ],
  ['an added applicationData', withHeader({ applicationData: '00' }), changedAfter],
  [
    'publicKeyHash',
    withHeader({ publicKeyHash: flipBit(header.publicKeyHash) }),
    'no payment processing key of this channel has its publicKeyHash',
  ],
  ['version', (data) => ({ ...data, version: 'EC_v2' }), malformed('version')],
  ['the other version', (data) => ({ ...data, version: 'RSA_v1' }), malformed('header.wrappedKey')],
  ['no version', ({ version: _, ...data }) => data, malformed('version')],
  ['no data', ({ data: _, ...rest }) => rest, malformed('data')],
  ['data that are not base64', (data) => ({ ...data, data: '§' }), malformed('data')],
  ['no header', ({ header: _, ...data }) => data, malformed('header')],
  ['no transactionId', withHeader({ transactionId: undefined }), malformed('header.transactionId')],
  ['a transactionId that is not hex', withHeader({ transactionId: 'xyz' }), malformed('header.transactionId')],
  ['no publicKeyHash', withHeader({ publicKeyHash: undefined }), malformed('header.publicKeyHash')],
  ['no ephemeralPublicKey', withHeader({ ephemeralPublicKey: undefined }), malformed('header.ephemeralPublicKey')],
])('%s changed', async (_, change, text) => {
  expect(await refusalWith(change)).toBe(text);
});

test.each([
  // The rest are fields outside of the signed content: versions, digests, the certificate's owner.
  ['certificates', 52, 1805],
  ['signed attributes', 1968, 2118],
  ['signature itself', 2120, 2202],
])('refuses the %s with any of their bits changed', async (_, from, to) => {
  const bytes = Buffer.from(inputs.paymentData.signature, 'base64');
  for (let offset = from; offset < to; offset += 23) {
    const changedBytes = Buffer.from(bytes);
    changedBytes[offset] = (changedBytes[offset] as number) ^ 4;
    const refusal = await refusalWith((data) => ({ ...data, signature: changedBytes.toString('base64') }));
    expect(refusal, `byte ${offset}`).toMatch(/signature|signer|signed/);
  }
});

test('refuses the signature of another token from Apple', async () => {
  const { signature } = appleVector('gala-2021-mastercard').inputs.paymentData;
  expect(await refusalWith((data) => ({ ...data, signature }))).toBe(changedAfter);
});

test('refuses a token signed under another root', async () => {
  const { paymentData } = madeVector('ec').inputs;
  expect(await refusalWith(() => paymentData)).toBe('its signature’s chain does not end at a trusted root');
});

test('refuses another merchant’s id and another merchant’s key', async () => {
  const open = (other: object) =>
    openApplePay(JSON.stringify(inputs.paymentData), { ...settings, ...other }, Number(inputs.now));
  const says = 'it cannot be decrypted with this channel’s key';
  expect(await refusalOf(() => open({ merchantId: 'merchant.example.other' }))).toBe(says);
  const { merchantPrivateKeyPem: privateKey } = appleVector('gala-2021-mastercard').inputs;
  expect(await refusalOf(() => open({ keys: [{ privateKey }] }))).toMatch(/has its publicKeyHash/);
});
