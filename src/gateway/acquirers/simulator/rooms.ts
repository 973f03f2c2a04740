/** What the acquirer's operations work with. */
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/ids.ts';
import type { Found, Rules } from './accounts.ts';
import type { Hsm } from './hsm.ts';
import type { Ledger } from './ledger.ts';

export type Rooms = {
  readonly hsm: Hsm;
  readonly ledger: Ledger;
  readonly find: (pan: string) => Found;
  /** What holds for the account of this key when its card is not there: `Hsm.accountKey`. */
  readonly rulesOf: (accountKey: string | undefined) => Rules;
  readonly clock: Clock;
  readonly random: Random;
};
