/**
 * A channel: a merchant's access to the gateway with its settings; and a merchant's entity, one access to several
 * channels.
 */
import type { FeeRule, SettlementSettings } from './reports/settings.ts';
import type { RiskRules } from './risk/facts.ts';
import type { ScheduleRules } from './schedules/settings.ts';
import type { ChannelBrand } from './spec/brands.ts';
import type { ThreeDSecureSettings } from './threeds/settings.ts';
import type { WalletSettings } from './wallets/settings.ts';

/** Whether the channel's payments move real money. */
export const isLive = ({ mode }: { mode?: Channel['mode'] }): boolean => mode === 'live';

export type Channel = {
  /** 32 lower-case hex digits. */
  entityId: string;
  token: string;
  /** The end of the default descriptor. */
  name?: string;
  /** Ignores unknown names, and accepts customer and address data that break a format or a rule, with a warning. */
  lenient?: boolean;
  /** authentication.userId and .password in the body, instead of the header. */
  legacy?: { userId: string; password: string };
  /** A token bucket. Absent: no limit. */
  throttle?: { perSecond: number; burst: number };
  /** Checks before the acquirer is asked. Absent: none. */
  risk?: RiskRules;
  /**
   * live: every payment goes to the upstream, real money moves, and testMode is refused. Such a channel has an upstream
   * and nothing simulated. Absent: test.
   */
  mode?: 'test' | 'live';
  /** The processor: for a live channel's payments, and for a test channel's with testMode=EXTERNAL. */
  upstream?: { baseUrl: string; entityId: string; token: string; timeoutMs?: number };
  /** Brands beyond the gateway's own table. */
  brands?: readonly ChannelBrand[];
  /** The merchant's keys for wallet tokens. Without keys a wallet's tokens go to the acquirer unchanged. */
  wallets?: WalletSettings;
  /** The maximum of one rebill (RB), in the payment's currency. Absent: the payment's own amount. */
  rebillUpTo?: string;
  /** The time zone of schedules, how often they may run, and the handling of missed and declined runs. */
  schedules?: ScheduleRules;
  /** Authentication of cardholders before their payments. Absent: none. */
  threeDSecure?: ThreeDSecureSettings;
  /** The maximum number of each. Absent: 500 webhooks, 10,000 open checkouts. */
  limits?: { webhooks?: number; openCheckouts?: number };
  /** The acquirer's fees. Absent: the simulated acquirer's usual fees; for a live channel none are known. */
  fees?: readonly FeeRule[];
  /** The daily settlement file. Absent: files are made only on request. */
  settlement?: SettlementSettings;
  /** The merchant's entity that the channel belongs to. */
  merchant?: string;
  /** Only for a merchant's entity: it takes no money itself, but leads to one of these. */
  dispatch?: { readonly rules: readonly DispatchRule[]; readonly channels: readonly Channel[] };
};

/** The channel for requests that match all conditions; without conditions, for all requests. */
export type DispatchRule = {
  readonly currency?: string;
  readonly brands?: readonly string[];
  /** ISO 3166-1 alpha-2 codes. */
  readonly countries?: readonly string[];
  /** The channel's entityId. */
  readonly channel: string;
};

/** The channel as it appears in notifications. */
export const channelFieldsOf = ({ entityId, name }: Pick<Channel, 'entityId' | 'name'>) => ({
  authentication: { entityId },
  channelName: name,
});

// A merchant's entity (spec 2.4, 5.3): one access to several channels; its rules select one for each payment.

export type Merchant = {
  /** 32 lower-case hex digits, different from every channel's. */
  readonly entityId: string;
  /** Gives access to the merchant's entity and to each of its channels. */
  readonly token: string;
  readonly name?: string;
  readonly throttle?: NonNullable<Channel['throttle']>;
  /** Tried in order: the first match counts. */
  readonly rules: readonly DispatchRule[];
};

/** Merchants in the shape that authentication uses: channels that take no money themselves. */
export const merchantChannels = (merchants: readonly Merchant[], channels: readonly Channel[]): readonly Channel[] =>
  merchants.map(({ rules, ...merchant }) => {
    const ownChannels = channelsOf({ rules }, channels);
    return {
      ...merchant,
      lenient: ownChannels.every(({ lenient }) => lenient === true) || undefined,
      dispatch: { rules, channels: ownChannels },
    };
  });

/** Each channel that the rules name, once. */
const channelsOf = ({ rules }: Pick<Merchant, 'rules'>, channels: readonly Channel[]): readonly Channel[] => {
  const names = new Set(rules.map(({ channel }) => channel));
  return channels.filter(({ entityId }, i) => names.has(entityId) && isFirst(channels, entityId, i));
};

/** If two rows have one entityId, the first counts. */
const isFirst = (channels: readonly Channel[], entityId: string, index: number): boolean =>
  channels.findIndex((each) => each.entityId === entityId) === index;

/** The channels, each with the merchant it belongs to: the first that names it. */
export const assignMerchants = (channels: readonly Channel[], merchants: readonly Merchant[]): readonly Channel[] =>
  channels.map((channel) => {
    const owner = merchants.find(({ rules }) => rules.some((rule) => rule.channel === channel.entityId));
    return owner === undefined ? channel : { ...channel, merchant: owner.entityId };
  });
