/** A configuration with its secrets hidden, so that it can be shown. */
import { unescape as unescaped } from 'node:querystring';
import { hidden } from '../../../base/mask.ts';
import type { Channel } from '../../channel.ts';
import type { SettlementSettings } from '../../reports/settings-shape.ts';
import { redactWallets } from '../../wallets/settings.ts';
import type { GatewayConfig } from './config.ts';

/** The address without password and options, which may contain secrets. */
export const redactDatabase = (address: string): string => {
  const { protocol, username, password, host, pathname } = new URL(address);
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${hidden}`}@`;
  return `${protocol}//${user}${host}${pathname}`;
};

/** `channels` are those that would be used, with the settings for all of them. */
export const redactConfig = (
  config: GatewayConfig,
  channels: readonly Channel[],
): Readonly<Record<string, unknown>> => {
  const { forAll, legacy, database, vaultKey, merchants, ...rest } = config;
  return {
    ...rest,
    database: database && redactDatabase(database),
    vaultKey: vaultKey && hidden,
    channels: channels.map(redactChannel),
    merchants: merchants?.map((each) => ({ ...each, token: hidden })),
  };
};

const redactChannel = ({
  legacy,
  upstream,
  wallets,
  settlement,
  ...channel
}: Channel): Readonly<Record<string, unknown>> => ({
  ...channel,
  token: hidden,
  legacy: legacy && { userId: legacy.userId, password: hidden },
  upstream: upstream && { ...upstream, token: hidden },
  wallets: wallets && redactWallets(wallets),
  settlement: settlement && redactSettlement(settlement),
});

const redactSettlement = ({ sftp, ...settlement }: SettlementSettings) => ({
  ...settlement,
  sftp: sftp && { ...sftp, password: sftp.password && hidden, passphrase: sftp.passphrase && hidden },
});

/** Removes the database's password from other components' messages: the driver's, the resolver's. */
export const removePassword = (message: string, database: string | undefined): string => {
  if (database === undefined) return message;
  const { password } = new URL(database);
  const secrets = [database, password, unescaped(password)].filter((text) => text !== '');
  return secrets.reduce((text, secret) => text.replaceAll(secret, hidden), message);
};
