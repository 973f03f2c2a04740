/** Google Pay: each part of a token changed, and each fails with its own message. */
import { expect, test } from 'vitest';
import { openGooglePay } from '../../../src/gateway/wallets/google-pay.ts';
import type { GooglePaySettings } from '../../../src/gateway/wallets/settings.ts';
import { flipBit } from './flipped.ts';
import { deviceCard, googleToken, keyPair, now, pemOf, settings, type Version } from './google-seal.ts';
import { refusalOf } from './refusals.ts';

const open = (token: unknown, extra: Partial<GooglePaySettings> & { at?: number } = {}) => {
  const { at = now, ...other } = extra;
  return refusalOf(() => openGooglePay(JSON.stringify(token), { ...settings, ...other }, at));
};

const unsigned = 'its message is not signed by Google for gateway:tillgate';
const undecryptable = 'it cannot be decrypted with any private key of this channel';

test.each<Version>(['ECv1', 'ECv2', 'ECv2SigningOnly'])('%s returns the card with its cryptogram', (version) => {
  const token = JSON.stringify(googleToken({ version }));
  expect(openGooglePay(token, settings, now)).toEqual({
    id: 'message-1',
    card: { number: '4761739001010010', expiryMonth: '01', expiryYear: '2031' },
    cryptogram: 'AK+zkbPMCORcABCD3AGRAoACFA==',
    eci: '05',
  });
});

test('a card on file has no cryptogram, whatever else is sent', () => {
  const details = { ...deviceCard.paymentMethodDetails, authMethod: 'PAN_ONLY' };
  const token = googleToken({ message: { ...deviceCard, paymentMethodDetails: details } });
  const openedToken = openGooglePay(JSON.stringify(token), settings, now);
  expect(openedToken).toEqual({
    id: 'message-1',
    card: { number: '4761739001010010', expiryMonth: '01', expiryYear: '2031' },
  });
});

test('accepts the older form of a device’s card', () => {
  const { pan: dpan, expirationMonth, expirationYear } = deviceCard.paymentMethodDetails;
  const paymentMethodDetails = {
    dpan,
    expirationMonth,
    expirationYear,
    '3dsCryptogram': 'AK+zkbPMCORcABCD3AGRAoACFA==',
    '3dsEciIndicator': '7',
  };
  const message = { ...deviceCard, paymentMethod: 'TOKENIZED_CARD', paymentMethodDetails };
  const openedToken = openGooglePay(JSON.stringify(googleToken({ version: 'ECv1', message })), settings, now);
  expect(openedToken).toMatchObject({ cryptogram: 'AK+zkbPMCORcABCD3AGRAoACFA==', eci: '07', card: { number: dpan } });
});

test.each(['ECv1', 'ECv2'] as const)('%s: the message changed', async (version) => {
  const token = googleToken({ version });
  for (const name of ['encryptedMessage', 'ephemeralPublicKey', 'tag']) {
    const message = JSON.parse(token.signedMessage) as Record<string, string>;
    const changedMessage = JSON.stringify({ ...message, [name]: flipBit(String(message[name])) });
    expect(await open({ ...token, signedMessage: changedMessage })).toBe(unsigned);
  }
  expect(await open({ ...token, signedMessage: `${token.signedMessage} ` })).toBe(unsigned);
  expect(await open({ ...token, signature: flipBit(token.signature) })).toBe(unsigned);
});

test('refuses an intermediate key that was changed, has expired, or was signed by somebody else', async () => {
  const token = googleToken();
  const key = 'intermediateSigningKey' in token ? token.intermediateSigningKey : undefined;
  const untrusted = 'its intermediate signing key is not signed by a trusted root key';
  const longer = key?.signedKey.replace(/(\d{12})\d"/, '$19"');
  expect(await open({ ...token, intermediateSigningKey: { ...key, signedKey: longer } })).toBe(untrusted);
  expect(await open(googleToken({ by: keyPair().privateKey }))).toBe(untrusted);
  expect(await open(googleToken({ keyExpiration: now }))).toBe('its intermediate signing key has expired');
  expect(await open({ ...token, intermediateSigningKey: undefined })).toMatch(/intermediateSigningKey is missing/);
});

test('refuses a token of one version as another', async () => {
  expect(await open({ ...googleToken(), protocolVersion: 'ECv1' })).toBe(unsigned);
  expect(await open({ ...googleToken(), protocolVersion: 'ECv2SigningOnly' })).toMatch(
    /not signed by a trusted root key/,
  );
  expect(await open({ ...googleToken(), protocolVersion: 'ECv3' })).toMatch(/protocolVersion is missing or malformed/);
});

test('refuses expired tokens', async () => {
  const expiry = Number(deviceCard.messageExpiration);
  const expiredRoots = { ...settings, rootKeys: settings.rootKeys as NonNullable<GooglePaySettings['rootKeys']> };
  const token = googleToken({ keyExpiration: expiry + 5 });
  expect(await open(token, { at: expiry - 1 })).toBe('taken');
  expect(await open(token, { at: expiry })).toBe('its messageExpiration has passed');
  const keys = expiredRoots.rootKeys.keys.map((key) => ({ ...key, keyExpiration: String(now) }));
  expect(await open(token, { rootKeys: { keys } })).toMatch(/every root key of Google for ECv2 .* has expired/);
});

test('root keys without an expiry date are accepted only for ECv1', async () => {
  const keys = (settings.rootKeys?.keys ?? []).map(({ keyExpiration: _, ...key }) => key);
  expect(await open(googleToken({ version: 'ECv1' }), { rootKeys: { keys } })).toBe('taken');
  expect(await open(googleToken({ version: 'ECv2' }), { rootKeys: { keys } })).toMatch(/has expired/);
});

test('refuses a token for another recipient, another merchant of the gateway, or another key', async () => {
  expect(await open(googleToken({ recipientId: 'gateway:other' }))).toBe(unsigned);
  expect(await open(googleToken(), { gatewayMerchantId: 'shop-2' })).toMatch(/another merchant of this gateway/);
  const { gatewayMerchantId: _, ...nobodys } = deviceCard;
  expect(await open(googleToken({ message: nobodys }))).toMatch(/another merchant of this gateway/);
  const other = pemOf(keyPair().privateKey);
  expect(await open(googleToken(), { privateKeys: [other] })).toBe(undecryptable);
  expect(await open(googleToken(), { privateKeys: [other, ...settings.privateKeys] })).toBe('taken');
});

test('production accepts only its own root keys', async () => {
  const { rootKeys: _, ...without } = settings;
  const token = JSON.stringify(googleToken());
  expect(await refusalOf(() => openGooglePay(token, without, now))).toMatch(/no root keys of Google’s production/);
});

test.each([
  ['no cryptogram', { cryptogram: undefined }, /its cryptogram is missing/],
  ['no number', { pan: undefined }, /pan is missing/],
  ['an impossible month', { expirationMonth: 13 }, /expirationMonth/],
  ['an unknown method', { authMethod: 'NEW' }, /authMethod/],
  ['an invalid indicator', { eciIndicator: 'xx' }, /indicator/],
])('refuses a message with %s', async (_, changes, message) => {
  const paymentMethodDetails = { ...deviceCard.paymentMethodDetails, ...changes };
  expect(await open(googleToken({ message: { ...deviceCard, paymentMethodDetails } }))).toMatch(message);
  expect(await open(googleToken({ message: 'no JSON' }))).toBe('what it holds is not JSON');
});
