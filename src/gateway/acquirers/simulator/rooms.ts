/** What the acquirer's operations work with. */
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/ids.ts';
import type { Found } from './accounts.ts';
import type { Exclusive } from './exclusive.ts';
import type { Hsm } from './hsm.ts';
import type { Ledger } from './ledger.ts';

export type Rooms = {
  readonly hsm: Hsm;
  readonly ledger: Ledger;
  readonly inTurn: Exclusive;
  readonly find: (pan: string) => Found;
  readonly clock: Clock;
  readonly random: Random;
};
