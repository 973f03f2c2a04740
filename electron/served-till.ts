/** The till behind the window: served on its local socket, with the window's own word on updates. */
import { tillDesks } from '../src/app/factories.ts';
import { type Quiet, quietOf } from '../src/app/quiet.ts';
import { type ServedTill as Served, serveTill } from '../src/app/serve.ts';
import { isFault } from '../src/base/fault.ts';
import { environment } from '../src/folder/environment.ts';
import { MACHINE_VARIABLE, machineIdentity } from '../src/folder/machine-identity.ts';
import { openDevicesDesk } from '../src/terminals/service.ts';
import type { UpdateReason, Updates } from '../src/terminals/support/updates.ts';

export type DesktopTill = {
  /** Whether it may be ended now. */
  quiet(): Quiet;
  /** What the shell knows of a newer version, for the technician's page. */
  updateKnown(update: { available?: string; why?: UpdateReason }): void;
  /** Resolves when a command of its owner has asked it to end. */
  stopAsked: Promise<void>;
  /** Resolves with why it could not be opened anew, with another configuration: nothing serves then. */
  failed: Promise<unknown>;
  /** Sales under way are asked for a cancel and waited for. */
  close(): Promise<void>;
};

export type ServedTillWish = {
  dataDir: string;
  socket: string;
  version: string;
  /** Folder of the built screens; those of this program if left out. */
  page?: string;
  /** From this machine's key store, 32 bytes. */
  sealKey?: Uint8Array;
  /** Of the window: opens the screens while nobody is known. */
  startCode: string;
  report(error: unknown): void;
};

/** While it is opened anew, with another configuration, there is no till to ask. */
const quietWhereOpen = ({ running }: Pick<Served, 'running'>): Quiet => {
  try {
    return quietOf(running());
  } catch (error) {
    if (isFault(error, 'till.stopping')) return { quiet: false, why: 'the till is being opened again' };
    throw error;
  }
};

/** Throws what `serveTill` throws. */
export const serveOnSocket = async ({ socket, version, ...wish }: ServedTillWish): Promise<DesktopTill> => {
  let known: { available?: string; why?: UpdateReason } = {};
  let quiet = (): Quiet => ({ quiet: false, why: 'the till is starting' });
  const look = async (): Promise<Updates> => {
    const now = quiet();
    const waits = { code: 'updates.waits', says: now.why ?? '' };
    const why = known.why ?? (now.why === undefined ? undefined : waits);
    return {
      version,
      ...(known.available !== undefined && { available: known.available }),
      mayInstall: known.available !== undefined && now.quiet && (known.why ?? waits).code === waits.code,
      ...(why !== undefined && { why }),
    };
  };
  const served = await serveTill({
    ...wish,
    boundTo: { identity: machineIdentity(environment()[MACHINE_VARIABLE]) },
    at: { socket },
    version,
    simulate: 'mpi',
    // Who installed a till to sell with must not meet a customer whose card it only seems to charge.
    simulateWhen: 'asked',
    desks: { ...tillDesks, devices: (parts) => openDevicesDesk(parts, { installer: { look } }) },
  });
  quiet = () => (served.underWay() > 0 ? { quiet: false, why: 'a sale is under way' } : quietWhereOpen(served));
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
