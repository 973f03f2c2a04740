/** Where a till's data folder belongs, what the gateway knows beyond it, and what a manager says of both. */
import type { Actor } from './session.ts';

/** `due`: the gateway was not asked since the last start, or did not answer, or (`refused`, its code) gave no list. */
export type GatewayComparison =
  | { state: 'compared' }
  | { state: 'due'; since: number; refused?: string }
  | { state: 'behind'; since: number; sales: number };

/** The way to a gateway that is plain http beyond this machine. */
export type PlainHttp = {
  /** The gateway's address. */
  address: string;
  /** Only within a private network can a manager allow it. */
  reach: 'privateNetwork' | 'elsewhere';
  /** `usedBefore`: sales were sent there before a manager was asked. `none`: nothing is sold, and nothing is sent. */
  permission: { state: 'none' } | { state: 'usedBefore' } | { state: 'allowed'; at: number; by?: string };
};

export type MachineState = {
  /** `unbound`: this machine cannot be told from others, so that a copy of the folder would not be noticed. */
  binding: 'here' | 'unbound' | 'elsewhere';
  /** Absent in training. */
  comparison?: GatewayComparison;
  /** Absent where the way to the gateway is encrypted, or does not leave this machine. */
  plainHttp?: PlainHttp;
  /** The terminals' numbers as they are: a copy needs another one for each. */
  terminals: { counter: string; terminalId: string }[];
};

export type TakenOver = {
  /** So many sales were taken over. */
  sales: number;
  /** So many are undecided at the gateway, or follow a payment that nobody here knows: they are taken over later. */
  left: number;
  /** So many waiting messages were set aside for a person: what they are about may have been voided since. */
  setAside: number;
};

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
