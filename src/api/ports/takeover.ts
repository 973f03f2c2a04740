/** What is kept of the journal beside it, and unsent sales that one till hands over to another. */
import type { SecondCopyState, TakenOverRow } from '../contract/takeover.ts';
import type { Actor } from './session.ts';

export interface TakeoverPort {
  /** Brings the copy up to date first. Empty where the configuration names no place for one. */
  secondCopy(): Promise<{ secondCopy?: SecondCopyState }>;
  /** Seals all there is now: how many entries were not sealed before. */
  seal(): { entries: number };
  takenOver(): TakenOverRow[];
  sendTakenOver(): Promise<{ done: number; later: number; parked: number }>;
  /** Sends from here after all what was handed over, of one export or of all: how many messages. */
  takeBack(by: Actor, exportId?: string): { takenBack: number };
}

export type { SecondCopyState, TakenOverRow } from '../contract/takeover.ts';
