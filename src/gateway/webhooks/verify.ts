/** Reads a notification as a receiver must, and says in words what keeps it from being read. */
import type { Json } from '../spec/json.ts';
import {
  decryptNotification,
  KEY_HEADER,
  keyIdOf,
  SECRET,
  TAG_BYTES,
  TAG_HEADER,
  VECTOR_HEADER,
} from './encryption.ts';

/** As they were received. */
type Received = { secret: string; vector: string; tag: string; body: string; keyId?: string };

type Verdict = { kind: 'good'; notification: Json } | { kind: 'wrong'; says: readonly string[] };

export const verifyNotification = ({ secret, vector, tag, body, keyId }: Received): Verdict => {
  const inner = unwrapped(body.trim());
  const says = [
    ...(SECRET.test(secret) ? [] : [`The secret must be 64 hex digits (32 bytes); ${measured(secret)}.`]),
    ...hexFaults(VECTOR_HEADER, vector, 24),
    ...hexFaults(TAG_HEADER, tag, TAG_BYTES * 2),
    ...('why' in inner ? [inner.why] : hexFaults('The body', inner.hex)),
  ];
  if (says.length > 0 || 'why' in inner) return { kind: 'wrong', says };
  const plain = opened({ secret, nonce: vector, tag, body: inner.hex });
  if (plain === undefined) return { kind: 'wrong', says: [undecryptable(secret, keyId)] };
  try {
    return { kind: 'good', notification: JSON.parse(plain) as Json };
  } catch {
    return { kind: 'wrong', says: ['It was decrypted, and what came out is no JSON.'] };
  }
};

const opened = (of: Parameters<typeof decryptNotification>[0]): string | undefined => {
  try {
    return decryptNotification(of);
  } catch {
    return undefined;
  }
};

/** AES-256-GCM cannot tell a wrong key from a changed byte: what is known beside it is said. */
const undecryptable = (secret: string, keyId: string | undefined): string => {
  const own = keyIdOf(secret);
  if (keyId !== undefined && keyId.toLowerCase() !== own) {
    return `It is encrypted under another secret: ${KEY_HEADER} is ${keyId}, and this secret has ${own}.`;
  }
  const beside = keyId === undefined ? `If ${KEY_HEADER} was ${own}, the secret is right. ` : 'The secret is right. ';
  return (
    'The tag does not fit: the secret is another one, or a byte of the body, the vector or the tag was changed. ' +
    `${beside}The body must be taken as it was received, and ${TAG_HEADER} must be the tag, not appended to the body.`
  );
};

const unwrapped = (body: string): { hex: string } | { why: string } => {
  if (body === '') return { why: 'The body is empty.' };
  if (!body.startsWith('{')) return { hex: body.replace(/^"(.*)"$/, '$1') };
  try {
    const { encryptedBody, type } = JSON.parse(body) as { encryptedBody?: unknown; type?: unknown };
    if (typeof encryptedBody === 'string') return { hex: encryptedBody };
    if (type !== undefined) return { why: 'The body is a notification that is decrypted already.' };
    return { why: 'The body is JSON without encryptedBody: the wrapper JSON is {"encryptedBody":"…"}.' };
  } catch {
    return { why: 'The body begins like JSON and is none: it was cut off or changed.' };
  }
};

const hexFaults = (what: string, text: string, digits?: number): string[] => {
  if (text === '') return [`${what} is empty.`];
  const stranger = /[^0-9A-Fa-f]/.exec(text);
  if (stranger !== null) {
    const base64 = /^[A-Za-z0-9+/]+=*$/.test(text) ? ' It looks like base64: it must be hex.' : '';
    return [`${what} must be hex digits; at ${stranger.index + 1} stands something else.${base64}`];
  }
  if (digits !== undefined && text.length !== digits)
    return [`${what} must be ${digits} hex digits; ${measured(text)}.`];
  return text.length % 2 === 0 ? [] : [`${what} has an odd number of hex digits (${text.length}): one was lost.`];
};

const measured = (text: string): string =>
  /^[0-9A-Fa-f]*$/.test(text) ? `it has ${text.length}` : `it has ${text.length} characters, and not all are hex`;
