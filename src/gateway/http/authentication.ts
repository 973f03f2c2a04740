/** Who is asking (spec 5): a Bearer token, or where a channel allows it user and password among the parameters. */
import { hash as hashOf, timingSafeEqual } from 'node:crypto';
import type { Channel } from '../channel.ts';

export type Admission =
  | { kind: 'admitted'; channels: readonly Channel[] }
  /** 401: no header, or not of this scheme. */
  | { kind: 'malformed' }
  /** 403: a token, or a user and password, that opens nothing. */
  | { kind: 'unknown' };

export type Doorkeeper = {
  /** The channels that the Authorization header opens. */
  admit(header: string | null): Admission;
  /** The channels that user and password open. They must be sent both. */
  admitLegacy(userId: string | undefined, password: string | undefined): Admission;
  /** Whether any channel takes user and password at all. */
  readonly takesLegacy: boolean;
};

/** Compares hashes, made once: the time it takes tells nothing of where two tokens differ. */
export const doorkeeper = (channels: readonly Channel[]): Doorkeeper => {
  const byToken = channels.map((channel) => ({ channel, hash: digest(channel.token) }));
  const byUser = channels.flatMap((channel) =>
    channel.legacy === undefined ? [] : [{ channel, hash: digest(pair(channel.legacy)) }],
  );
  const opened = (doors: readonly { channel: Channel; hash: Buffer }[], secret: string): Admission => {
    const hash = digest(secret);
    const open: Channel[] = [];
    for (const door of doors) if (timingSafeEqual(door.hash, hash)) open.push(door.channel);
    return open.length === 0 ? { kind: 'unknown' } : { kind: 'admitted', channels: open };
  };
  return {
    admit(header) {
      const token = /^Bearer +([!-~]+) *$/i.exec(header ?? '')?.[1];
      return token === undefined ? { kind: 'malformed' } : opened(byToken, token);
    },
    admitLegacy(userId, password) {
      if (userId === undefined || password === undefined) return { kind: 'malformed' };
      return opened(byUser, pair({ userId, password }));
    },
    takesLegacy: byUser.length > 0,
  };
};

const pair = ({ userId, password }: { userId: string; password: string }): string => JSON.stringify([userId, password]);

const digest = (text: string): Buffer => hashOf('sha256', text, 'buffer');
