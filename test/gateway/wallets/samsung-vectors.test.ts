/** Samsung Pay: credentials encrypted and signed with libraries of another language. */
import { expect, test } from 'vitest';
import { openSamsungPay } from '../../../src/gateway/wallets/samsung-pay.ts';
import { refusalOf } from './refusals.ts';
import { ofOperation, samsungVectors } from './vectors.ts';

const undecryptable = 'it cannot be decrypted with any private key of this channel';

/** The reason for each vector that must be refused. */
const refusals: Readonly<Record<string, string>> = {
  decrypt: undecryptable,
  header: 'the header of its data does not have the provider’s form',
  signature: 'it is not signed with a trusted signing key',
  'no signing key': 'it is signed, and no signing key of Samsung is set for this channel',
  unsigned: 'it is not signed, and this channel accepts only signed ones',
  clear: 'its data is neither a JWE nor a JWS',
  JSON: 'what it holds is not JSON',
};

test.each(ofOperation(samsungVectors, 'samsungpay.decrypt'))('$name', async ({ inputs, expected }) => {
  const { token, ...settings } = inputs;
  const run = () => openSamsungPay(token, settings);
  if (typeof expected['error'] === 'string') {
    const field = `what it holds does not have the provider’s form: ${expected['error']} is missing or malformed`;
    expect(await refusalOf(run)).toContain(refusals[expected['error']] ?? field);
    return;
  }
  const { tokenPAN, cryptogram } = expected['payload'] as Record<string, string>;
  expect(run()).toMatchObject({
    card: { number: tokenPAN, expiryMonth: '12', expiryYear: '2031' },
    cryptogram,
    eci: '05',
    amount: { minor: 1250n, currency: 'EUR' },
  });
});
