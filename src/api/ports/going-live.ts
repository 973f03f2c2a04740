/** From test mode to live: the checklist, and the one act of a manager that begins a live till beside the test till. */
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { Checklist, LiveChannel, TriedGateway } from '../contract/going-live.ts';
import type { Actor } from './session.ts';

export interface GoingLivePort {
  /** Reads what stands; asks the gateway. Throws `live.already` at a live till, `training.notHere` in training. */
  checklist(): Promise<Checklist>;
  /**
   * Asks a gateway about a sale that nobody made: whether it lets this channel in. One that does is kept until the till
   * is closed: the checklist shows it, and going live uses it. Throws as `checklist` does.
   */
  tryGateway(channel: LiveChannel): Promise<TriedGateway>;
  /**
   * Makes the live till beside the test till and opens it: the answer comes from the test till, and every session ends.
   * Without `channel` the one that was tried is used; the terminals may need none. The channel is asked once more.
   * Throws `live.notReady` with the open rows, `terminal.busy` during a sale, and as `checklist` does; nothing is made
   * then.
   */
  goLive(channel: LiveChannel | undefined, by: Actor): Promise<void>;
  /** A till from before tills knew their mode was found to be live: no manager has read it yet. */
  found(): LocalizedMessage | undefined;
  /** A manager has read it. */
  read(by: Actor): void;
}
