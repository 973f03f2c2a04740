/** What an MMS device says unasked, in order, and what is done with each thing that it says. */
import type { MmsBlock } from '../protocol/blocks.ts';
import type { EndName, Technology } from '../protocol/notices.ts';

export type TransactionEvent =
  | { kind: 'presented' | 'inserted' | 'removed' | 'tapped' | 'collision'; technology: Technology }
  | { kind: 'pinPadFailed' | 'pinNotEncrypted'; technology: Technology }
  | { kind: 'arqc' | 'batch'; technology: Technology; block: MmsBlock }
  /** A unit without a display asks the host to show this. */
  | { kind: 'text'; lines: readonly string[] }
  | { kind: 'ended'; technology: Technology; how: EndName };

/** A transaction says a handful of things; more than that is a device gone mad, and the oldest are let go. */
const waitingMax = 64;

export class MmsEvents {
  #waiting: TransactionEvent[] = [];
  #running = false;
  #present = false;
  #wake: (() => void)[] = [];

  /** The device has said that a new transaction runs: what came before belongs to another. */
  begin(): void {
    this.#waiting = [];
    this.#running = true;
  }

  /** The device has no transaction any more, or nobody waits for it. */
  end(): void {
    this.#waiting = [];
    this.#running = false;
  }

  running(): boolean {
    return this.#running;
  }

  hear(event: TransactionEvent): void {
    if (event.kind === 'inserted') this.#present = true;
    if (event.kind === 'removed') this.#present = false;
    if (this.#running) this.#waiting.push(event);
    if (this.#waiting.length > waitingMax) this.#waiting.shift();
    this.poke();
  }

  /** Whether a chip is in the slot, as far as the device has told. */
  present(): boolean {
    return this.#present;
  }

  /** The next event, once. */
  take(): TransactionEvent | undefined {
    return this.#waiting.shift();
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  /** Wakes whoever waits, to look again. */
  poke(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
