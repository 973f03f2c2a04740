/** The till's process: waits for its key, serves the till on a local socket, ends when it is told to. */
import type { MessageEvent, ParentPort } from 'electron';
import { type IndexProgress, indexingText } from '../src/app/indexing-text.ts';
import { type ServedTill as Served, serveTill } from '../src/app/serve.ts';
import { tillServices } from '../src/app/services.ts';
import { type QuietState, quietOf } from '../src/app/till-health.ts';
import { type Clock, pause, systemClock } from '../src/base/clock.ts';
import { errorText, isFault } from '../src/base/fault.ts';
import { fromHex } from '../src/base/hex.ts';
import { printable } from '../src/base/mask.ts';
import { environment, MACHINE_VARIABLE, machineIdentity } from '../src/folder/machine.ts';
import { type FolderHolder, folderHolder } from '../src/folder/till-folder.ts';
import { openDevicesService } from '../src/terminals/service.ts';
import type { UpdateReason, Updates } from '../src/terminals/support/updates.ts';

// The messages between the shell and the till's process. They never concern payments.

export type QuietAnswer = { quiet: boolean; why?: string };

export type ToTill =
  /**
   * The first message. `key`: hex, 32 bytes, which encrypts the till's keys; absent without a key store. `code`: opens
   * the screens while no staff exist.
   */
  | { on: 'begin'; key?: string; code: string }
  /** The answer has the same number. */
  | { on: 'ask'; question: 'quiet'; number: number }
  /** The heartbeat: answered by the till's event loop. */
  | { on: 'ping' }
  /** The technician's page shows this about updates. */
  | { on: 'update'; available?: string; why?: UpdateReason }
  | { on: 'stop' };

export type FromTill =
  /** It is starting and rebuilding indexes: the progress, as text. */
  | { on: 'indexing'; says: string }
  | { on: 'listening' }
  /** Requested by a command of the till's owner: the app ends, and does not restart it. */
  | { on: 'stopAsked' }
  | { on: 'pong' }
  /** Another program uses the till's folder: this process waits to be told to end. */
  | { on: 'held'; by: FolderHolder }
  /** Whether the till may be ended now: no sale in progress, and none with an unknown ending. */
  | { on: 'quiet'; number: number; answer: QuietAnswer };

export type Port = Pick<ParentPort, 'postMessage'> & {
  on(event: 'message', listener: (message: Pick<MessageEvent, 'data'>) => void): unknown;
};

/**
 * `args`: the till's folder, socket, version. Resolves when it was told to end; rejects if it cannot start, or cannot
 * be reopened with another configuration. If another program uses the folder, it reports that and waits.
 */
export const runTill = (port: Port, args: readonly string[], clock: Clock = systemClock): Promise<void> => {
  const [dataDir = '', socket = '', version = ''] = args;
  let opening: Promise<OpenTillResult> | undefined;
  let served: DesktopTill | undefined;
  let isEnding = false;
  const notify = (message: FromTill): void => port.postMessage(message);
  const report = (error: unknown): void => void process.stderr.write(`Ignored error: ${printable(errorText(error))}\n`);
  return new Promise((resolve, reject) => {
    const begin = async ({ key, code: startCode }: { key?: string; code: string }): Promise<void> => {
      const sealed = key !== undefined && { sealKey: fromHex(key) };
      const indexing = (progress: IndexProgress): void => notify({ on: 'indexing', says: indexingText(progress) });
      const request = { dataDir, socket, version, report, startCode, indexing, ...sealed };
      opening = openUnlessHeld(request, { clock, isEnding: () => isEnding });
      const opened = await opening;
      if ('heldBy' in opened) return isEnding ? undefined : notify({ on: 'held', by: opened.heldBy });
      served = opened.served;
      notify({ on: 'listening' });
      // The shell restarts the process.
      void served.failed.then(reportLost).catch(reject);
      void served.stopAsked.then(() => notify({ on: 'stopAsked' }));
    };
    const reportLost = async (error: unknown): Promise<void> => {
      if (!isFault(error, 'journal.busy')) throw error;
      // Otherwise its socket would answer in place of the folder's new owner.
      await served?.close();
      notify({ on: 'held', by: await folderHolder(dataDir) });
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
      else if (message.on === 'ping') notify({ on: 'pong' });
      else if (message.on === 'ask') notify({ on: 'quiet', number: message.number, answer: quiet() });
      else if (message.on === 'update') served?.updateKnown(message);
      else end().then(resolve, reject);
    });
  });
};

// Opens the till, unless another program uses its folder: a till in another sign-in, or a command.

type OpenTillResult = { served: DesktopTill } | { heldBy: FolderHolder };

type Waiting = {
  clock: Clock;
  /** Whether the till was told to end meanwhile. */
  isEnding(): boolean;
};

/** A command does not answer, and is done in a moment. */
const TRIES = 10;
const AGAIN_MS = 1_000;

/** Throws what `serveOnSocket` throws, except `journal.busy`. */
const openUnlessHeld = async (request: ServedTillOptions, { clock, isEnding }: Waiting): Promise<OpenTillResult> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { served: await serveOnSocket(request) };
    } catch (error) {
      if (!isFault(error, 'journal.busy')) throw error;
    }
    const heldBy = await folderHolder(request.dataDir);
    if (heldBy !== 'nobody' || attempt === TRIES || isEnding()) return { heldBy };
    await pause(clock, AGAIN_MS);
  }
};

// The till behind the window: served on its local socket, with the window's information about updates.

export type DesktopTill = {
  /** Whether it may be ended now. */
  quiet(): QuietState;
  /** The shell's information about a newer version, for the technician's page. */
  updateKnown(update: { available?: string; why?: UpdateReason }): void;
  /** Resolves when a command of its owner has asked it to end. */
  stopAsked: Promise<void>;
  /** Resolves with the reason why it could not be reopened with another configuration: nothing serves then. */
  failed: Promise<unknown>;
  /** Requests the cancellation of sales in progress and waits for them. */
  close(): Promise<void>;
};

type ServedTillOptions = {
  dataDir: string;
  socket: string;
  version: string;
  /** The folder of the built screens; this program's by default. */
  page?: string;
  /** From this machine's key store, 32 bytes. */
  sealKey?: Uint8Array;
  /** The window's code: opens the screens while no staff exist. */
  startCode: string;
  report(error: unknown): void;
  indexing?(progress: IndexProgress): void;
};

/** While it is reopened with another configuration, there is no till to ask. */
const quietState = ({ running }: Pick<Served, 'running'>): QuietState => {
  try {
    return quietOf(running());
  } catch (error) {
    if (isFault(error, 'till.stopping')) return { quiet: false, why: 'the till is being reopened' };
    throw error;
  }
};

/** Throws what `serveTill` throws. */
export const serveOnSocket = async ({ socket, version, ...options }: ServedTillOptions): Promise<DesktopTill> => {
  let known: { available?: string; why?: UpdateReason } = {};
  let quiet = (): QuietState => ({ quiet: false, why: 'the till is starting' });
  const readUpdates = async (): Promise<Updates> => {
    const current = quiet();
    const notIdle = { code: 'updates.waits', says: current.why ?? '' };
    const reason = known.why ?? (current.why === undefined ? undefined : notIdle);
    return {
      version,
      available: known.available,
      mayInstall: known.available !== undefined && current.quiet && (known.why ?? notIdle).code === notIdle.code,
      why: reason,
    };
  };
  const served = await serveTill({
    ...options,
    boundTo: { identity: machineIdentity(environment()[MACHINE_VARIABLE]) },
    at: { socket },
    version,
    simulate: 'mpi',
    // A newly installed till must never only seem to charge a customer's card.
    simulateWhen: 'asked',
    services: { ...tillServices, devices: (parts) => openDevicesService(parts, { installer: { check: readUpdates } }) },
  });
  quiet = () => (served.underWay() > 0 ? { quiet: false, why: 'a sale is in progress' } : quietState(served));
  return {
    quiet: () => quiet(),
    updateKnown(update) {
      known = update;
    },
    stopAsked: served.stopAsked,
    failed: served.failed,
    close: () => served.close(),
  };
};
