/** Figures for monitoring without a session: counts and states, never amounts or names. */
import type { DisplayMode } from '../../base/mode.ts';

export type HealthFacts = {
  mode: DisplayMode;
  /** `since`: wall time, ms. */
  gateway: { online: boolean; since: number };
  /** Terminals by the result of their last opening. */
  terminals: { ready: number; away: number; unpaired: number };
  /** Messages that are to be sent. */
  queue: { waiting: number; parked: number };
  /** The number of sales with an unknown result, and of items for a person. */
  openItems: number;
};

/** A number for monitoring; each label has only a few values. */
export type Figure = {
  name: string;
  help: string;
  values: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
};

export interface Health {
  version: string;
  /** Why the till cannot take a sale now; undefined if it can. */
  unready(): string | undefined;
  /** Undefined while no till is open. */
  facts(): HealthFacts | undefined;
  figures(): readonly Figure[];
}
