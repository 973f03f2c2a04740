/** What may be sold without the gateway, as a table for people. */

/** In English. `used` and `left` are left out where they differ from card to card. */
export type LimitRow = { of: string; limit: string; most: string; used?: string; left?: string };

/** The limits as a table for people, and whether a card would be taken without the gateway. */
export type LimitsReport = {
  /** Whether the gateway answered just now. */
  online: boolean;
  /** A card that fits would be taken now, and the limits fit cards that were read at this till. */
  ready: boolean;
  code?: string;
  why?: string;
  /** How many of the last weeks' cards would be taken, and what would change it. */
  cards?: {
    seen: number;
    taken: number;
    why?: { code: string; why: string };
    cure?: { key: string; value: string; taken: number };
  };
  rows: LimitRow[];
};
