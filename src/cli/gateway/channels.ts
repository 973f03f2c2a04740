/** The channels of a gateway: those in its configuration, or else one that is created in its folder. */
import { join } from 'node:path';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';
import { madeOnce, makeFolder } from '../../base/files.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { textIn } from '../../base/text.ts';
import { knownOf } from '../../folder/unknown-keys.ts';
import type { Channel } from '../../gateway/channel.ts';
import { channelShape } from '../../gateway/server/config/channel-shape.ts';
import { type GatewayConfig, withSharedSettings } from '../../gateway/server/config/config.ts';
import { checked } from '../../gateway/server/config/problems.ts';
import { redactConfig } from '../../gateway/server/config/redact.ts';
import { tell } from '../terms.ts';

const fileIn = (data: string): string => join(data, 'gateway.channel.json');

/** The channels in use. The gateway's own one is created once, even if several processes start at the same time. */
export const channelsOf = (config: GatewayConfig): readonly Channel[] =>
  withSharedSettings(config.channels ?? [ownChannel(config.data)], config);

/** The configuration for people, without secrets. Creates nothing. */
export const redactWithChannels = (config: GatewayConfig): Readonly<Record<string, unknown>> =>
  config.channels === undefined
    ? { ...redactConfig(config, []), channels: `its own, in ${fileIn(config.data)}` }
    : redactConfig(config, withSharedSettings(config.channels, config));

const ownChannel = (data: string): Channel => {
  const file = fileIn(data);
  makeFolder(data);
  try {
    const text = textIn(madeOnce(file, freshChannel, systemRandom));
    const result = checked(channelShape, knownOf(channelShape, JSON.parse(text)), '');
    if (!('value' in result)) {
      throw new Fault('config.malformed', { file, why: result.map(({ where, why }) => `${where} ${why}`).join('; ') });
    }
    tell(`Channel ${result.value.entityId}; its token is in ${file}`);
    return result.value;
  } catch (error) {
    if (isFault(error)) throw error;
    // The parser's message would quote the token.
    throw new Fault('config.malformed', {
      file,
      why: error instanceof SyntaxError ? 'it is not JSON' : wordsOf(error),
    });
  }
};

const freshChannel = (): string => {
  const fresh: Channel = { entityId: systemIds.next(), token: Buffer.from(systemRandom(24)).toString('base64url') };
  return `${JSON.stringify(fresh, null, 2)}\n`;
};
