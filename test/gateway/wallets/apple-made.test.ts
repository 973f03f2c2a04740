/** Apple Pay: tokens under a root of our own, with every error that Apple's own tokens never have. */
import { expect, test } from 'vitest';
import { openApplePay, openPaymentData } from '../../../src/gateway/wallets/apple/apple-pay.ts';
import { merchantIdHash } from '../../../src/gateway/wallets/apple/token.ts';
import { refusalOf } from './refusals.ts';
import { type MadeInputs, madeVector, madeVectors, ofOperation } from './vectors.ts';

/** The reason for each vector that must be refused. */
const refusals: Readonly<Record<string, string>> = {
  'cannot be decrypted': 'it cannot be decrypted with this channel’s key',
  'signer mark': 'the signer’s certificate is missing, or lacks Apple’s mark 1.2.840.113635.100.6.29',
  'intermediate mark':
    'the certificate of the authority above its signer is missing, or lacks Apple’s mark 1.2.840.113635.100.6.2.14',
  untrusted: 'its signature’s chain does not end at a trusted root',
  'other certificates': 'its signature has certificates other than those of signer and authority',
  'not valid': 'a certificate of its signature’s chain was not valid when it was signed',
  CMS: 'its signature is not a detached CMS signature with SHA-256',
  JSON: 'what it holds is not JSON',
};

const settingsOf = ({ merchantId, keys, appleRootPem }: MadeInputs) => ({
  merchantId,
  keys: keys.map((privateKey) => ({ privateKey })),
  rootCertificates: [appleRootPem],
});

test.each(ofOperation(madeVectors, 'applepay.decrypt'))('$name', async ({ inputs, expected }) => {
  const token = JSON.stringify(inputs.paymentData);
  const run = () => openPaymentData(token, settingsOf(inputs), merchantIdHash(inputs.merchantId));
  if (typeof expected['error'] === 'string') {
    const field = `what it holds does not have the provider’s form: ${expected['error']} is missing or malformed`;
    expect(await refusalOf(run)).toBe(refusals[expected['error']] ?? field);
    return;
  }
  expect((await run()).payload).toEqual(expected['payload']);
});

test('returns the card as the acquirer needs it', async () => {
  const { inputs } = madeVector('ec');
  const openedToken = await openApplePay(JSON.stringify(inputs.paymentData), settingsOf(inputs), Number(inputs.now));
  expect(openedToken).toEqual({
    id: inputs.paymentData.header.transactionId,
    card: { number: '4761739001010010', expiryMonth: '12', expiryYear: '2031' },
    cryptogram: 'AK+zkbPMCORcABCD3AGRAoACFA==',
    eci: '05',
    amount: { minor: 1250n, currency: 'EUR' },
  });
});

test('EMV data are not a card that could be charged here', async () => {
  const { inputs } = madeVector('emv');
  const run = () => openApplePay(JSON.stringify(inputs.paymentData), settingsOf(inputs), Number(inputs.now));
  expect(await refusalOf(run)).toMatch(/EMV data, which no acquirer here accepts/);
});

test.each([
  ['five minutes later', 300_000, 'taken'],
  ['one second more than that', 301_000, 'it was signed more than 300000 ms ago'],
  ['five minutes early', -300_000, 'taken'],
  ['a second more than that', -302_000, 'it was signed in the future: check this machine’s clock'],
])('%s', async (_, laterMs, text) => {
  const { inputs } = madeVector('ec');
  const token = JSON.stringify(inputs.paymentData);
  const settings = settingsOf(inputs);
  const { signingTime } = await openPaymentData(token, settings, merchantIdHash(inputs.merchantId));
  expect(await refusalOf(() => openApplePay(token, settings, signingTime + laterMs))).toBe(text);
});

test('the limit is the channel’s', async () => {
  const { inputs } = madeVector('ec');
  const settings = { ...settingsOf(inputs), maxAgeMs: 3_600_000 };
  const token = JSON.stringify(inputs.paymentData);
  expect(await refusalOf(() => openApplePay(token, settings, Number(inputs.now) + 3_000_000))).toBe('taken');
  expect(await refusalOf(() => openApplePay(token, settings, Number(inputs.now) + 3_700_000))).toMatch(/3600000 ms/);
});
