/** The published vectors, decrypted by a GCM built here from single AES blocks, and the messages of `verify`. */
import { createCipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import vectors from '../../../docs/webhook-vectors.json' with { type: 'json' };
import { encrypter, verifyNotification } from '../../../src/gateway/webhooks/encryption.ts';

/**
 * NIST SP 800-38D by its text: counter mode, and a product in GF(2^128) for the tag. Does not use the platform's GCM.
 */
const open = (secret: string, nonce: string, tag: string, body: string): string => {
  const block = (input: Buffer) =>
    createCipheriv('aes-256-ecb', Buffer.from(secret, 'hex'), null).setAutoPadding(false).update(input);
  const number = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex') || '0'}`);
  const hashKey = number(block(Buffer.alloc(16)));
  const times = (x: bigint): bigint => {
    let [product, shifted] = [0n, hashKey];
    for (let bit = 127n; bit >= 0n; bit -= 1n) {
      if ((x >> bit) & 1n) product ^= shifted;
      shifted = shifted & 1n ? (shifted >> 1n) ^ (0xe1n << 120n) : shifted >> 1n;
    }
    return product;
  };
  const counter = (count: number) => {
    const input = Buffer.alloc(16);
    Buffer.from(nonce, 'hex').copy(input);
    input.writeUInt32BE(count, 12);
    return block(input);
  };
  const cipher = Buffer.from(body, 'hex');
  const plainBytes = Buffer.alloc(cipher.length);
  let hash = 0n;
  for (let offset = 0; offset < cipher.length; offset += 16) {
    const part = cipher.subarray(offset, offset + 16);
    const stream = counter(offset / 16 + 2);
    part.forEach((byte, index) => {
      plainBytes[offset + index] = byte ^ (stream[index] ?? 0);
    });
    hash = times(hash ^ number(Buffer.concat([part, Buffer.alloc(16 - part.length)])));
  }
  hash = times(hash ^ BigInt(cipher.length * 8)) ^ number(counter(1));
  if (hash !== BigInt(`0x${tag}`)) throw new Error('the tag does not match');
  return plainBytes.toString('utf8');
};

const bodyOf = ({ wrapper, body }: { wrapper: string; body: string }): string =>
  wrapper === 'JSON' ? (JSON.parse(body) as { encryptedBody: string }).encryptedBody : body;

const received = ({ secret, headers, body }: (typeof vectors)['refused'][number]) => ({
  secret,
  vector: headers['X-Initialization-Vector'],
  tag: headers['X-Authentication-Tag'],
  body,
});

test.each(vectors.opens)('$name', (vector) => {
  const { vector: nonce, tag, secret } = received(vector);
  expect(open(secret, nonce, tag, bodyOf(vector))).toBe(vector.plain);
  const wrapper = vector.wrapper as 'RAW' | 'JSON';
  const created = encrypter({ secret, wrapper }, () => new Uint8Array(Buffer.from(nonce, 'hex')))(vector.plain);
  expect(created).toEqual({ headers: vector.headers, body: vector.body });
  expect(verifyNotification(received(vector))).toEqual({ kind: 'good', notification: JSON.parse(vector.plain) });
});

test.each(vectors.refused)('$name is refused', (vector) => {
  expect(() => open(vector.secret, received(vector).vector, received(vector).tag, bodyOf(vector))).toThrow();
  expect(verifyNotification(received(vector)).kind).toBe('wrong');
});

const [, , validVector] = vectors.opens;
if (validVector === undefined) throw new Error('there is no such vector');
const right = received(validVector);

test.each([
  [{ secret: right.secret.slice(2) }, '64 hex digits (32 bytes); it has 62'],
  [{ secret: 'x'.repeat(64) }, 'not all of them hex'],
  [{ vector: '' }, 'X-Initialization-Vector is empty'],
  [{ vector: 'ABEiM0RVZneImaq7' }, 'looks like base64'],
  [{ tag: right.tag.slice(2) }, '32 hex digits; it has 30'],
  [{ body: right.body.slice(1) }, 'odd number'],
  [{ body: `${right.body}zz` }, 'must be hex digits'],
  [{ body: '' }, 'empty'],
  [{ body: '{"encryptedBody":' }, 'cut off'],
  [{ body: '{"other":1}' }, 'without encryptedBody'],
  [{ body: validVector.plain }, 'already decrypted'],
  [{ body: `00${right.body.slice(2)}` }, 'tag does not match'],
  [{ secret: '0'.repeat(64), keyId: validVector.headers['X-Key-Id'] }, 'under a different secret'],
])('explains the error: %j', (change, text) => {
  const verdict = verifyNotification({ ...right, ...change });
  expect(verdict).toMatchObject({ kind: 'wrong' });
  expect(JSON.stringify(verdict)).toContain(text);
  expect(JSON.stringify(verdict)).not.toContain(right.secret);
});

test('the wrapper and stray line ends do not matter', () => {
  const json = JSON.stringify({ encryptedBody: right.body.toLowerCase() });
  for (const body of [`${right.body}\n`, json, `"${right.body}"`]) {
    expect(verifyNotification({ ...right, body }).kind).toBe('good');
  }
});
