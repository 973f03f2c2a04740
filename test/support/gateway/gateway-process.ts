/** The gateway as a separate process, started by its command, and a client for it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { program } from '../servers/program.ts';
import { type Parameters, type Reply, replyOf } from './gateway.ts';

export type Channel = { entityId: string; token: string };

export type GatewayProcess = {
  port: number;
  /** With `--admin-port 0`. */
  healthPort?: number;
  /** Sends with token, content type and entityId. Rejects when the process dies before it has answered. */
  post(path: string, parameters: Parameters, headers?: Parameters): Promise<Reply>;
  get(path: string, query?: Parameters): Promise<Reply>;
  /** Stops it; resolves with its exit code, or null when the signal killed it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  notify(signal: NodeJS.Signals): void;
  /** Its exit code once it has ended, or null when a signal killed it. */
  ended: Promise<number | null>;
  /** Everything it wrote to its error output. */
  errorOutput(): string;
};

/** The first channel is the client's. Resolves when the process reports that it listens. `flags` come last. */
export const startGateway = (
  dataDir: string,
  channels: readonly Channel[],
  flags: readonly string[] = [],
): Promise<GatewayProcess> =>
  listeningGateway(spawn(process.execPath, gatewayArguments(dataDir, channels, flags)), channels[0]);

/** The arguments for Node.js to start a gateway on a free port. */
export const gatewayArguments = (
  dataDir: string,
  channels: readonly Channel[],
  flags: readonly string[] = [],
): string[] => [
  ...[program, 'gateway', '--port', '0', '--data', dataDir],
  ...channels.flatMap(({ entityId, token }) => ['--channel', `${entityId}:${token}`]),
  ...flags,
];

/** A gateway that was just started, with a client of this channel. Resolves when it reports that it listens. */
export const listeningGateway = async (
  process_: ChildProcessWithoutNullStreams,
  channel: Channel | undefined,
): Promise<GatewayProcess> => {
  let output = '';
  let errorOutput = '';
  process_.stderr.on('data', (text) => {
    errorOutput += text;
  });
  const exited = new Promise<number | null>((resolve) => process_.once('close', resolve));
  const port = await new Promise<number>((resolve, reject) => {
    process_.stdout.on('data', (text) => {
      output += text;
      const found = /^listening on https?:\/\/127\.0\.0\.1:(\d+)\/$/m.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void exited.then((code) => reject(new Error(`the gateway ended with ${code}: ${errorOutput}`)));
  });
  const health = /^health on http:\/\/127\.0\.0\.1:(\d+)\/$/m.exec(output)?.[1];
  return {
    port,
    healthPort: health === undefined ? undefined : Number(health),
    ...clientOf(port, channel),
    end(signal) {
      process_.kill(signal);
      return exited;
    },
    ended: exited,
    notify: (signal) => void process_.kill(signal),
    errorOutput: () => errorOutput,
  };
};

export const clientOf = (port: number, channel: Channel | undefined): Pick<GatewayProcess, 'post' | 'get'> => {
  const { entityId = '', token = '' } = channel ?? {};
  const authorization = `Bearer ${token}`;
  const url = (path: string) => `http://127.0.0.1:${port}/${path}`;
  return {
    post: async (path, parameters, headers) =>
      replyOf(
        await fetch(url(path), {
          method: 'POST',
          body: new URLSearchParams({ entityId, ...parameters }).toString(),
          headers: { authorization, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        }),
      ),
    get: async (path, query) =>
      replyOf(
        await fetch(`${url(path)}?${new URLSearchParams({ entityId, ...query })}`, { headers: { authorization } }),
      ),
  };
};

export type Ended = { code: number | null; out: string; errorOutput: string };

/** A gateway command that ends by itself: a refusal, or a check. */
export const runGateway = (args: readonly string[], environment: Parameters = {}): Promise<Ended> => {
  const child = spawn(process.execPath, [program, 'gateway', ...args], { env: { ...process.env, ...environment } });
  const ended = { out: '', errorOutput: '' };
  child.stdout.on('data', (text) => {
    ended.out += text;
  });
  child.stderr.on('data', (text) => {
    ended.errorOutput += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...ended })));
};
