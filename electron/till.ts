/** What the till's process does: waits for its key, serves the till on a local socket, ends when it is told to. */
import type { MessageEvent, ParentPort } from 'electron';
import { wordsOf } from '../src/base/fault.ts';
import { fromHex } from '../src/base/hex.ts';
import { printable } from '../src/base/mask.ts';
import type { FromTill, QuietAnswer, ToTill } from './messages.ts';
import { type ServedTill, serveOnSocket } from './served-till.ts';

export type Port = Pick<ParentPort, 'postMessage'> & {
  on(event: 'message', hear: (message: Pick<MessageEvent, 'data'>) => void): unknown;
};

/**
 * `args`: the till's folder, socket, version. Resolves when it was told to end; rejects when it cannot start, or
 * cannot be opened anew with another configuration.
 */
export const runTill = (port: Port, args: readonly string[]): Promise<void> => {
  const [dataDir = '', socket = '', version = ''] = args;
  let serving: Promise<ServedTill> | undefined;
  let served: ServedTill | undefined;
  const tell = (message: FromTill): void => port.postMessage(message);
  const report = (error: unknown): void => void process.stderr.write(`In passing: ${printable(wordsOf(error))}\n`);
  return new Promise((resolve, reject) => {
    const begin = async ({ key, code: startCode }: { key?: string; code: string }): Promise<void> => {
      const sealed = key !== undefined && { sealKey: fromHex(key) };
      const wish = { dataDir, socket, version, report, startCode, ...sealed };
      serving = serveOnSocket(wish);
      served = await serving;
      tell({ on: 'listening' });
      // Whoever started this process starts another one.
      void served.failed.then(reject);
      void served.stopAsked.then(() => tell({ on: 'stopAsked' }));
    };
    const quiet = (): QuietAnswer => served?.quiet() ?? { quiet: false, why: 'the till is starting' };
    const end = async (): Promise<void> => (await serving)?.close();
    port.on('message', ({ data }) => {
      const message = data as ToTill;
      if (message.on === 'begin') begin(message).catch(reject);
      else if (message.on === 'ping') tell({ on: 'pong' });
      else if (message.on === 'ask') tell({ on: 'quiet', number: message.number, answer: quiet() });
      else if (message.on === 'update') served?.updateKnown(message);
      else end().then(resolve, reject);
    });
  });
};
