/** What the till's process does: waits for its key, serves the till on a local socket, ends when it is told to. */
import type { MessageEvent, ParentPort } from 'electron';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { isFault, wordsOf } from '../src/base/fault.ts';
import { fromHex } from '../src/base/hex.ts';
import { printable } from '../src/base/mask.ts';
import { folderHolder } from '../src/folder/rights/folder-holder.ts';
import type { FromTill, QuietAnswer, ToTill } from './messages.ts';
import { type OpenTillResult, openUnlessHeld } from './open-unless-held.ts';
import type { DesktopTill } from './served-till.ts';

export type Port = Pick<ParentPort, 'postMessage'> & {
  on(event: 'message', hear: (message: Pick<MessageEvent, 'data'>) => void): unknown;
};

/**
 * `args`: the till's folder, socket, version. Resolves when it was told to end; rejects when it cannot start, or
 * cannot be opened anew with another configuration. Where another program works on the folder it says so, and waits.
 */
export const runTill = (port: Port, args: readonly string[], clock: Clock = systemClock): Promise<void> => {
  const [dataDir = '', socket = '', version = ''] = args;
  let opening: Promise<OpenTillResult> | undefined;
  let served: DesktopTill | undefined;
  let isEnding = false;
  const tell = (message: FromTill): void => port.postMessage(message);
  const report = (error: unknown): void => void process.stderr.write(`In passing: ${printable(wordsOf(error))}\n`);
  return new Promise((resolve, reject) => {
    const begin = async ({ key, code: startCode }: { key?: string; code: string }): Promise<void> => {
      const sealed = key !== undefined && { sealKey: fromHex(key) };
      const wish = { dataDir, socket, version, report, startCode, ...sealed };
      opening = openUnlessHeld(wish, { clock, isEnding: () => isEnding });
      const opened = await opening;
      if ('heldBy' in opened) return isEnding ? undefined : tell({ on: 'held', by: opened.heldBy });
      served = opened.served;
      tell({ on: 'listening' });
      // Whoever started this process starts another one.
      void served.failed.then(lost).catch(reject);
      void served.stopAsked.then(() => tell({ on: 'stopAsked' }));
    };
    const lost = async (error: unknown): Promise<void> => {
      if (!isFault(error, 'journal.busy')) throw error;
      // Else its own socket would answer for whoever has the folder now.
      await served?.close();
      tell({ on: 'held', by: await folderHolder(dataDir) });
    };
    const quiet = (): QuietAnswer => served?.quiet() ?? { quiet: false, why: 'the till is starting' };
    const end = async (): Promise<void> => {
      isEnding = true;
      const opened = await opening;
      if (opened !== undefined && 'served' in opened) await opened.served.close();
    };
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
