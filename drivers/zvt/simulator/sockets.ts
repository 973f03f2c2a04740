/** How many registers may be connected to the simulated ZVT terminal, and when it closes a connection by itself. */
import type { Clock } from '../../../src/base/clock.ts';
import type { ZvtDialectPredicate } from '../protocol/dialects.ts';
import type { Memory } from './memory.ts';

const IDLE_MS = 60_000;
const ENDING_MS = 20;

type Parts = {
  clock: Clock;
  memory: Memory;
  speaks: ZvtDialectPredicate;
  /** Ends this connection. */
  hangUp(why: string): void;
};

export class Socket {
  readonly #parts: Parts;
  #stopIdle = (): void => {};
  isEnding = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A register has connected. */
  opened(): void {
    const { memory, speaks } = this.#parts;
    if (speaks('second-refused') && memory.sockets.size > 0) {
      this.hangUp('another register is connected');
      return;
    }
    if (speaks('first-dropped')) for (const other of memory.sockets) other.hangUp('another register has connected');
    memory.sockets.add(this);
    this.quiet();
  }

  hangUp(why: string): void {
    this.#parts.hangUp(why);
  }

  /** Something was said, or a command begun: nothing is closed meanwhile. */
  busy(): void {
    this.#stopIdle();
  }

  /** Nothing runs on it now. */
  quiet(): void {
    const { clock, speaks } = this.#parts;
    this.#stopIdle();
    if (speaks('socket-idle')) this.#stopIdle = clock.after(IDLE_MS, () => this.hangUp('nobody said anything'));
  }

  /** A command has come to its end. What is said before the line is closed nobody reads. */
  commandEnded(): void {
    const { clock, speaks } = this.#parts;
    if (!speaks('socket-each')) {
      this.quiet();
      return;
    }
    this.isEnding = true;
    this.#stopIdle();
    this.#stopIdle = clock.after(ENDING_MS, () => this.hangUp('a command has ended'));
  }

  closed(): void {
    this.#stopIdle();
    this.#parts.memory.sockets.delete(this);
  }
}
