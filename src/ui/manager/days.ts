/** The store's days: when they begin and end on its clock, including daylight saving. */

const wallOf = (at: number, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`;
};

const offsetMs = (at: number, timeZone: string): number =>
  Date.parse(wallOf(at, timeZone)) - Math.floor(at / 1e3) * 1e3;

/** `YYYY-MM-DD` on the store's clock. */
export const dayOf = (at: number, timeZone: string): string => wallOf(at, timeZone).slice(0, 10);

/** When the day begins, ms. Undefined for an invalid day. */
export const startOf = (day: string, timeZone: string): number | undefined => {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(midnight)) return undefined;
  // The offset at that moment can differ from the one at the same time in UTC.
  const near = midnight - offsetMs(midnight, timeZone);
  return midnight - offsetMs(near, timeZone);
};

/** When the next day begins, ms. */
export const endOf = (day: string, timeZone: string): number | undefined => {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return Number.isNaN(noon) ? undefined : startOf(new Date(noon + 86_400_000).toISOString().slice(0, 10), timeZone);
};

/** The first day of this day's month. */
export const monthOf = (day: string): string => `${day.slice(0, 8)}01`;
