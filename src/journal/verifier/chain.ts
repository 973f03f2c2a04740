/**
 * The rules of the chain, implemented a second time on purpose: the verifier shares no code with the program that
 * writes, so that a mistake there cannot hide here.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';

export type JournalRow = {
  readonly entry: number;
  readonly at: number;
  readonly subject: string;
  readonly kind: string;
  readonly body: string;
  readonly hash: Uint8Array;
};

export const beginning: Uint8Array = new Uint8Array(32);

/** SHA-256 of the previous hash and the JSON list of the entry's five fields. */
export const hashOf = (before: Uint8Array, { entry, at, subject, kind, body }: JournalRow): Uint8Array =>
  createHash('sha256')
    .update(before)
    .update(JSON.stringify([entry, at, subject, kind, body]))
    .digest();

export const isEqual = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export type Seal = {
  readonly entry: number;
  readonly hash: string;
  readonly day: string;
  readonly key: string;
  readonly publicKey?: string;
  readonly signature: string;
};

/** The name of a key: the first 16 hex digits of its SHA-256. */
export const nameOfKey = (publicKey: string): string =>
  hex(createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest()).slice(0, 16);

/** Whether it is 32 bytes in base64url, as a public key of Ed25519 is. */
export const isKey = (publicKey: string): boolean => Buffer.from(publicKey, 'base64url').length === 32;

/** Checks Ed25519 over a line that names the purpose, and the JSON list of the seal's fields. */
export const isSealedBy = (
  publicKey: string,
  { entry, hash, day, key, publicKey: first, signature }: Seal,
): boolean => {
  if (!isKey(publicKey)) return false;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'base64url')]);
  const text = `tillgate seal 1\n${JSON.stringify([entry, hash, day, key, first ?? ''])}`;
  const signer = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text), signer, Buffer.from(signature, 'base64url'));
};
