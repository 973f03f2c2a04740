/** A channel's wallets in a configuration: read from texts and files, refused by name, and never shown. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { readConfig } from '../../../src/gateway/server/config/config.ts';
import { redactConfig } from '../../../src/gateway/server/config/redact.ts';
import { keyPair, pemOf } from './google-seal.ts';
import { appleVector, madeVector, samsungVector } from './vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'wallets-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const file = (text: string): string => {
  files += 1;
  const path = join(folder, String(files));
  writeFileSync(path, text);
  return path;
};

const real = appleVector('bt-ec-new').inputs;
const p256 = pemOf(keyPair().privateKey);
const [rsa = ''] = samsungVector('RSA1_5-A128GCM').inputs.privateKeys;
const appleKey = { privateKey: real.merchantPrivateKeyPem, certificate: real.merchantCertificatePem };
const applePay = { merchantId: 'merchant.basistheory.sales', keys: [appleKey] };
const googlePay = { environment: 'TEST', recipientId: 'merchant:1', privateKeys: [p256] };
const rootKeys = { keys: [{ keyValue: 'AAAA', protocolVersion: 'ECv2', keyExpiration: '1' }] };

const readWallets = (wallets: unknown) => {
  const channels = [{ entityId: 'a'.repeat(32), token: 't', wallets }];
  const config = readConfig({ environment: {}, flags: { port: '0' }, file: file(JSON.stringify({ channels })) });
  return { config, channels: config.channels ?? [] };
};

const complaintsOf = (wallets: unknown): string => {
  try {
    readWallets(wallets);
    return 'none';
  } catch (error) {
    return (error as Fault).message;
  }
};

test('accepts keys as texts and as files', () => {
  const configFromTexts = readWallets({ applePay, googlePay, samsungPay: { privateKeys: [rsa] } });
  const asFiles = readWallets({
    applePay: {
      ...applePay,
      keys: [{ privateKey: file(appleKey.privateKey), certificate: file(appleKey.certificate) }],
    },
    googlePay: { ...googlePay, privateKeys: [file(p256)] },
    samsungPay: { privateKeys: [file(rsa)] },
  });
  expect(asFiles.channels[0]?.wallets).toEqual(configFromTexts.channels[0]?.wallets);
  expect(configFromTexts.channels[0]?.wallets).toEqual({ applePay, googlePay, samsungPay: { privateKeys: [rsa] } });
});

test('accepts Google’s root keys as published: in a file, or inline', () => {
  for (const input of [rootKeys, file(JSON.stringify({ ...rootKeys, more: 1 }))]) {
    const { channels } = readWallets({ googlePay: { ...googlePay, environment: 'PRODUCTION', rootKeys: input } });
    expect(channels[0]?.wallets?.googlePay?.rootKeys).toEqual(rootKeys);
  }
});

test('the configuration as shown contains no private key', () => {
  const { config, channels } = readWallets({ applePay, googlePay, samsungPay: { privateKeys: [rsa] } });
  const text = JSON.stringify(redactConfig(config, channels));
  expect(text).not.toMatch(/PRIVATE KEY/);
  expect(text).toContain('merchant.basistheory.sales');
  for (const pem of [real.merchantPrivateKeyPem, p256, rsa]) {
    for (const line of pem.split('\n').filter((each) => each.length > 20 && !each.startsWith('-'))) {
      expect(text).not.toContain(line);
    }
  }
});

const encrypted = generateKeyPairSync('ec', {
  namedCurve: 'prime256v1',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;
const otherCurve = pemOf(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey);
const shortRsa = pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
const otherKey = appleVector('gala-2021-mastercard').inputs.merchantPrivateKeyPem;
const otherRootPem = madeVector('ec').inputs.appleRootPem;

const apple = (extra: object) => ({ applePay: { ...applePay, ...extra } });
const key = (extra: object) => apple({ keys: [{ ...appleKey, ...extra }] });
const google = (extra: object) => ({ googlePay: { ...googlePay, ...extra } });
const samsung = (extra: object) => ({ samsungPay: { privateKeys: [rsa], ...extra } });

test.each<[title: string, wallets: unknown, message: RegExp]>([
  ['a misspelt wallet', { aplePay: applePay }, /wallets\.aplePay: is not known; did you mean applePay\?/],
  ['a misspelt name', google({ recipientID: 'x' }), /googlePay\.recipientID: is not known; did you mean recipientId\?/],
  ['no merchant id', apple({ merchantId: undefined }), /applePay\.merchantId: must be a merchant id/],
  ['no keys', apple({ keys: [] }), /applePay\.keys: must not be empty/],
  ['a missing file', key({ privateKey: '/no/such/file' }), /keys\[0\]\.privateKey: .* there is no such file/],
  ['a file with something else', key({ privateKey: file('hello') }), /privateKey: names a file without such a text/],
  ['a folder', key({ privateKey: folder }), /privateKey: cannot be read/],
  ['a damaged key', key({ privateKey: p256.replace(/MI/, 'XX') }), /privateKey: is a damaged private key/],
  ['a passphrase', key({ privateKey: encrypted }), /privateKey: is protected by a passphrase/],
  ['another curve', key({ privateKey: otherCurve }), /privateKey: must be a private key of the curve P-256, or of RSA/],
  [
    'another key’s certificate',
    key({ privateKey: otherKey }),
    /certificate: is not the certificate of this private key/,
  ],
  ['another merchant’s', apple({ merchantId: 'merchant.x' }), /certificate: is the certificate of another merchantId/],
  [
    'a damaged certificate',
    key({ certificate: otherRootPem.replace(/MI/, 'XX') }),
    /certificate: is a damaged certificate/,
  ],
  ['too short an age', apple({ maxAgeMs: 5 }), /maxAgeMs: must be 60000 or more/],
  ['an invalid root', apple({ rootCertificates: ['x'] }), /rootCertificates\[0\]: must be a PEM text or a file/],
  [
    'a recipient of an unknown kind',
    google({ recipientId: '42' }),
    /recipientId: must be merchant: or gateway: and an id/,
  ],
  ['a gateway without merchant', google({ recipientId: 'gateway:x' }), /gatewayMerchantId: is missing/],
  ['production without root keys', google({ environment: 'PRODUCTION' }), /rootKeys: is missing: save https/],
  ['invalid root keys', google({ rootKeys: {} }), /rootKeys\.keys: must be a list/],
  ['root keys in a missing file', google({ rootKeys: '/no/such/file' }), /rootKeys: .* there is no such file/],
  [
    'an RSA key for Google',
    google({ privateKeys: [rsa] }),
    /privateKeys\[0\]: must be a private key of the curve P-256/,
  ],
  ['a short RSA key', samsung({ privateKeys: [shortRsa] }), /privateKeys\[0\]: .* RSA with 2048 bits or more/],
  [
    'an elliptic curve key for Samsung',
    samsung({ privateKeys: [p256] }),
    /privateKeys\[0\]: .* RSA with 2048 bits or more/,
  ],
  ['an invalid signing key', samsung({ signingKeys: ['x'] }), /signingKeys\[0\]: must be a PEM text or a file/],
])('%s', (_, wallets, message) => {
  const complaintText = complaintsOf(wallets);
  expect(complaintText).toMatch(message);
  expect(complaintText).not.toMatch(/PRIVATE KEY|BEGIN/);
});
