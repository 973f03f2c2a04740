/** The moment of a sale as readers are told it. */
import { wallTimeAt } from '../src/base/wall-time.ts';

/** Tags 9A (YYMMDD) and 9F21 (HHMMSS) of an instant, as the shop's wall has it; the machine's where no zone is set. */
export const localDateTime = (ms: number, timeZone?: string): [date: string, time: string] => {
  const { year, month, day, hour, minute, second } = wallTimeAt(ms, timeZone);
  const two = (...values: number[]) => values.map((value) => String(value % 100).padStart(2, '0')).join('');
  return [two(year, month, day), two(hour, minute, second)];
};
