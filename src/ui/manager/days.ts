/** The store's days: when they begin and end on its clock, including daylight saving. */
import { dateIn, momentAt, wallTimeAt } from '../../base/wall-time.ts';

/** `YYYY-MM-DD` on the store's clock. */
export const dayOf = (at: number, timeZone: string): string => dateIn(wallTimeAt(at, timeZone));

/** When the day begins, ms. Undefined for an invalid day. */
export const startOf = (day: string, timeZone: string): number | undefined => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) return undefined;
  return momentAt({ ...{ year, month, day: date }, ...{ hour: 0, minute: 0, second: 0 } }, timeZone);
};

/** When the next day begins, ms. */
export const endOf = (day: string, timeZone: string): number | undefined => {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return Number.isNaN(noon) ? undefined : startOf(new Date(noon + 86_400_000).toISOString().slice(0, 10), timeZone);
};

export const monthOf = (day: string): string => `${day.slice(0, 8)}01`;
