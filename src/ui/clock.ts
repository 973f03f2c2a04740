/** The page's clock: the only place in the screens that uses the platform's time and timers. */

/** Wall time of this machine, ms since 1970 UTC; the till runs on the same machine. */
export const now = (): number => Date.now();

/** Calls back once after `ms`, unless the returned function is called first. */
export const after = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Calls back every `ms` until the returned function is called. */
export const every = (ms: number, callback: () => void): (() => void) => {
  const timer = setInterval(callback, ms);
  return () => clearInterval(timer);
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve));

const IDLE_MS = 3000;

/** Calls back once the page is idle; in WebKit, which has no idle callback, after a delay. */
export const whenIdle = (callback: () => void): void => {
  const { requestIdleCallback: request } = globalThis as {
    requestIdleCallback?: (callback: () => void, options: object) => unknown;
  };
  if (request === undefined) after(IDLE_MS, callback);
  else request(callback, { timeout: IDLE_MS });
};
