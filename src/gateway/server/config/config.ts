/**
 * A gateway's configuration from all its sources: the file, overridden by the environment, overridden by the command
 * line.
 */
import { isLoopback, reachOf } from '../../../base/gateway-address.ts';
import { printable } from '../../../base/mask.ts';
import { assignMerchants, type Channel, type Merchant } from '../../channel.ts';
import { credential } from './channel-shape.ts';
import { type ConfigProblem, configFault } from './problems.ts';
import type { Settings } from './shape.ts';
import { readConfigFile, readEnvironment, readFlags, type Texts } from './sources.ts';

export type GatewayConfig = {
  port: number;
  host: string;
  /** The folder for the keys, for the gateway's own channel, and without `database` for the payments. */
  data: string;
  /** Contains a password. */
  database?: string;
  vaultKey?: string;
  /** Absent: a single channel, created at the first start. */
  channels?: readonly Channel[];
  /** Merchant entities, which lead to those channels. */
  merchants?: readonly Merchant[];
  tls?: { cert: string; key: string };
  /** Other machines may reach it without TLS. */
  insecure?: true;
  /** Addresses and ranges of proxies that terminate TLS for it: no other machine may connect. */
  trustedProxies?: readonly string[];
  /** The external address, `https://pay.example/path`. Absent: the one that a trusted proxy reports, or its own. */
  publicUrl?: string;
  /** `off`, `stdout` or a file. */
  log: string;
  admin?: { port: number; host: string };
  maxConnections: number;
  /** How long a request waits for the acquirer. */
  patienceMs: number;
  /** The time limit for stopping. */
  stopMs: number;
  forAll: Pick<Channel, 'lenient' | 'throttle'>;
  legacy: readonly LegacyCredentials[];
  /** Allows webhooks and shoppers' addresses in the own network, on any port. */
  allowPrivateUrls?: true;
};

export type LegacyCredentials = { entityId: string; userId: string; password: string };

export type ConfigSources = {
  /** Path of a configuration file. */
  file?: string;
  environment: Texts;
  /** By the settings' names; `channels` as texts `ENTITYID:TOKEN`. */
  flags: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** Texts `ENTITYID:USER:PASSWORD`. */
  legacyCredentials?: readonly string[];
};

const LOOPBACK = '127.0.0.1';

/** Throws `gateway.configuration` with all errors, each with its name and source. */
export const readConfig = ({ file, environment, flags, legacyCredentials = [] }: ConfigSources): GatewayConfig => {
  const sources = [
    ...(file === undefined ? [] : [readConfigFile(file)]),
    readEnvironment(environment),
    readFlags(flags),
  ];
  const settings: Settings = Object.assign({}, ...sources.map((source) => source.settings));
  const legacy = legacyCredentials.map(parseLegacy);
  const problems = [
    ...sources.flatMap((source) => source.problems),
    ...legacy.flatMap((each) => ('why' in each ? [each] : [])),
  ];
  // A port that was given but is invalid is not missing.
  const isReported = (name: string) => problems.some(({ where }) => where.toLowerCase().endsWith(name));
  if (settings.port === undefined && !isReported('port')) {
    problems.push({
      where: '--port',
      why: 'is missing; TILLGATE_PORT or port in the configuration file will do as well',
    });
  }
  problems.push(...findContradictions(settings));
  if (problems.length > 0 || settings.port === undefined) throw configFault(problems);
  return configOf(
    { ...settings, port: settings.port },
    legacy.flatMap((each) => ('why' in each ? [] : [each])),
  );
};

const findContradictions = (settings: Settings): readonly ConfigProblem[] => {
  const { tlsCert, tlsKey, patienceSeconds = PATIENCE, stopSeconds = STOP, channels = [] } = settings;
  const { host = LOOPBACK, insecure = false, trustedProxy, publicUrl } = settings;
  const problems: ConfigProblem[] = [];
  if (tlsCert !== undefined && tlsKey === undefined)
    problems.push({ where: '--tls-key', why: 'is missing beside --tls-cert' });
  if (tlsKey !== undefined && tlsCert === undefined)
    problems.push({ where: '--tls-cert', why: 'is missing beside --tls-key' });
  const isPlain = tlsCert === undefined && tlsKey === undefined;
  if (isPlain && !isLoopback(host) && !insecure && trustedProxy === undefined)
    problems.push({ where: '--host', why: `${printable(host)} ${openWithoutTls}` });
  if (
    publicUrl !== undefined &&
    !insecure &&
    reachOf(publicUrl) !== 'encrypted' &&
    reachOf(publicUrl) !== 'thisMachine'
  )
    problems.push({ where: '--public-url', why: `${printable(publicUrl)} ${plainPublicUrl}` });
  if (stopSeconds < patienceSeconds) {
    problems.push({
      where: '--stop-seconds',
      why: 'must not be less than --patience-seconds: payments in progress would be aborted',
    });
  }
  const seenCredentials = new Set<string>();
  channels.forEach(({ entityId, token }, i) => {
    const credentialKey = `${entityId}:${token}`;
    if (seenCredentials.has(credentialKey))
      problems.push({ where: `channels[${i}]`, why: 'has the entityId and token of an earlier one' });
    seenCredentials.add(credentialKey);
  });
  return [...problems, ...findWrongMerchants(settings)];
};

/** A merchant's id must not be a channel's, and its rules must lead to existing channels. */
const findWrongMerchants = ({ merchants = [], channels = [] }: Settings): readonly ConfigProblem[] => {
  const channelIds = new Set(channels.map(({ entityId }) => entityId));
  const problems: ConfigProblem[] = [];
  const seenCredentials = new Set<string>();
  merchants.forEach(({ entityId, rules }, i) => {
    const where = `merchants[${i}]`;
    if (channelIds.has(entityId))
      problems.push({ where, why: 'has the entityId of a channel: it needs one of its own' });
    if (seenCredentials.has(entityId)) problems.push({ where, why: 'has the entityId of an earlier one' });
    seenCredentials.add(entityId);
    rules.forEach(({ channel }, rule) => {
      if (!channelIds.has(channel))
        problems.push({ where: `${where}.rules[${rule}].channel`, why: 'is not the entityId of any channel' });
    });
  });
  return problems;
};

const openWithoutTls =
  'is open to other machines, and without TLS anyone on the network can read tokens and cards: give --tls-cert and --tls-key, or --trusted-proxy with the address of the proxy that terminates TLS, or --insecure to accept the risk';

const plainPublicUrl =
  'is plain http: shoppers would send their cards unencrypted. Give an https address, or --insecure to accept the risk';

/** The warning at each start of a gateway behind a proxy without a configured public address. */
export const addressWarning = ({ trustedProxies, publicUrl }: GatewayConfig): string | undefined =>
  trustedProxies === undefined || publicUrl !== undefined
    ? undefined
    : 'Without --public-url shoppers are sent to the host that the trusted proxy names in Forwarded or X-Forwarded-Host. If it names none, they are sent to this machine’s own address, which they cannot reach.';

/** The warning at each start of a gateway that other machines can reach without TLS and without a proxy. */
export const plainHttpWarning = ({ host, tls, insecure, trustedProxies }: GatewayConfig): string | undefined =>
  insecure !== true || tls !== undefined || trustedProxies !== undefined || isLoopback(host)
    ? undefined
    : `--insecure: ${printable(host)} is open to other machines without TLS, so anyone on the network can read tokens and cards.`;

const PATIENCE = 30;
const STOP = 35;

const configOf = (settings: Settings & { port: number }, legacy: readonly LegacyCredentials[]): GatewayConfig => {
  const { port, host = LOOPBACK, data = 'data', database, vaultKey, channels, lenient, throttle } = settings;
  const { tlsCert: cert, tlsKey: key, adminPort, adminHost = LOOPBACK, patienceSeconds = PATIENCE } = settings;
  return {
    port,
    host,
    data,
    database,
    vaultKey,
    channels,
    merchants: settings.merchants?.map((each) => ({ throttle, ...each })),
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    insecure: settings.insecure || undefined,
    trustedProxies: settings.trustedProxy,
    publicUrl: settings.publicUrl,
    log: settings.log ?? 'off',
    admin: adminPort === undefined ? undefined : { port: adminPort, host: adminHost },
    maxConnections: settings.maxConnections ?? 1024,
    patienceMs: patienceSeconds * 1000,
    stopMs: (settings.stopSeconds ?? STOP) * 1000,
    forAll: { lenient, throttle },
    legacy,
    allowPrivateUrls: settings.allowPrivateUrls || undefined,
  };
};

const parseLegacy = (text: string, index: number): LegacyCredentials | ConfigProblem => {
  const [, entityId, userId, password] = /^([0-9a-f]{32}):([^:]+):(.+)$/.exec(text) ?? [];
  if (entityId !== undefined && credential.safeParse(userId).success && credential.safeParse(password).success) {
    return { entityId, userId: userId ?? '', password: password ?? '' };
  }
  return {
    where: `--legacy-credentials[${index}]`,
    why: 'must be an entityId of 32 hex digits, a colon, user, a colon, password',
  };
};

/**
 * The channels with the settings for all of them. Throws `gateway.configuration` for credentials of an unknown channel.
 */
export const applySharedSettings = (
  channels: readonly Channel[],
  { forAll, legacy, merchants = [] }: GatewayConfig,
): readonly Channel[] => {
  const unknownLegacy = legacy.filter(({ entityId }) => !channels.some((channel) => channel.entityId === entityId));
  if (unknownLegacy.length > 0) {
    throw configFault(
      unknownLegacy.map(({ entityId }) => ({
        where: '--legacy-credentials',
        why: `no channel has the entityId ${entityId}`,
      })),
    );
  }
  return assignMerchants(channels, merchants).map((channel) => {
    const ownLegacy = legacy.findLast(({ entityId }) => entityId === channel.entityId);
    return {
      throttle: forAll.throttle,
      ...channel,
      lenient: forAll.lenient || channel.lenient,
      legacy: ownLegacy === undefined ? channel.legacy : { userId: ownLegacy.userId, password: ownLegacy.password },
    };
  });
};
