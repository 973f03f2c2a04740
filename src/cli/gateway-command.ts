/** `gateway`: the host API alone, on a port. */
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import { openGateway } from '../gateway/embedded.ts';
import { listen } from '../gateway/http/listen.ts';
import { loadConfig } from '../runtime/config.ts';
import { print, tell } from './terms.ts';

type GatewayFlags = { port: string; host: string; data: string; channel: string[] };
type Channel = { entityId: string; token: string };

const collect = (value: string, before: string[]): string[] => [...before, value];

export const addGateway = (program: Command): void => {
  program
    .command('gateway')
    .description('the payment gateway’s host API alone')
    .requiredOption('--port <n>', 'TCP port; 0 takes a free one')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <dir>', 'folder of the gateway’s database', 'data')
    .option(
      '--channel <entityId:token>',
      'who may call, 32 lower-case hex digits and a token; repeatable. Without one: the till’s own',
      collect,
      [],
    )
    .action(async (flags: GatewayFlags) => {
      const channels = flags.channel.length > 0 ? flags.channel.map(channelOf) : [ownChannel(flags.data)];
      const gateway = await openGateway({
        dataDir: flags.data,
        channels,
        clock: systemClock,
        ids: systemIds,
        random: systemRandom,
      });
      const server = await listen({ app: gateway, port: portOf(flags.port), host: flags.host });
      print(`listening on http://${flags.host}:${server.port}/`);
      await stopped();
      await server.close();
      await gateway.close();
    });
};

export const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Fault('command.malformed', { why: `"${text}" is not a TCP port, 0 to 65535` });
};

/** Resolves when a person or the system asks the process to end. */
export const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const channelOf = (text: string): Channel => {
  const [, entityId, token] = /^([0-9a-f]{32}):(\S+)$/.exec(text) ?? [];
  if (entityId !== undefined && token !== undefined) return { entityId, token };
  throw new Fault('command.malformed', { why: '--channel takes 32 lower-case hex digits, a colon and the token' });
};

const ownChannel = (data: string): Channel => {
  const { config, secrets } = loadConfig(data, { ids: systemIds, random: systemRandom });
  tell(`Channel ${config.gateway.entityId}; its token is in ${data}/till.secrets.json`);
  return { entityId: config.gateway.entityId, token: secrets.token };
};
