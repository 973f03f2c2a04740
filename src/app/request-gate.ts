/** Lets requests through to the till, holds them back while it is reopened, and admits no new work when it stops. */
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';

export type RequestGate = {
  /**
   * Waits while the till is reopened. `ends` aborts, with a fault as its reason, when the till waits for this request:
   * work that can be interrupted listens to it. Throws `till.stopping` for a request that would begin something while
   * the till stops.
   */
  run(request: Request, go: RequestHandler): Promise<Response>;
  /**
   * Runs the work when no request is in progress, and holds back new ones meanwhile. One work at a time. Until then
   * requests go through; those in progress get a few seconds and are then told to end. Throws as `check`, before any
   * request is told to end, and `till.occupied` when a request does not end in time.
   */
  whenIdle(reopening: ReopenParts): Promise<void>;
  /**
   * From now on nothing begins, and requests that can be interrupted are told to end; running sales can be cancelled.
   */
  shut(): void;
  /** Resolves when no request is in progress. */
  drained(): Promise<void>;
};

type ReopenParts = { check(): void; work(): Promise<void> };
type RunningRequest = { ends: AbortController; left: Promise<void> };

/** Time for requests in progress to end by themselves; most need milliseconds. */
const PATIENCE_MS = 5_000;
/** Further time once they were told to end. */
const FAREWELL_MS = 10_000;
/** How long new requests are held back while the last ones leave. */
const HELD_MS = 500;

export const openRequestGate = (clock: Clock): RequestGate => {
  const passage = openPassage(clock);
  let turn: Promise<unknown> = Promise.resolve();
  let isShut = false;
  return {
    run(request, go) {
      return passage.pass(go, () => {
        if (isShut && begins(request)) throw new Fault('till.stopping');
      });
    },
    whenIdle({ check, work }) {
      const mine = turn.then(async () => {
        check();
        if (await passage.emptyWithin(PATIENCE_MS, work)) return;
        check();
        passage.tell(new Fault('till.reopening'));
        try {
          if (!(await passage.emptyWithin(FAREWELL_MS, work))) throw new Fault('till.occupied');
        } finally {
          if (!isShut) passage.tell(undefined);
        }
      });
      turn = mine.catch(() => {});
      return mine;
    },
    shut() {
      isShut = true;
      passage.tell(new Fault('till.stopping'));
    },
    drained: passage.left,
  };
};

type RequestHandler = (ends: AbortSignal) => Response | Promise<Response>;

/** Tracks the requests inside the gate, and those held back before it. */
const openPassage = (clock: Clock) => {
  const inside = new Set<RunningRequest>();
  let held: Promise<unknown> | undefined;
  /** The fault with which requests are told to end, while they are. */
  let reported: Fault | undefined;
  const left = async (): Promise<void> => {
    while (inside.size > 0) await leftBy([...inside]);
  };
  /**
   * Holds back new requests until the last ones have left and the work is done. Returns false if they did not leave.
   */
  const heldFor = async (work: () => Promise<void>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    try {
      if (!(await isWithin(clock, HELD_MS, left()))) return false;
      await work();
      return true;
    } finally {
      held = undefined;
      resolve();
    }
  };
  return {
    left,
    async pass(go: RequestHandler, refuse: () => void): Promise<Response> {
      while (held !== undefined) await held;
      refuse();
      const ends = new AbortController();
      if (reported !== undefined) ends.abort(reported);
      const { promise, resolve } = Promise.withResolvers<void>();
      const passing = { ends, left: promise };
      inside.add(passing);
      try {
        return await go(ends.signal);
      } finally {
        inside.delete(passing);
        resolve();
      }
    },
    /** Tells all requests inside, and all that come later, until it is called again. */
    tell(fault: Fault | undefined): void {
      reported = fault;
      if (fault !== undefined) for (const { ends } of inside) ends.abort(fault);
    },
    /** Meanwhile new requests go through: first those already inside are waited for, then the newer ones. */
    async emptyWithin(ms: number, work: () => Promise<void>): Promise<boolean> {
      const until = clock.monotonic() + ms;
      for (;;) {
        const rest = Math.max(0, until - clock.monotonic());
        const haveLeft = await isWithin(clock, rest, leftBy([...inside]));
        if (haveLeft && (await heldFor(work))) return true;
        if (clock.monotonic() >= until) return false;
      }
    },
  };
};

const leftBy = (requests: readonly RunningRequest[]): Promise<unknown> => Promise.all(requests.map(({ left }) => left));

const isWithin = async (clock: Clock, ms: number, done: Promise<unknown>): Promise<boolean> => {
  const late = Promise.withResolvers<boolean>();
  const stop = clock.after(ms, () => late.resolve(false));
  try {
    return await Promise.race([done.then(() => true), late.promise]);
  } finally {
    stop();
  }
};

const begins = ({ method, url }: Request): boolean =>
  !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method) && !/\/cancel$/.test(new URL(url).pathname);
