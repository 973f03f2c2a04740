/** Waiting in a browser: the only place in the widget that uses the platform's timers. */

/** Calls back once after `ms`, unless the returned function is called first. */
export const startTimer = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void startTimer(ms, resolve));

/** Today in the shopper's own calendar. */
export const today = (): { year: number; month: number } => {
  const now = new Date();
  return { year: now.getFullYear(), month: now.getMonth() + 1 };
};

/** Minutes behind UTC, as 3-D Secure requires. */
export const utcOffsetMinutes = (): number => new Date().getTimezoneOffset();
