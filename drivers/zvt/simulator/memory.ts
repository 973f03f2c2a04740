/** What the simulated ZVT terminal remembers between connections: its numbers, its business day, its last payment. */

import type { Clock } from '../../../src/base/clock.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import type { Wallet } from '../../simulation/card.ts';
import type { ZvtDialectPredicate } from '../protocol/dialects.ts';
import type { Register } from './register.ts';

export type StoredTransaction = {
  kind: 'payment' | 'refund' | 'reversal';
  /** Two hex digits; 00 is approved. */
  code: string;
  amountMinor: bigint;
  currency: string;
  /** The register named the currency, and each result repeats it. */
  namesCurrency: boolean;
  receipt: string;
  trace: string;
  /** In a reversal: the trace number of the reversed payment. */
  original?: string;
  card: TestCard;
  entryMode: EntryMode;
  /** Tag 1F10. */
  verification: string;
  authorisation: string;
  at: number;
  reversed: boolean;
};

export type Memory = {
  numbers: { receipt: number; trace: number };
  /** Since the last end of day. */
  day: StoredTransaction[];
  last: StoredTransaction | undefined;
  /** The transaction before the last one, and the last approved one. */
  previous: StoredTransaction | undefined;
  approved: StoredTransaction | undefined;
  /** The last one whose end a register has acknowledged. */
  acknowledged: StoredTransaction | undefined;
  /** Monotonic ms: until then it shows the outcome of its last transaction. */
  shownUntil: number;
  /** The closing receipt and its result, until the next sale. */
  closing: { result: ZvtApdu; lines: readonly string[] } | undefined;
  /** The total spent per card account in minor units, by card number. */
  spent: Map<string, bigint>;
  /** The state in which it started was ended by its command. */
  isUnlocked: boolean;
  /** Registers that are connected. */
  sockets: Set<{ hangUp(reason: string): void }>;
  /** The last register's configuration, if it is remembered. */
  register: Register | undefined;
  /** The running command of any register: all others wait. */
  served: object | undefined;
};

/** If nobody closes the day, the oldest payments are forgotten. */
const dayMax = 2_000;

const memories = new WeakMap<Wallet, Map<string, Memory>>();

const freshMemory = (): Memory => ({
  numbers: { receipt: 0, trace: 0 },
  day: [],
  last: undefined,
  previous: undefined,
  approved: undefined,
  acknowledged: undefined,
  shownUntil: 0,
  closing: undefined,
  spent: new Map(),
  isUnlocked: false,
  sockets: new Set(),
  register: undefined,
  served: undefined,
});

/**
 * The memory of the device with this serial number and these cards, shared by all its connections; without a number the
 * first device's, even if it does not exist yet.
 */
export const memoryOf = (wallet: Wallet | undefined, serial?: string): Memory => {
  if (wallet === undefined) return freshMemory();
  const devices = memories.get(wallet) ?? new Map<string, Memory>();
  memories.set(wallet, devices);
  const [first = TO_COME] = devices.keys();
  const name = serial ?? first;
  const known = devices.get(name) ?? devices.get(TO_COME) ?? freshMemory();
  devices.delete(TO_COME);
  devices.set(name, known);
  return known;
};

/** Replaces the serial number of a device that nobody has connected to yet. */
const TO_COME = '';

/** The next receipt and trace numbers; both start again after their maximum. */
export const nextNumbers = ({ numbers }: Memory): { receipt: string; trace: string } => {
  numbers.receipt = (numbers.receipt % 9_999) + 1;
  numbers.trace = (numbers.trace % 999_999) + 1;
  return { receipt: numbers.receipt.toString().padStart(4, '0'), trace: numbers.trace.toString().padStart(6, '0') };
};

/** Stores a finished transaction. Only an approved transaction moves money. */
export const keep = (memory: Memory, transaction: StoredTransaction): void => {
  memory.previous = memory.last;
  memory.last = transaction;
  memory.closing = undefined;
  if (transaction.code !== '00') return;
  memory.approved = transaction;
  memory.day.push(transaction);
  if (memory.day.length > dayMax) memory.day.shift();
  const { pan } = transaction.card;
  const sign = transaction.kind === 'payment' ? 1n : -1n;
  memory.spent.set(pan, (memory.spent.get(pan) ?? 0n) + sign * transaction.amountMinor);
};

/** An approved payment that its host reversed at once: it counts as aborted, and its money as never spent. */
export const markAborted = (memory: Memory, transaction: StoredTransaction): void => {
  const { pan } = transaction.card;
  memory.spent.set(
    pan,
    (memory.spent.get(pan) ?? 0n) -
      (transaction.kind === 'payment' ? transaction.amountMinor : -transaction.amountMinor),
  );
  memory.day.splice(memory.day.indexOf(transaction), 1);
  transaction.code = '6C';
};

const IDLE_MS = 60_000;
const ENDING_MS = 20;

type Parts = {
  clock: Clock;
  memory: Memory;
  isDialect: ZvtDialectPredicate;
  /** Ends this connection. */
  hangUp(reason: string): void;
};

/** Limits how many registers can be connected to the simulated ZVT terminal, and closes idle connections. */
export class Socket {
  readonly #parts: Parts;
  #stopIdle = (): void => {};
  isEnding = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A register has connected. */
  onOpened(): void {
    const { memory, isDialect } = this.#parts;
    if (isDialect('second-refused') && memory.sockets.size > 0) {
      this.hangUp('another register is connected');
      return;
    }
    if (isDialect('first-dropped'))
      for (const otherSocket of memory.sockets) otherSocket.hangUp('another register has connected');
    memory.sockets.add(this);
    this.onIdle();
  }

  hangUp(reason: string): void {
    this.#parts.hangUp(reason);
  }

  /** A message was sent or a command began: nothing is closed meanwhile. */
  onBusy(): void {
    this.#stopIdle();
  }

  /** Nothing is running on it now. */
  onIdle(): void {
    const { clock, isDialect } = this.#parts;
    this.#stopIdle();
    if (isDialect('socket-idle')) this.#stopIdle = clock.after(IDLE_MS, () => this.hangUp('nobody said anything'));
  }

  /** A command has ended. Nothing sent before the line is closed is read. */
  onCommandEnd(): void {
    const { clock, isDialect } = this.#parts;
    if (!isDialect('socket-each')) {
      this.onIdle();
      return;
    }
    this.isEnding = true;
    this.#stopIdle();
    this.#stopIdle = clock.after(ENDING_MS, () => this.hangUp('a command has ended'));
  }

  onClosed(): void {
    this.#stopIdle();
    this.#parts.memory.sockets.delete(this);
  }
}
