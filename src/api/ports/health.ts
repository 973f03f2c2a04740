/** What a till tells its operator's machines without a session: counts and states, never an amount or a name. */
import type { DisplayMode } from '../../base/mode.ts';

export type HealthFacts = {
  mode: DisplayMode;
  /** `since`: wall time, ms. */
  gateway: { online: boolean; since: number };
  /** Terminals by what their last opening told. */
  terminals: { ready: number; away: number; unpaired: number };
  /** Messages that are to be sent. */
  queue: { waiting: number; parked: number };
  /** Sales of which the end is not known, and items for a person. */
  openItems: number;
};

/** A number for monitoring; each label has few values. */
export type Figure = {
  name: string;
  help: string;
  values: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
};

export interface Health {
  version: string;
  /** Why it can take no sale now; undefined when it can. */
  unready(): string | undefined;
  /** Undefined while no till is open. */
  facts(): HealthFacts | undefined;
  figures(): readonly Figure[];
}
