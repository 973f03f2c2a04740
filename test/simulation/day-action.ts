/** The things that a row of a day can do. */

import type { Row } from './day-rows.ts';
import type { Station } from './station.ts';

export type DayAction = {
  /** Its frequency, relative to the others of its table. */
  readonly share: number;
  /** Describes the row for a person. */
  describe(row: Row): string;
  /** If it returns a promise, the cashier continues when that resolves. */
  play(station: Station, row: Row): unknown;
};

export const euros = (minor: number): string => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
