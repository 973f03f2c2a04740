/** Samsung Pay's key: right, wrong and malformed ones must be indistinguishable (Bleichenbacher's attack). */
import { constants, createPrivateKey, createPublicKey, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentKeyOf, openSamsungPay } from '../../../src/gateway/wallets/samsung-pay.ts';
import { refusalOf } from './refusals.ts';
import { samsungVector } from './vectors.ts';

const { token, privateKeys } = samsungVector('RSA1_5-A128GCM').inputs;
const key: KeyObject = createPrivateKey(privateKeys[0] ?? '');
const publicKey = createPublicKey(key);
const BYTES = 256;

/** A block of 256 bytes as RSA decryption returns it: 00 02, padding, 00, the key; then changed. */
const wrapped = (change: (block: Buffer) => unknown, content = Buffer.alloc(16, 7)): Buffer => {
  const padding = randomBytes(BYTES - 3 - content.length).map((byte) => byte || 1);
  const block = Buffer.concat([Buffer.from([0, 2]), padding, Buffer.from([0]), content]);
  change(block);
  return publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, block);
};

const leaveUnchanged = (): void => {};
const putByte = (at: number, byte: number) => (block: Buffer) => block.fill(byte, at, at + 1);

const unwrap = (wrappedKey: Buffer) => contentKeyOf({ alg: 'RSA1_5', enc: 'A128GCM', wrappedKey }, key);

const invalidKeys: readonly (readonly [title: string, wrappedKey: Buffer])[] = [
  ['another type', wrapped(putByte(1, 1))],
  ['a zero at the start of the padding', wrapped(putByte(3, 0))],
  ['a zero at the end of the padding', wrapped(putByte(BYTES - 18, 0))],
  ['no zero before the key', wrapped(putByte(BYTES - 17, 9))],
  ['a longer key', wrapped(leaveUnchanged, Buffer.alloc(17, 7))],
  ['a shorter key', wrapped(leaveUnchanged, Buffer.alloc(15, 7))],
  ['no key at all', wrapped(leaveUnchanged, Buffer.alloc(0))],
  ['a block of another length', randomBytes(100)],
  ['a number larger than the modulus', Buffer.alloc(BYTES, 0xff)],
  ['nothing', Buffer.alloc(0)],
];

test('returns the right key', () => {
  expect(unwrap(wrapped(leaveUnchanged))).toEqual(Buffer.alloc(16, 7));
});

test.each(invalidKeys)('%s gives a random key, a different one each time', (_, wrappedKey) => {
  const [first, second] = [unwrap(wrappedKey), unwrap(wrappedKey)];
  expect(first).toHaveLength(16);
  expect(first).not.toEqual(second);
  expect(first).not.toEqual(Buffer.alloc(16, 7));
});

test.each(['RSA-OAEP', 'RSA-OAEP-256'] as const)('%s: a random key, too', (alg) => {
  const oaepHash = alg === 'RSA-OAEP' ? 'sha1' : 'sha256';
  const longKey = publicEncrypt({ key: publicKey, oaepHash }, Buffer.alloc(32, 7));
  for (const wrappedKey of [longKey, randomBytes(BYTES), Buffer.alloc(0)]) {
    const found = contentKeyOf({ alg, enc: 'A128GCM', wrappedKey }, key);
    expect(found).toHaveLength(16);
    expect(found).not.toEqual(Buffer.alloc(16, 7));
  }
});

test('gives the same answer for each of them, and for a wrong tag', async () => {
  const tokenData = JSON.parse(token) as { '3DS': { data: string } };
  const [header, , iv, ciphertext, tag] = tokenData['3DS'].data.split('.');
  const refusalOfParts = async (parts: readonly unknown[]) =>
    refusalOf(() => openSamsungPay(parts.join('.'), { privateKeys }));
  const answers = new Set<string>();
  for (const [, bytes] of invalidKeys.filter(([, bytes]) => bytes.length > 0)) {
    answers.add(await refusalOfParts([header, bytes.toString('base64url'), iv, ciphertext, tag]));
  }
  const [, right] = tokenData['3DS'].data.split('.');
  answers.add(await refusalOfParts([header, right, iv, ciphertext, randomBytes(16).toString('base64url')]));
  answers.add(await refusalOfParts([header, right, iv, ciphertext, 'AAAA']));
  answers.add(await refusalOfParts([header, right, 'AAAA', ciphertext, tag]));
  expect([...answers]).toEqual(['it cannot be decrypted with any private key of this channel']);
});
