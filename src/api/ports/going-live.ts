/** From test mode to live: the checklist, and the one act of a manager that begins a live till beside the test till. */
import type { Told } from '../../base/told.ts';
import type { Actor } from './session.ts';

export type GoingLiveItem = 'terminal' | 'gateway' | 'people' | 'shop';

export type GoingLiveRow = {
  item: GoingLiveItem;
  done: boolean;
  /** What stands there now, or what is missing. */
  says: Told;
  /** What to do about it, where it is not done. */
  cure?: Told;
};

export type Checklist = {
  rows: GoingLiveRow[];
  /** All rows are done. */
  ready: boolean;
  /** Where the gateway is, without its token; absent where the terminals need none. */
  gateway?: { baseUrl: string; entityId: string };
};

/** A live channel at a gateway. */
export type LiveChannel = {
  /** Ends in a slash. */
  baseUrl: string;
  /** 32 lower-case hex digits. */
  entityId: string;
  token: string;
};

export interface GoingLiveDesk {
  /** Reads what stands; asks the gateway. Throws `live.already` at a live till, `training.notHere` in training. */
  checklist(): Promise<Checklist>;
  /** Asks a gateway about a sale that nobody made: whether it lets this channel in. Throws as `checklist` does. */
  tryGateway(channel: LiveChannel): Promise<{ answered: boolean; says: Told }>;
  /**
   * Makes the live till beside the test till and opens it: the answer comes from the test till, and every session ends.
   * `channel` is left out where the terminals need no gateway. Throws `live.notReady` with the open rows, and as
   * `checklist` does; nothing is made then.
   */
  goLive(channel: LiveChannel | undefined, by: Actor): Promise<void>;
  /** A till from before tills knew their mode was found to be live: no manager has read it yet. */
  found(): Told | undefined;
  /** A manager has read it. */
  read(by: Actor): void;
}
