/**
 * The till as an installation: where its data folder belongs, which sales only the gateway has, and going from test
 * mode to live.
 */

import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { Checklist, LiveChannel, MachineState, TakenOver, TriedGateway } from '../contract/machine.ts';
import type { Actor } from './session.ts';

export interface MachinePort {
  state(): MachineState;
  /** Asks the gateway for this till's sales, unless it was asked since the last start. */
  compare(): Promise<MachineState>;
  /** Imports the sales that the gateway has and the journal does not. Throws `machine.uncompared`. */
  takeOver(actor: Actor): Promise<TakenOver>;
  /**
   * Allows payments over plain http to this address, or ends that, with immediate effect. Throws `gateway.plain` for an
   * address that cannot be allowed, and `gateway.encrypted` for one that needs no permission.
   */
  setPlainHttp(request: { address: string; allowed: boolean }, actor: Actor): MachineState;
  /** The folder was moved here. The till restarts. Throws `machine.settled`, `terminal.busy`. */
  moved(actor: Actor): void;
  /**
   * The folder is a copy: its terminals get these numbers, in the order of the counters. The till restarts.
   * Throws `machine.settled`, `machine.terminals`, `terminal.busy`.
   */
  declareCopy(terminalIds: readonly string[], actor: Actor): void;
}

/** The checklist for going live, and the creation of the live till beside the test till. */
export interface GoingLivePort {
  /**
   * Checks the current state and asks the gateway. Throws `live.already` at a live till, `training.notHere` in
   * training.
   */
  checklist(): Promise<Checklist>;
  /**
   * Tests whether a gateway accepts this channel, by asking about a sale that does not exist. An accepted channel is
   * kept until the till closes: the checklist shows it, and going live uses it. Throws as `checklist`.
   */
  tryGateway(channel: LiveChannel): Promise<TriedGateway>;
  /**
   * Creates the live till beside the test till and opens it: the answer comes from the test till, and all sessions end.
   * Without `channel`, the tested one is used, if the terminals need one. The channel is tested again.
   * Throws `live.notReady` with the open rows, `terminal.busy` during a sale, and as `checklist`; nothing is created
   * then.
   */
  goLive(channel: LiveChannel | undefined, actor: Actor): Promise<void>;
  /** Why an older till, from before there were modes, was found to be live; undefined once a manager has read it. */
  found(): LocalizedMessage | undefined;
  /** Records that a manager has read it. */
  read(actor: Actor): void;
}
