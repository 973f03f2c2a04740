/** The page's clock: the only place in the screens that uses the platform's time and timers. */

/** Wall time of this machine, ms since 1970 UTC; the till runs on the same machine. */
export const now = (): number => Date.now();

/** Calls back once after `ms`, unless the returned function is called first. */
export const after = (ms: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

/** Calls back every `ms` until the returned function is called. */
export const every = (ms: number, then: () => void): (() => void) => {
  const timer = setInterval(then, ms);
  return () => clearInterval(timer);
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve));

const IDLE_MS = 3000;

/** Calls back once the page is idle; in WebKit, which has no idle callback, after a delay. */
export const whenIdle = (then: () => void): void => {
  const { requestIdleCallback: ask } = globalThis as { requestIdleCallback?: (then: () => void, o: object) => unknown };
  if (ask === undefined) after(IDLE_MS, then);
  else ask(then, { timeout: IDLE_MS });
};
