/** What the acquirer's operations work with. */
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/ids.ts';
import type { AccountLookup, AccountRules } from './accounts.ts';
import type { Hsm } from './hsm.ts';
import type { AcquirerLedger } from './ledger.ts';

export type SimulatorContext = {
  readonly hsm: Hsm;
  readonly ledger: AcquirerLedger;
  readonly find: (pan: string) => AccountLookup;
  /** What holds for the account of this key when its card is not there: `Hsm.accountKey`. */
  readonly rulesOf: (accountKey: string | undefined) => AccountRules;
  readonly clock: Clock;
  readonly random: Random;
};
