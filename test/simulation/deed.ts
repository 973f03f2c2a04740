/** What a row of a day can be. */

import type { Station } from './station.ts';
import type { Row } from './story.ts';

export type Deed = {
  /** How often it comes, against the others of its table. */
  readonly share: number;
  /** In a person's words. */
  tell(row: Row): string;
  /** Ends, where it is a promise, when the cashier can go on. */
  play(station: Station, row: Row): unknown;
};

export const euros = (minor: number): string => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
