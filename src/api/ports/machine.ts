/**
 * The till as an installation: where its data folder belongs, what the gateway knows beyond it, and the way from test
 * mode to live.
 */

import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { Checklist, LiveChannel, MachineState, TakenOver, TriedGateway } from '../contract/machine.ts';
import type { Actor } from './session.ts';

export interface MachinePort {
  state(): MachineState;
  /** Asks the gateway what it knows, unless it was asked since the last start. */
  compare(): Promise<MachineState>;
  /** Takes over what the gateway knows and the journal does not. Throws `machine.uncompared`. */
  takeOver(by: Actor): Promise<TakenOver>;
  /**
   * A manager allows payments over plain http to this address, or ends them. Holds at once. Throws `gateway.plain` and
   * `gateway.encrypted` for an address that nobody can allow, or nobody has to.
   */
  setPlainHttp(wish: { address: string; allowed: boolean }, by: Actor): MachineState;
  /** The folder was moved here. The till opens itself anew. Throws `machine.settled`, `terminal.busy`. */
  moved(by: Actor): void;
  /**
   * The folder is a copy: its terminals get these numbers, in the order of the counters. The till opens itself anew.
   * Throws `machine.settled`, `machine.terminals`, `terminal.busy`.
   */
  copied(terminalIds: readonly string[], by: Actor): void;
}

/** The checklist, and the one act of a manager that begins a live till beside the test till. */
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
