/**
 * A channel: one merchant's door into the gateway, with what is set for it; and a merchant's entity, one door to
 * several channels.
 */
import type { FeeRule, SettlementSettings } from './reports/settings.ts';
import type { RiskRules } from './risk/facts.ts';
import type { ScheduleRules } from './schedules/settings.ts';
import type { ChannelBrand } from './spec/brands.ts';
import type { ThreeDSecureSettings } from './threeds/settings.ts';
import type { WalletSettings } from './wallets/settings.ts';

/** Whether the payments of a channel move money. */
export const isLive = ({ mode }: { mode?: Channel['mode'] }): boolean => mode === 'live';

export type Channel = {
  /** 32 lower-case hex digits. */
  entityId: string;
  token: string;
  /** Ends the default descriptor. */
  name?: string;
  /** Lets unknown names pass, and customer and address data that breaks a format or a rule, with a warning. */
  lenient?: boolean;
  /** authentication.userId and .password in the body, instead of the header. */
  legacy?: { userId: string; password: string };
  /** A token bucket. Absent: no bound. */
  throttle?: { perSecond: number; burst: number };
  /** What is looked at before the acquirer is asked. Absent: nothing. */
  risk?: RiskRules;
  /**
   * live: every payment goes to the upstream, real money moves, and testMode is refused. Such a channel has an
   * upstream and nothing that is simulated. Absent: test.
   */
  mode?: 'test' | 'live';
  /** The processor: of a live channel's payments, and of a test channel's with testMode=EXTERNAL. */
  upstream?: { baseUrl: string; entityId: string; token: string; timeoutMs?: number };
  /** Brands beyond the gateway's own table. */
  brands?: readonly ChannelBrand[];
  /** The merchant's keys for wallet tokens. Of a wallet without any, tokens go to the acquirer as they came. */
  wallets?: WalletSettings;
  /** The most that one rebill (RB) may take, in the payment's currency. Absent: the payment's own amount. */
  rebillUpTo?: string;
  /** Whose clock schedules go by, how often they may run, what becomes of missed and declined runs. */
  schedules?: ScheduleRules;
  /** Authentication of cardholders before their payments. Absent: none. */
  threeDSecure?: ThreeDSecureSettings;
  /** How many it may have at a time. Absent: 500 webhooks, 10,000 open checkouts. */
  limits?: { webhooks?: number; openCheckouts?: number };
  /** What the acquirer keeps. Absent: the simulated acquirer's usual fees; of a live channel none are known. */
  fees?: readonly FeeRule[];
  /** The daily settlement file. Absent: none is made but by hand. */
  settlement?: SettlementSettings;
  /** The merchant's entity that it belongs to. */
  merchant?: string;
  /** Of a merchant's entity: it takes no money itself, and leads to one of these. */
  dispatch?: { readonly rules: readonly DispatchRule[]; readonly channels: readonly Channel[] };
};

/** The channel for what fits to all that it names; without a condition, for everything. */
export type DispatchRule = {
  readonly currency?: string;
  readonly brands?: readonly string[];
  /** Two letters each, as ISO 3166-1 writes them. */
  readonly countries?: readonly string[];
  /** Its entityId. */
  readonly channel: string;
};

/** The channel, as notifications name it too. */
export const channelIn = ({ entityId, name }: Pick<Channel, 'entityId' | 'name'>) => ({
  authentication: { entityId },
  channelName: name,
});

// A merchant's entity (spec 2.4, 5.3): one door to several channels; its rules choose one for each payment.

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
      lenient: own.every(({ lenient }) => lenient === true) || undefined,
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
