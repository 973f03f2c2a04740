/** The wallets' published tokens from test/vectors. */
import { readFileSync } from 'node:fs';

export type Vector<I> = { name: string; op: string; inputs: I; expected: Record<string, unknown> };

export type AppleInputs = {
  paymentData: {
    version: string;
    data: string;
    signature: string;
    header: Record<string, string> & { transactionId: string; publicKeyHash: string };
  };
  merchantPrivateKeyPem: string;
  merchantCertificatePem: string;
  certificatePem: string;
  appleRootPem: string;
  sharedSecret: string;
  merchantIdHash: string;
  ephemeralPublicKey: string;
  key: string;
  data: string;
  now: string;
  maxAgeMs: string;
};

export type GoogleInputs = {
  token: Record<string, unknown> & {
    signature: string;
    signedMessage: string;
    intermediateSigningKey?: { signedKey: string; signatures: string[] };
  };
  tokenJson?: string;
  privateKeys: string[];
  recipientId: string;
  rootKeys: { keys: { keyValue: string; protocolVersion: string; keyExpiration?: string }[] };
  now: string;
  privateKey: string;
  ephemeralPublicKey: string;
  protocolVersion: 'ECv1' | 'ECv2';
};

export type MadeInputs = Pick<AppleInputs, 'paymentData' | 'appleRootPem' | 'now'> & {
  merchantId: string;
  keys: string[];
};

export type SamsungInputs = { token: string; privateKeys: string[]; signingKeys: string[] };

const load = <I>(file: string): readonly Vector<I>[] =>
  JSON.parse(readFileSync(new URL(`../../vectors/${file}`, import.meta.url), 'utf8')) as Vector<I>[];

export const appleVectors = load<AppleInputs>('applepay.json');
export const googleVectors = load<GoogleInputs>('googlepay.json');
/** Made under a root of our own, by a program in another language. */
export const madeVectors = load<MadeInputs>('applepay-made.json');
export const samsungVectors = load<SamsungInputs>('samsungpay.json');

const named = <I>(vectors: readonly Vector<I>[], name: string): Vector<I> => {
  const found = vectors.find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`no vector ${name}`);
  return found;
};

export const appleVector = (name: string): Vector<AppleInputs> => named(appleVectors, name);
export const madeVector = (name: string): Vector<MadeInputs> => named(madeVectors, name);
export const samsungVector = (name: string): Vector<SamsungInputs> => named(samsungVectors, name);
export const googleVector = (name: string): Vector<GoogleInputs> => named(googleVectors, name);

/** The vectors of an operation. An operation without any fails the test. */
export const ofOperation = <I>(vectors: readonly Vector<I>[], op: string): readonly Vector<I>[] => {
  const found = vectors.filter((vector) => vector.op === op);
  if (found.length === 0) throw new Error(`no vectors of ${op}`);
  return found;
};
