/** Whether the gateway may have requests: its store takes a write of the kind that a payment needs. */
import { type Clock, within } from '../../../base/clock.ts';
import { type DiskTrouble, diskTroubles } from '../../../base/databases.ts';
import { Fault, isFault } from '../../../base/fault.ts';

/** Why the store is not ready; undefined if it is. */
export type StoreReadiness = () => Promise<string | undefined>;

export type ReadinessParts = {
  clock: Clock;
  /** Resolves when something was made durable since it was asked; throws `gateway.state` when no write is taken. */
  tryWrite: () => Promise<void>;
  /** How long nothing may become durable, whoever writes it. */
  patienceMs?: number;
};

const PATIENCE_MS = 2_000;
/** Several balancers ask every second or so: one write serves all of them. */
const SHARED_MS = 1_000;

/** Names what is wrong. The store's own reason is told to nobody: it may name hosts and users. */
const words: Readonly<Record<DiskTrouble, string>> = {
  diskFull: 'The store takes no writes: the disk is full.',
  readOnly: 'The store takes no writes: it is read-only.',
  diskFails: 'The store takes no writes: its disk fails.',
};
const SILENT = 'The store does not answer.';

/**
 * An answer is shared for a second, and whoever asks while a trial is under way waits for that one: a store that hangs
 * is not asked again and again. A store with much to do is ready as long as anything becomes durable: a long queue
 * alone never makes it unready.
 */
export const storeReadiness = ({ clock, tryWrite, patienceMs = PATIENCE_MS }: ReadinessParts): StoreReadiness => {
  let open: Promise<string | undefined> | undefined;
  let last: { at: number; why: string | undefined } | undefined;
  const trial = async (): Promise<string | undefined> => {
    const why = await tryWrite().then(() => undefined, whyOf);
    last = { at: clock.monotonic(), why };
    open = undefined;
    return why;
  };
  return async () => {
    if (open === undefined && last !== undefined && clock.monotonic() - last.at < SHARED_MS) return last.why;
    open ??= trial();
    const late = () => new Fault('gateway.state', { why: 'the store does not answer' });
    return within(clock, patienceMs, open, late).catch(() => SILENT);
  };
};

const whyOf = (error: unknown): string => {
  const told = isFault(error, 'gateway.state') ? error.facts['trouble'] : undefined;
  const trouble = diskTroubles.find((one) => one === told);
  return trouble === undefined ? SILENT : words[trouble];
};
