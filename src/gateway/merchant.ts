/** A merchant's entity (spec 2.4, 5.3): one door to several channels; its rules choose one for each payment. */
import type { Channel, DispatchRule } from './channel.ts';

export type Merchant = {
  /** 32 lower-case hex digits, none of a channel. */
  readonly entityId: string;
  /** Opens the merchant's entity and each of its channels. */
  readonly token: string;
  readonly name?: string;
  readonly throttle?: NonNullable<Channel['throttle']>;
  /** Tried in order: the first that fits counts. */
  readonly rules: readonly DispatchRule[];
};

/** The merchants as those who let in know them: channels that take no money themselves. */
export const doorsOf = (merchants: readonly Merchant[], channels: readonly Channel[]): readonly Channel[] =>
  merchants.map(({ rules, ...merchant }) => {
    const own = channelsOf({ rules }, channels);
    return {
      ...merchant,
      ...(own.every(({ lenient }) => lenient === true) ? { lenient: true } : {}),
      dispatch: { rules, channels: own },
    };
  });

/** Each of those that its rules name, once. */
const channelsOf = ({ rules }: Pick<Merchant, 'rules'>, channels: readonly Channel[]): readonly Channel[] => {
  const named = new Set(rules.map(({ channel }) => channel));
  return channels.filter(({ entityId }, at) => named.has(entityId) && isFirst(channels, entityId, at));
};

/** Of two rows for one entityId the first counts. */
const isFirst = (channels: readonly Channel[], entityId: string, at: number): boolean =>
  channels.findIndex((each) => each.entityId === entityId) === at;

/** The channels, each with the merchant that it belongs to: the first that names it. */
export const underMerchants = (channels: readonly Channel[], merchants: readonly Merchant[]): readonly Channel[] =>
  channels.map((channel) => {
    const owner = merchants.find(({ rules }) => rules.some((rule) => rule.channel === channel.entityId));
    return owner === undefined ? channel : { ...channel, merchant: owner.entityId };
  });
