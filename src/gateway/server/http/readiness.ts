/** Whether the gateway may receive requests: its store accepts a write like a payment's. */
import { type Clock, within } from '../../../base/clock.ts';
import { type DiskTrouble, diskTroubles } from '../../../base/databases.ts';
import { Fault, isFault } from '../../../base/fault.ts';

/** Why the store is not ready; undefined if it is. */
export type StoreReadiness = () => Promise<string | undefined>;

export type ReadinessParts = {
  clock: Clock;
  /** Resolves when something was made durable since the call; throws `gateway.state` if no write is accepted. */
  tryWrite: () => Promise<void>;
  /** The longest time in which the store may make nothing durable, whoever writes. */
  patienceMs?: number;
};

const PATIENCE_MS = 2_000;
/** Several load balancers ask about once a second: one write serves all of them. */
const SHARED_MS = 1_000;

/** Names the problem. The store's own message is not passed on: it may contain hosts and users. */
const troubleTexts: Readonly<Record<DiskTrouble, string>> = {
  diskFull: 'The store accepts no writes: the disk is full.',
  readOnly: 'The store accepts no writes: it is read-only.',
  diskFails: 'The store accepts no writes: its disk fails.',
};
const SILENT = 'The store does not answer.';

/**
 * A result is shared for a second, and a call during a trial waits for that one: a hanging store is not asked again and
 * again. A busy store is ready as long as anything becomes durable: a long queue alone never makes it unready.
 */
export const storeReadiness = ({ clock, tryWrite, patienceMs = PATIENCE_MS }: ReadinessParts): StoreReadiness => {
  let open: Promise<string | undefined> | undefined;
  let lastResult: { at: number; why: string | undefined } | undefined;
  const tryOnce = async (): Promise<string | undefined> => {
    const reason = await tryWrite().then(() => undefined, reasonOf);
    lastResult = { at: clock.monotonic(), why: reason };
    open = undefined;
    return reason;
  };
  return async () => {
    if (open === undefined && lastResult !== undefined && clock.monotonic() - lastResult.at < SHARED_MS)
      return lastResult.why;
    open ??= tryOnce();
    const timeoutFault = () => new Fault('gateway.state', { why: 'the store does not answer' });
    return within(clock, patienceMs, open, timeoutFault).catch(() => SILENT);
  };
};

const reasonOf = (error: unknown): string => {
  const reportedTrouble = isFault(error, 'gateway.state') ? error.facts['trouble'] : undefined;
  const trouble = diskTroubles.find((known) => known === reportedTrouble);
  return trouble === undefined ? SILENT : troubleTexts[trouble];
};
