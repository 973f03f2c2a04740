/** When an event that was not taken is tried again: soon, then ever later, then once a day for thirty days. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const WAITS_MS = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);

/** From an event's first moment until nobody tries any more. */
export const GIVES_UP_AFTER_MS = 30 * DAY_MS;

/** An event that nobody has tried yet waits no longer than this for a receiver that was silent. */
export const FRESH_WAIT_MS = HOUR_MS;

/** From the end of the attempt with this number (1, 2, …) to the next, ms. */
export const waitAfter = (attempt: number): number => WAITS_MS[attempt - 1] ?? DAY_MS;
