/** What the shell and the till's process say to one another. Nothing about payments goes this way. */
import type { FolderHolder } from '../src/folder/rights/folder-holder.ts';
import type { UpdateReason } from '../src/terminals/support/updates.ts';

export type QuietAnswer = { quiet: boolean; why?: string };

export type ToTill =
  /**
   * First of all. `key`: hex, 32 bytes, under which the till's keys lie sealed; absent where no key store is there.
   * `code`: opens the screens while nobody is known.
   */
  | { on: 'begin'; key?: string; code: string }
  /** The answer brings the same number. */
  | { on: 'ask'; question: 'quiet'; number: number }
  /** The heartbeat: answered by whatever turns the till's event loop. */
  | { on: 'ping' }
  /** What the technician's page says of updates. */
  | { on: 'update'; available?: string; why?: UpdateReason }
  | { on: 'stop' };

export type FromTill =
  | { on: 'listening' }
  /** By a command of the till's owner: the app ends, and does not start it again. */
  | { on: 'stopAsked' }
  | { on: 'pong' }
  /** Another program works on the till's folder: this process waits to be told to end. */
  | { on: 'held'; by: FolderHolder }
  /** Whether the till may be ended now: no sale under way, nothing of which nobody knows the end. */
  | { on: 'quiet'; number: number; answer: QuietAnswer };
