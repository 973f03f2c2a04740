/** Where a till's data folder belongs, what the gateway knows beyond it, and what a manager says of both. */
import type { MachineState, TakenOver } from '../contract/machine.ts';
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
