/** How the till is connected to its gateway, as screens and programs are told. */
import type { Amount, Said } from './wire.ts';

/** The line to the gateway, and what may be sold without it. */
export type LineState = {
  online: boolean;
  since: number;
  waiting: { count: number; total: Amount };
  /** Sales, and reversals, that nobody knows the end of. */
  unknown: number;
  /** What needs a person. */
  forPerson: number;
  offline: {
    /** A card that fits would be taken. */
    ready: boolean;
    /** Why not. */
    why?: Said;
    /** Of all that may wait at the store's risk. */
    used?: Amount;
    most?: Amount;
    left?: Amount;
    count?: number;
  };
};
