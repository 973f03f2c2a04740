/** What of a checkout's values only the gateway can check: brands that the channel has, accounts that are stored. */
import type { Channel } from '../channel.ts';
import { isUsable } from '../registrations/registration.ts';
import { brandNamed } from '../spec/brands.ts';
import type { ParameterError } from '../spec/parameters/errors.ts';
import type { Registration } from '../store/records.ts';
import type { Session } from '../store/store.ts';
import type { Values } from './life.ts';

type ChannelTime = { channel: Channel; at: number };

const startTypes = ['PA', 'DB', 'CD'];
const OVERRIDE = /^overridePaymentType\[(.*)\]$/;

/** One error for each value that cannot be. */
export const wrongValues = async (
  from: Pick<Session, 'registration'>,
  values: Values,
  { channel, at }: ChannelTime,
): Promise<readonly ParameterError[]> => {
  const errors: ParameterError[] = [];
  for (const [name, value] of Object.entries(values)) {
    const says = wrongOverride(channel, name, value) ?? (await wrongOffer(from, { name, value, channel, at }));
    if (says !== undefined) errors.push({ name, value, message: says });
  }
  return errors;
};

const wrongOverride = (channel: Channel, name: string, value: string): string | undefined => {
  const brand = OVERRIDE.exec(name)?.[1];
  if (brand === undefined) return undefined;
  if (brandNamed(channel, brand) === undefined) return `names the brand ${brand}, which is not set up here`;
  return startTypes.includes(value) ? undefined : `must be one of [${startTypes.join(', ')}]`;
};

const wrongOffer = async (
  from: Pick<Session, 'registration'>,
  { name, value, channel, at }: ChannelTime & { name: string; value: string },
): Promise<string | undefined> => {
  if (!/^registrations\[\d+\]\.id$/.test(name)) return undefined;
  const found = await from.registration(value);
  return isOffered(found, { channel, at }) ? undefined : 'is no stored account of this channel that can be charged';
};

/** Whether a shopper may be offered it. */
export const isOffered = (found: Registration | undefined, { channel, at }: ChannelTime): found is Registration =>
  found !== undefined && found.entityId === channel.entityId && found.sealed !== undefined && isUsable(found, at);
