/** `gateway`: the host API alone, on a port. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { Fault, wordsOf } from '../base/fault.ts';
import { makeFolder } from '../base/folder.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import { printable } from '../base/mask.ts';
import { openGateway } from '../gateway/embedded.ts';
import { listen } from '../gateway/http/listen.ts';
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
      const port = portOf(flags.port);
      const channels = flags.channel.length > 0 ? flags.channel.map(channelOf) : [ownChannel(flags.data)];
      const parts = { clock: systemClock, ids: systemIds, random: systemRandom };
      const report = (error: unknown) => tell(`Inside the gateway: ${printable(wordsOf(error))}`);
      const end = stopped();
      const gateway = await openGateway({ dataDir: flags.data, channels, report, ...parts });
      const server = await listen({ app: gateway, port, host: flags.host });
      print(`listening on http://${flags.host}:${server.port}/`);
      await end;
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

/** A channel made on the first start and kept beside the database. */
const ownChannel = (data: string): Channel => {
  makeFolder(data);
  const file = join(data, 'gateway.channel.json');
  if (!existsSync(file)) {
    const fresh: Channel = { entityId: systemIds.next(), token: Buffer.from(systemRandom(24)).toString('base64url') };
    writeFileSync(file, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true });
  }
  const { entityId, token } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Channel>;
  if (entityId === undefined || token === undefined)
    throw new Fault('config.malformed', { file, why: 'entityId and token are missing' });
  tell(`Channel ${entityId}; its token is in ${file}`);
  return channelOf(`${entityId}:${token}`);
};
