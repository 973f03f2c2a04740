/** What the shell and the till's process say to one another. Nothing about payments goes this way. */

export type ToTill =
  /** First of all. `key`: hex, 32 bytes, under which the till's keys lie sealed; absent where no key store is there. */
  | { on: 'begin'; key?: string }
  | { on: 'ask'; question: 'quiet' }
  /** What the technician's page says of updates. */
  | { on: 'update'; available?: string; why?: string }
  | { on: 'stop' };

export type FromTill =
  | { on: 'listening' }
  /** Whether the till may be ended now: no sale under way, nothing of which nobody knows the end. */
  | { on: 'quiet'; answer: { quiet: boolean; why?: string } };
