/** `gateway`: serves the host API alone on a port. */
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { environment } from '../../folder/machine.ts';
import {
  addressWarning,
  type GatewayConfig,
  plainHttpWarning,
  readConfig,
} from '../../gateway/server/config/config.ts';
import { CONFIG_VARIABLE } from '../../gateway/server/config/sources.ts';
import { loadTls } from '../../gateway/server/http/tls.ts';
import { print, tell } from '../terms.ts';
import { redactWithChannels } from './channels.ts';
import { runGateway } from './run.ts';

type GatewayFlags = Readonly<Record<string, string | boolean | readonly string[]>> & {
  config?: string;
  checkConfig?: boolean;
  channel?: readonly string[];
  legacyCredentials?: readonly string[];
  trustedProxy?: readonly string[];
};

/** The subcommands, loaded only when they are needed. */
const tools: Readonly<Record<string, () => Promise<(gateway: Command, vaultKey?: string) => void>>> = {
  settlement: async () => (await import('./settlement.ts')).addSettlement,
  chargebacks: async () => (await import('./chargebacks.ts')).addChargebacks,
  vault: async () => (await import('./vault-and-schedules.ts')).addVault,
  schedules: async () => (await import('./vault-and-schedules.ts')).addSchedules,
  webhook: async () => (await import('./webhook.ts')).addWebhook,
};

/** Whether the arguments only start a gateway: then the subcommands need not be loaded. */
const onlyRuns = (args: readonly string[]): boolean =>
  args.length > 0 &&
  args.every((arg, at) => (arg.startsWith('-') ? !['--help', '-h'].includes(arg) : args[at - 1]?.startsWith('-'))) &&
  !args.some((arg) => Object.hasOwn(tools, arg));

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const AFTERWORDS = `
Each flag has a variable, such as TILLGATE_TLS_CERT for --tls-cert (TILLGATE_CHANNELS for --channel, TILLGATE_CONFIG for
--config), and a name in the JSON of --config, such as tlsCert (channels is a list of objects, trustedProxy a list of
texts). A flag wins over a variable, and a variable over the file. TILLGATE_VAULT_KEY, 64 hex digits, is the key of
stored accounts; all machines with the same database need the same key. Keep passwords and tokens in variables or the
file: other users can see flags.
Signals: SIGTERM and SIGINT stop it once every request is answered, and at once the second time. SIGHUP reads the
certificate again and reopens the log file. On Windows, Control-C, Control-Break and closing the window stop it, and a
new certificate needs a restart.`;

/** The command with the subcommands that these arguments may name; with all of them if there are no arguments. */
export const gatewayFor = async (args: readonly string[]): Promise<(program: Command) => void> => {
  const loaded = onlyRuns(args) ? [] : await Promise.all(Object.values(tools).map((load) => load()));
  return (program) => {
    const gateway = addRun(program);
    for (const add of loaded) add(gateway, environment()['TILLGATE_VAULT_KEY'] || undefined);
  };
};

const addRun = (program: Command): Command =>
  program
    .command('gateway')
    .description('serve the payment gateway’s host API alone')
    .option('--port <n>', 'TCP port; 0 takes a free one')
    .option(
      '--host <address>',
      'address to listen on (default: 127.0.0.1); an address that other machines can reach needs TLS',
    )
    .option('--data <dir>', 'folder of the gateway’s keys and its database (default: data)')
    .option('--database <address>', 'postgres://user:password@host/name: the database of the payments')
    .option(
      '--channel <entityId:token>',
      'who may call: 32 lower-case hex digits and a token; repeatable; default: the till’s own channel',
      collect,
    )
    .option('--lenient', 'accept unknown parameters with a warning, on all channels')
    .option(
      '--legacy-credentials <entityId:user:password>',
      'a channel’s authentication.userId and .password; repeatable',
      collect,
    )
    .option('--throttle <perSecond[:burst]>', 'requests of a channel, unless it has its own throttle')
    .option('--tls-cert <file>', 'PEM: HTTPS with this certificate')
    .option('--tls-key <file>', 'PEM: its private key')
    .option(
      '--trusted-proxy <address>',
      'without TLS: only this proxy may connect, which has TLS itself; an address or a range such as 10.0.0.0/8; repeatable',
      collect,
    )
    .option(
      '--public-url <address>',
      'where shoppers and merchants reach it, such as https://pay.example/path: the base of redirects; default: what the trusted proxy says in Forwarded or X-Forwarded-Host, -Proto and -Prefix, else its own address',
    )
    .option('--insecure', 'without TLS: any machine may connect, and anybody in between can read tokens and cards')
    .option(
      '--log <where>',
      'where to log a line of JSON for each request: off, stdout or a file (default: off; faults go to stderr)',
    )
    .option('--admin-port <n>', 'a separate TCP port for /healthz, /readyz and /metrics (default: the same port)')
    .option('--admin-host <address>', 'address of the admin port (default: 127.0.0.1)')
    .option('--max-connections <n>', 'connections at a time (default: 1024)')
    .option('--patience-seconds <n>', 'how long a request waits for the acquirer (default: 30)')
    .option('--stop-seconds <n>', 'how long stopping may take (default: 35)')
    .option('--allow-private-urls', 'allow webhooks into the own network and to any port, for tests')
    .option('--config <file>', 'JSON with any of these')
    .option('--check-config', 'show the configuration without secrets, and exit')
    .addHelpText('after', AFTERWORDS)
    .action(async ({ config: file, checkConfig, channel, legacyCredentials, ...flags }: GatewayFlags) => {
      const variables = environment();
      const path = file ?? variables[CONFIG_VARIABLE];
      const config = readConfig({
        file: path,
        environment: variables,
        flags: { ...flags, ...(channel === undefined ? {} : { channels: channel }) },
        legacyCredentials,
      });
      if (checkConfig === true) check(config);
      else await runGateway(config);
    });

const check = (config: GatewayConfig): void => {
  const { warnings } = config.tls === undefined ? { warnings: [] } : loadTls(config.tls, systemClock.now());
  for (const warning of [...warnings, plainHttpWarning(config), addressWarning(config)]) {
    if (warning !== undefined) tell(warning);
  }
  print(JSON.stringify(redactWithChannels(config), null, 2));
};
