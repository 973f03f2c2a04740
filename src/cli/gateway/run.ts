/** Runs a gateway on its ports, from its start to its stop. */
import { systemClock as clock, within } from '../../base/clock.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { systemIds } from '../../base/ids.ts';
import { printable } from '../../base/mask.ts';
import { makeOwnedFolder, ownersOf } from '../../folder/rights/folder-rights.ts';
import type { AskWindows, WindowsPrograms } from '../../folder/rights/windows-programs.ts';
import { addressWarning, type GatewayConfig, plainHttpWarning } from '../../gateway/server/config/config.ts';
import { removePassword } from '../../gateway/server/config/redact.ts';
import { healthApp, type Stage, withHealth } from '../../gateway/server/http/health.ts';
import { type HttpListener, listen } from '../../gateway/server/http/listen.ts';
import type { Log } from '../../gateway/server/http/log.ts';
import { gatewayMetrics, type Metrics } from '../../gateway/server/http/metrics.ts';
import { allowProxiesOnly } from '../../gateway/server/http/proxies.ts';
import { storeReadiness } from '../../gateway/server/http/readiness.ts';
import { loadTls, type TlsOptions } from '../../gateway/server/http/tls.ts';
import { openThreadedGateway, type ThreadedGateway } from '../../gateway/server/threads/edge.ts';
import { tellRights } from '../rights-warning.ts';
import { onSignals, serviceSignals, waitForStop } from '../stop-signals.ts';
import { FAULT, print, tell } from '../terms.ts';
import { channelsOf } from './channels.ts';

/** The parts that have been started so far. */
type Running = {
  stage: Stage;
  log?: Log;
  metrics?: Metrics;
  admin?: HttpListener;
  gateway?: ThreadedGateway;
  server?: HttpListener;
};

/** Time for the last lines of the log and the last health requests. */
const LAST_WORDS_MS = 2_000;

/** The machine on which it runs; tests replace it. */
export type GatewayMachine = {
  platform: NodeJS.Platform;
  programs?: WindowsPrograms;
  ask?: AskWindows;
  stop?: Promise<void>;
};

const system: GatewayMachine = { platform: process.platform };

/** Resolves after a stop signal, once every complete request has been answered. Throws why it cannot start. */
export const runGateway = async (config: GatewayConfig, machine = system): Promise<void> => {
  const signals = serviceSignals(process.platform);
  const stop = machine.stop ?? waitForStop(signals.stop);
  const running: Running = { stage: 'starting' };
  try {
    await start(config, running, machine);
    onSignals(() => renew(config, running), signals.renew);
    await Promise.race([stop, running.gateway?.failed]);
  } catch (error) {
    await finish(config, running);
    throw harmless(error, config);
  }
  await finish(config, running);
};

const start = async (config: GatewayConfig, running: Running, machine: GatewayMachine): Promise<void> => {
  const { port, host, data, database, vaultKey, patienceMs, allowPrivateUrls } = config;
  // On other systems the mode of each file protects it, and no unused folder is created.
  if (machine.platform === 'win32') makeOwnedFolder(data, { owners: ownersOf(data), ...machine });
  const channels = channelsOf(config);
  const tls = tlsOf(config);
  if (config.log !== 'off') {
    // The library is loaded only if there is a log.
    const { openLog } = await import('../../gateway/server/http/log.ts');
    running.log = await openLog({
      to: config.log === 'stdout' ? 'stdout' : { file: config.log },
      clock,
      onLost: tellLost,
    });
  }
  warn(config, running);
  const health = await openHealth(config, running);
  running.gateway = await openThreadedGateway({
    dataDir: data,
    database,
    vaultKey,
    channels,
    merchants: config.merchants,
    clock,
    ids: systemIds,
    patienceMs,
    allowPrivateUrls,
    report: (error) => report(error, config, running),
    onCommit: (works) => running.metrics?.countCommit(works),
    observers: [running.log, running.metrics].flatMap((each) => (each === undefined ? [] : [each.observer])),
  });
  running.server = await listen({
    app: health === undefined ? running.gateway : withHealth(running.gateway, health),
    port,
    host,
    limits: { connections: config.maxConnections },
    mayConnect: allowProxiesOnly(config.trustedProxies),
    reached: { publicUrl: config.publicUrl, proxies: config.trustedProxies },
    clock,
    tls,
  });
  running.stage = 'ready';
  await tellRights(data, machine);
  print(`listening on ${address(tls === undefined ? 'http' : 'https', host, running.server.port)}`);
};

/** Serves health on the admin port if one is set, or else returns it to be served beside the gateway. */
const openHealth = async ({ admin }: GatewayConfig, running: Running) => {
  const readiness = storeReadiness({ clock, tryWrite: async () => running.gateway?.tryWrite() });
  const metrics = gatewayMetrics(
    () => running.server?.currentLoad() ?? { connections: 0, requests: 0 },
    async () => running.stage === 'ready' && (await readiness()) === undefined,
  );
  running.metrics = metrics;
  const stage = () => running.stage;
  const health = healthApp({ currentStage: stage, storeReadiness: readiness, metrics: () => metrics.read() });
  if (admin === undefined) return health;
  running.admin = await listen({ app: health, ...admin, limits: { connections: 64 }, clock });
  print(`health on ${address('http', admin.host, running.admin.port)}`);
  return undefined;
};

/** Closes the server, then the gateway, then health and log. Exits when the time is over. */
const finish = async ({ stopMs }: GatewayConfig, running: Running): Promise<void> => {
  const { server, gateway, admin, log } = running;
  running.stage = 'stopping';
  const work = async (): Promise<void> => {
    await server?.close();
    await gateway?.close();
  };
  const late = () =>
    new Fault('gateway.stopping', { seconds: stopMs / 1000, count: server?.currentLoad().requests ?? 0 });
  const inTime = await ended(work(), stopMs, late);
  const lastWords = async (): Promise<void> => {
    await admin?.close();
    await log?.close();
  };
  await ended(
    lastWords(),
    LAST_WORDS_MS,
    () => new Fault('gateway.stopping', { seconds: LAST_WORDS_MS / 1000, count: 0 }),
  );
  // Something that hangs would keep the process alive. The next start finishes payments in progress.
  if (!inTime) process.exit(FAULT);
};

/** Whether the work ended in time. A failure is printed and does not stop the shutdown. */
const ended = async (work: Promise<void>, ms: number, late: () => Fault): Promise<boolean> => {
  try {
    await within(clock, ms, work, late);
    return true;
  } catch (error) {
    tell(printable(errorText(error)));
    return !isFault(error, 'gateway.stopping');
  }
};

/** Reopens the log and reads the certificate again. If that fails, the old certificate stays in use. */
const renew = (config: GatewayConfig, { log, server }: Running): void => {
  log?.reopen();
  try {
    const tls = tlsOf(config);
    if (tls !== undefined) server?.renew(tls);
  } catch (error) {
    tell(`The old certificate stays in use: ${printable(errorText(error))}`);
  }
};

const tlsOf = ({ tls: files }: GatewayConfig): TlsOptions | undefined => {
  if (files === undefined) return undefined;
  const { options, warnings } = loadTls(files, clock.now());
  for (const warning of warnings) tell(warning);
  return options;
};

/** Prints the warnings about the configuration at each start. */
const warn = (config: GatewayConfig, { log }: Running): void => {
  for (const warning of [plainHttpWarning(config), addressWarning(config)]) {
    if (warning === undefined) continue;
    tell(warning);
    log?.logWarning(warning);
  }
};

const report = (error: unknown, config: GatewayConfig, { log, metrics }: Running): void => {
  const fault = harmless(error, config);
  tell(`Inside the gateway: ${printable(fault.message)}`);
  log?.logFault(fault);
  metrics?.countFault();
};

/** The same fault without the database's password, which drivers quote in their messages. */
const harmless = (error: unknown, { database }: GatewayConfig): Fault => {
  const clean = (text: string): string => removePassword(text, database);
  if (!isFault(error)) return new Fault('program.failed', { why: printable(clean(errorText(error))) });
  const facts = Object.entries(error.facts).map(([name, fact]) => [
    name,
    typeof fact === 'string' ? clean(fact) : fact,
  ]);
  return new Fault(error.code, Object.fromEntries(facts));
};

const tellLost = (why: string): void => tell(`Lines of the log were lost: ${printable(why)}`);

const address = (scheme: string, host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/`;
