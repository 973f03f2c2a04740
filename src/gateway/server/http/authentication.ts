/**
 * Authenticates a request (spec 5): by a Bearer token, or where a channel allows it by user and password among the
 * parameters.
 */
import { hash } from 'node:crypto';
import { type Random, systemRandom } from '../../../base/ids.ts';
import type { Channel } from '../../channel.ts';

/** The channels that one credential gives access to; `first` is the first in the configuration. */
export type OpenedChannels = { first: Channel; byEntityId: ReadonlyMap<string, Channel> };

export type Admission =
  | { kind: 'admitted'; channels: OpenedChannels }
  /** 401: no header, or another scheme. */
  | { kind: 'malformed' }
  /** 403: a token, or a user and password, without access. */
  | { kind: 'unknown' };

export type Authenticator = {
  /** The channels that the Authorization header gives access to. */
  admit(header: string | null): Admission;
  /** The channels that user and password give access to. Both must be sent. */
  admitLegacy(userId: string | undefined, password: string | undefined): Admission;
  /** Whether any channel accepts user and password at all. */
  readonly takesLegacy: boolean;
};

const KEY_BYTES = 32;

/**
 * Finds a credential by its hash, so that a request takes the same time with one channel as with many thousands. The
 * hash uses a secret key of this process: a sender can neither choose nor learn it, so the duration of the search does
 * not reveal how close a guess was. An HMAC would take twice as long, and only protects hashes that others can see.
 */
export const createAuthenticator = (channels: readonly Channel[], random: Random = systemRandom): Authenticator => {
  const key = Buffer.from(random(KEY_BYTES)).toString('base64');
  const hashOf = (credential: string): string => hash('sha256', `${key}${credential}`, 'base64');
  const byToken = new Map<string, Opening>();
  const byUser = new Map<string, Opening>();
  for (const channel of channels) {
    add(byToken, hashOf(channel.token), channel);
    // The merchant's token gives access to its channels too.
    for (const subchannel of channel.dispatch?.channels ?? []) add(byToken, hashOf(channel.token), subchannel);
    if (channel.legacy !== undefined) add(byUser, hashOf(credentialPairOf(channel.legacy)), channel);
  }
  const opened = (channelsByCredential: ReadonlyMap<string, OpenedChannels>, credential: string): Admission => {
    const open = channelsByCredential.get(hashOf(credential));
    return open === undefined ? { kind: 'unknown' } : { kind: 'admitted', channels: open };
  };
  return {
    admit(header) {
      const token = /^Bearer +([!-~]+) *$/i.exec(header ?? '')?.[1];
      return token === undefined ? { kind: 'malformed' } : opened(byToken, token);
    },
    admitLegacy(userId, password) {
      if (userId === undefined || password === undefined) return { kind: 'malformed' };
      return opened(byUser, credentialPairOf({ userId, password }));
    },
    takesLegacy: byUser.size > 0,
  };
};

type Opening = { first: Channel; byEntityId: Map<string, Channel> };

/** If two rows have one entityId, the first counts. */
const add = (channelsByCredential: Map<string, Opening>, hash: string, channel: Channel): void => {
  const openedChannels = channelsByCredential.get(hash);
  if (openedChannels === undefined)
    channelsByCredential.set(hash, { first: channel, byEntityId: new Map([[channel.entityId, channel]]) });
  else if (!openedChannels.byEntityId.has(channel.entityId)) openedChannels.byEntityId.set(channel.entityId, channel);
};

const credentialPairOf = ({ userId, password }: { userId: string; password: string }): string =>
  JSON.stringify([userId, password]);
