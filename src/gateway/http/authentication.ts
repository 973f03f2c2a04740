/** Who is asking (spec 5): a Bearer token, and the channels that it opens. */
import { createHash, timingSafeEqual } from 'node:crypto';

export type Channel = {
  /** 32 lower-case hex digits. */
  entityId: string;
  token: string;
  /** Ends the default descriptor. */
  name?: string;
};

export type Admission =
  | { kind: 'admitted'; channels: readonly Channel[] }
  /** 401: no header, or not of this scheme. */
  | { kind: 'malformed' }
  /** 403: a token that opens nothing. */
  | { kind: 'unknown' };

/** The channels that the Authorization header opens. */
export const admit = (channels: readonly Channel[], header: string | null): Admission => {
  const token = /^Bearer +([!-~]+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) return { kind: 'malformed' };
  const opened = channels.filter((channel) => equal(channel.token, token));
  return opened.length === 0 ? { kind: 'unknown' } : { kind: 'admitted', channels: opened };
};

/** In a time that tells nothing of where they differ. */
const equal = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
