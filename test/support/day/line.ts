/**
 * The line from a shop's till to its gateway, which is a separate process. It can be cut, slow, or break between a
 * request and its answer; the gateway dies with it, and comes back with its data.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { type GatewayProcess, startGateway } from '../gateway/gateway-process.ts';
import { reservePort } from '../servers/reserved-port.ts';

export const channel = { entityId: 'd'.repeat(32), token: 'a-token-of-a-day' };

export type DayLine = {
  /** Where the till finds its gateway. */
  baseUrl: string;
  gateway(): GatewayProcess;
  /** Nothing gets through, and the gateway is dead. */
  disconnect(): Promise<void>;
  /** Starts the gateway with its data, and restores the line. With another token it does not know the shop. */
  reconnect(token?: string): Promise<void>;
  /** The gateway accepts the next request, and dies before its answer arrives. */
  dieAtAnswer(): void;
  /** From now on answers wait on the line, until `releaseAnswers`. */
  holdAnswers(): void;
  releaseAnswers(): void;
  close(): Promise<void>;
};

/** Starts a gateway on this folder, and a line to it. */
export const openDayLine = async (folder: string): Promise<DayLine> => {
  let gateway = await startGateway(folder, [channel]);
  const port = await reservePort();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let held = Promise.withResolvers<void>();
  held.resolve();
  let isDying = false;

  const hangUp = (): void => {
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
  };
  const disconnect = async (): Promise<void> => {
    hangUp();
    await gateway.end('SIGKILL');
  };
  const answer = async (till: Socket, bytes: Buffer): Promise<void> => {
    if (isDying) {
      isDying = false;
      return disconnect();
    }
    await held.promise;
    till.write(bytes);
  };
  const carry = (till: Socket): void => {
    const upstream = createConnection(gateway.port, '127.0.0.1');
    let lastWrite = Promise.resolve();
    for (const [source, target] of [
      [till, upstream],
      [upstream, till],
    ] as const) {
      sockets.add(source);
      source.on('error', () => {});
      source.on('close', () => {
        sockets.delete(source);
        target.destroy();
      });
    }
    till.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      lastWrite = lastWrite.then(() => answer(till, bytes));
    });
  };
  const listenAgain = async (): Promise<void> => {
    const standing = createServer(carry);
    await new Promise<void>((resolve) => standing.listen(port, '127.0.0.1', resolve));
    server = standing;
  };

  await listenAgain();
  return {
    baseUrl: `http://127.0.0.1:${port}/`,
    gateway: () => gateway,
    disconnect,
    async reconnect(token = channel.token) {
      gateway = await startGateway(folder, [{ ...channel, token }]);
      await listenAgain();
    },
    dieAtAnswer() {
      isDying = true;
    },
    holdAnswers() {
      held = Promise.withResolvers();
    },
    releaseAnswers: () => held.resolve(),
    async close() {
      held.resolve();
      hangUp();
      await gateway.end('SIGTERM');
    },
  };
};
