/** Who is asking (spec 5): a Bearer token, or where a channel allows it user and password among the parameters. */
import { hash } from 'node:crypto';
import { type Random, systemRandom } from '../../../base/ids.ts';
import type { Channel } from '../../channel.ts';

/** The channels that one credential opens; the first is the one that was configured first. */
export type OpenedChannels = { first: Channel; byEntityId: ReadonlyMap<string, Channel> };

export type Admission =
  | { kind: 'admitted'; channels: OpenedChannels }
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

const KEY_BYTES = 32;

/**
 * Finds a credential by its hash, so that a request costs the same with one channel as with many thousands. The hash is
 * keyed with a key of this process that nobody is told: a sender can neither choose nor learn it, so how long the
 * search takes tells nothing about how near a guess came. No HMAC, which costs twice as much: what it protects from,
 * somebody who goes on from a hash, needs a hash that is told.
 */
export const doorkeeper = (channels: readonly Channel[], random: Random = systemRandom): Doorkeeper => {
  const key = Buffer.from(random(KEY_BYTES)).toString('base64');
  const hashOf = (credential: string): string => hash('sha256', `${key}${credential}`, 'base64');
  const byToken = new Map<string, Opening>();
  const byUser = new Map<string, Opening>();
  for (const channel of channels) {
    add(byToken, hashOf(channel.token), channel);
    // The merchant's token opens its channels too.
    for (const own of channel.dispatch?.channels ?? []) add(byToken, hashOf(channel.token), own);
    if (channel.legacy !== undefined) add(byUser, hashOf(pair(channel.legacy)), channel);
  }
  const opened = (doors: ReadonlyMap<string, OpenedChannels>, credential: string): Admission => {
    const open = doors.get(hashOf(credential));
    return open === undefined ? { kind: 'unknown' } : { kind: 'admitted', channels: open };
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
    takesLegacy: byUser.size > 0,
  };
};

type Opening = { first: Channel; byEntityId: Map<string, Channel> };

/** Of two rows for one entityId the first counts. */
const add = (doors: Map<string, Opening>, hash: string, channel: Channel): void => {
  const door = doors.get(hash);
  if (door === undefined) doors.set(hash, { first: channel, byEntityId: new Map([[channel.entityId, channel]]) });
  else if (!door.byEntityId.has(channel.entityId)) door.byEntityId.set(channel.entityId, channel);
};

const pair = ({ userId, password }: { userId: string; password: string }): string => JSON.stringify([userId, password]);
