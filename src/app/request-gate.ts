/** Lets requests through to the till, holds them back while it is reopened, and admits no new work when it stops. */
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';

export type RequestGate = {
  /**
   * Waits while the till is reopened. `ends` aborts, with a fault as its reason, when the till waits for this request:
   * work that can be interrupted listens to it. Throws `till.stopping` for a request that would begin something while
   * the till stops.
   */
  run(request: Request, handler: RequestHandler): Promise<Response>;
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
type RunningRequest = { ends: AbortController; finished: Promise<void> };

/** Time for requests in progress to end by themselves; most need milliseconds. */
const PATIENCE_MS = 5_000;
/** Further time once they were told to end. */
const END_WITHIN_MS = 10_000;
/** How long new requests are held back while the last ones leave. */
const HELD_MS = 500;

export const openRequestGate = (clock: Clock): RequestGate => {
  const requestsInside = openPassage(clock);
  let turn: Promise<unknown> = Promise.resolve();
  let isShut = false;
  return {
    run(request, handler) {
      return requestsInside.admit(handler, () => {
        if (isShut && begins(request)) throw new Fault('till.stopping');
      });
    },
    whenIdle({ check, work }) {
      const ownTurn = turn.then(async () => {
        check();
        if (await requestsInside.runWhenEmpty(PATIENCE_MS, work)) return;
        check();
        requestsInside.setEndFault(new Fault('till.reopening'));
        try {
          if (!(await requestsInside.runWhenEmpty(END_WITHIN_MS, work))) throw new Fault('till.occupied');
        } finally {
          if (!isShut) requestsInside.setEndFault(undefined);
        }
      });
      turn = ownTurn.catch(() => {});
      return ownTurn;
    },
    shut() {
      isShut = true;
      requestsInside.setEndFault(new Fault('till.stopping'));
    },
    drained: requestsInside.left,
  };
};

type RequestHandler = (ends: AbortSignal) => Response | Promise<Response>;

/** Tracks the requests inside the gate, and those held back before it. */
const openPassage = (clock: Clock) => {
  const inside = new Set<RunningRequest>();
  let heldBack: Promise<unknown> | undefined;
  /** The fault with which requests are told to end, while they are. */
  let endFault: Fault | undefined;
  const waitUntilEmpty = async (): Promise<void> => {
    while (inside.size > 0) await waitForRequests([...inside]);
  };
  /**
   * Holds back new requests until the last ones have left and the work is done. Returns false if they did not leave.
   */
  const holdBackFor = async (work: () => Promise<void>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    heldBack = promise;
    try {
      if (!(await isWithin(clock, HELD_MS, waitUntilEmpty()))) return false;
      await work();
      return true;
    } finally {
      heldBack = undefined;
      resolve();
    }
  };
  return {
    left: waitUntilEmpty,
    async admit(handler: RequestHandler, refuse: () => void): Promise<Response> {
      while (heldBack !== undefined) await heldBack;
      refuse();
      const ends = new AbortController();
      if (endFault !== undefined) ends.abort(endFault);
      const { promise, resolve } = Promise.withResolvers<void>();
      const current = { ends, finished: promise };
      inside.add(current);
      try {
        return await handler(ends.signal);
      } finally {
        inside.delete(current);
        resolve();
      }
    },
    /** Tells all requests inside, and all that come later, to end with this fault, until it is called again. */
    setEndFault(fault: Fault | undefined): void {
      endFault = fault;
      if (fault !== undefined) for (const { ends } of inside) ends.abort(fault);
    },
    /** Meanwhile new requests go through: first those already inside are waited for, then the newer ones. */
    async runWhenEmpty(ms: number, work: () => Promise<void>): Promise<boolean> {
      const deadlineMs = clock.monotonic() + ms;
      for (;;) {
        const remainingMs = Math.max(0, deadlineMs - clock.monotonic());
        const areFinished = await isWithin(clock, remainingMs, waitForRequests([...inside]));
        if (areFinished && (await holdBackFor(work))) return true;
        if (clock.monotonic() >= deadlineMs) return false;
      }
    },
  };
};

const waitForRequests = (requests: readonly RunningRequest[]): Promise<unknown> =>
  Promise.all(requests.map(({ finished: left }) => left));

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
