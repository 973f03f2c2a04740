/**
 * What the gateway has of a standing batch, compared behind whoever looks at the closing page. Once there is an
 * outcome, a look waits a moment for the next one, and then shows the one before with its time.
 */
import type { Events } from '../../api/ports/events.ts';
import type { Clock } from '../../base/clock.ts';
import type { AuditRow } from '../../recovery/audit.ts';
import { SILENT_MOST } from '../compare.ts';
import type { TerminalBooks } from '../till-books.ts';

export type GatewayFound = {
  /** Wall time, ms. */
  readonly at: number;
  /** Sales that differ, or of which it told nothing. */
  readonly off: readonly AuditRow[];
  /** Sales of which it told nothing. */
  readonly silent: number;
  /** Pre-authorisations that are held here, and not at the gateway any more. */
  readonly lostHolds: readonly AuditRow[];
};

export type GatewayLooks = {
  /** `isOlder`: the gateway is still being asked; `changed` `closing` tells when it has answered. */
  of(books: TerminalBooks): Promise<{ found: GatewayFound; isOlder: boolean }>;
};

type Parts = { clock: Clock; events: Pick<Events, 'tell'>; report(error: unknown): void };

/** Nobody waits longer for what a look shows to be new. */
const LOOK_WITHIN_MS = 200;
/** An outcome that came too late for a look is shown to whoever is told of it so soon. */
const COUNTS_MS = 3_000;

type One = {
  batch: number;
  found?: GatewayFound;
  asking?: Promise<GatewayFound> | undefined;
  /** Somebody was shown the outcome before it. */
  isAwaited: boolean;
  /** By the monotonic clock: until then no look asks anew. */
  countsUntil: number;
};

export const openGatewayLooks = ({ clock, events, report }: Parts): GatewayLooks => {
  const looks = new Map<string, One>();

  const oneOf = (books: TerminalBooks): One => {
    const { terminalId, batch } = books.standing();
    const known = looks.get(terminalId);
    if (known?.batch === batch) return known;
    const one: One = { batch, isAwaited: false, countsUntil: 0 };
    looks.set(terminalId, one);
    return one;
  };

  const ask = async (one: One, books: TerminalBooks): Promise<GatewayFound> => {
    try {
      const found = await compared(books, clock);
      one.found = found;
      return found;
    } finally {
      one.asking = undefined;
      if (one.isAwaited) {
        one.isAwaited = false;
        one.countsUntil = clock.monotonic() + COUNTS_MS;
        events.tell({ on: 'changed', what: 'closing' });
      }
    }
  };

  return {
    async of(books) {
      const one = oneOf(books);
      if (one.found !== undefined && one.asking === undefined && clock.monotonic() < one.countsUntil)
        return { found: one.found, isOlder: false };
      one.asking ??= ask(one, books);
      if (one.found === undefined) return { found: await one.asking, isOlder: false };
      const found = await soon(one.asking, clock);
      if (found !== undefined) return { found, isOlder: false };
      one.asking.catch(report);
      one.isAwaited = true;
      return { found: one.found, isOlder: true };
    },
  };
};

/** Undefined where it takes longer. */
const soon = async <T>(work: Promise<T>, clock: Clock): Promise<T | undefined> => {
  const late = Promise.withResolvers<undefined>();
  const stop = clock.after(LOOK_WITHIN_MS, () => late.resolve(undefined));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    stop();
  }
};

/** The queue has its turn first. */
const compared = async (books: TerminalBooks, clock: Clock): Promise<GatewayFound> => {
  await books.open();
  const batch = books.standing();
  const off: AuditRow[] = [];
  const lostHolds: AuditRow[] = [];
  const since = await books.list();
  let silent = 0;
  let inRow = 0;
  for await (const row of books.compare(books.rest(batch, since), since)) {
    inRow = row.gateway === undefined ? inRow + 1 : 0;
    if (row.gateway === undefined) silent += 1;
    if (!row.agrees) off.push(row);
    // A line that is down is not waited for at each sale: somebody looks at the list.
    if (inRow === SILENT_MOST) break;
  }
  if (silent === 0)
    for await (const row of books.compare(books.openHolds(batch), since)) if (row.lostHold) lostHolds.push(row);
  return { at: clock.now(), off, silent, lostHolds };
};
