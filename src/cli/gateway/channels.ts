/** The channels of a gateway: those in its configuration, or else one that is created in its folder. */
import { join } from 'node:path';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { makeFolder, readOrCreate } from '../../base/files.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { textIn } from '../../base/text.ts';
import { knownOf } from '../../folder/unknown-keys.ts';
import type { Channel } from '../../gateway/channel.ts';
import { channelShape } from '../../gateway/server/config/channel-shape.ts';
import { applySharedSettings, type GatewayConfig } from '../../gateway/server/config/config.ts';
import { checked } from '../../gateway/server/config/problems.ts';
import { redactConfig } from '../../gateway/server/config/redact.ts';
import { tell } from '../terms.ts';

export const channelFile = (data: string): string => join(data, 'gateway.channel.json');

/** The channels in use. The gateway's own one is created once, even if several processes start at the same time. */
export const channelsOf = (config: GatewayConfig): readonly Channel[] =>
  applySharedSettings(config.channels ?? [ownChannel(config.data)], config);

/** The configuration for people, without secrets. Creates nothing. */
export const redactWithChannels = (config: GatewayConfig): Readonly<Record<string, unknown>> =>
  config.channels === undefined
    ? { ...redactConfig(config, []), channels: `its own, in ${channelFile(config.data)}` }
    : redactConfig(config, applySharedSettings(config.channels, config));

const ownChannel = (data: string): Channel => {
  const file = channelFile(data);
  makeFolder(data);
  const channel = channelIn(file, () => textIn(readOrCreate(file, freshChannel, systemRandom)));
  tell(`Channel ${channel.entityId}; its token is in ${file}`);
  return channel;
};

/** The channel in a file. Throws `config.malformed`, without quoting the token. */
export const channelIn = (file: string, read: () => string): Channel => {
  const result = checked(channelShape, knownOf(channelShape, parseSecretJson(file, read)), '');
  if ('value' in result) return result.value;
  throw new Fault('config.malformed', { file, why: result.map(({ where, why }) => `${where} ${why}`).join('; ') });
};

/** The JSON in a file that may contain a token. Throws `config.malformed`. */
export const parseSecretJson = (file: string, read: () => string): unknown => {
  try {
    return JSON.parse(read());
  } catch (error) {
    // The parser's message would quote the token.
    const why = error instanceof SyntaxError ? 'it is not JSON' : errorText(error);
    throw isFault(error) ? error : new Fault('config.malformed', { file, why });
  }
};

const freshChannel = (): string => {
  const fresh: Channel = { entityId: systemIds.next(), token: Buffer.from(systemRandom(24)).toString('base64url') };
  return `${JSON.stringify(fresh, null, 2)}\n`;
};
