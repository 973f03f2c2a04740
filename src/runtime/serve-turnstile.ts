/** Lets requests through to the till; holds them back while it is opened anew, and lets no new work in at its end. */
import { Fault } from '../base/fault.ts';

export type Turnstile = {
  /** Waits while the till is opened anew. Throws `till.stopping` for what would begin something at its end. */
  pass(request: Request, go: () => Response | Promise<Response>): Promise<Response>;
  /** Does `work` when no request is under way, and holds new ones back meanwhile. One work after the other. */
  whenQuiet(work: () => Promise<void>): Promise<void>;
  /** From now on nothing is begun; what is under way may be looked at and cancelled. */
  shut(): void;
  /** Resolves when no request is under way. */
  left(): Promise<void>;
};

export const openTurnstile = (): Turnstile => {
  let inside = 0;
  let isShut = false;
  let turn: Promise<unknown> = Promise.resolve();
  let isHeld = false;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    inside -= 1;
    if (inside > 0) return;
    for (const go of [...waiting]) go();
    waiting.clear();
  };
  const left = (): Promise<void> => (inside === 0 ? Promise.resolve() : new Promise((go) => waiting.add(go)));

  return {
    async pass(request, go) {
      while (isHeld) await turn;
      if (isShut && begins(request)) throw new Fault('till.stopping');
      inside += 1;
      try {
        return await go();
      } finally {
        leave();
      }
    },
    whenQuiet(work) {
      const mine = turn.then(async () => {
        isHeld = true;
        try {
          await left();
          await work();
        } finally {
          isHeld = false;
        }
      });
      turn = mine.catch(() => {});
      return mine;
    },
    shut() {
      isShut = true;
    },
    left,
  };
};

const begins = ({ method, url }: Request): boolean =>
  !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method) && !/\/cancel$/.test(new URL(url).pathname);
