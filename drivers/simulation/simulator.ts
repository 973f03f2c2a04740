/**
 * What every simulated terminal has in common: what it is given and made of, who stands before it, what things take.
 */
import type { Clock } from '../../src/base/clock.ts';
import type { Random } from '../../src/base/ids.ts';
import type { TestCard } from '../../src/emv/test-cards.ts';
import { type Wallet, wallet } from './card.ts';
import { chosenDialects, type Dialects } from './dialect.ts';
import type { Faults, Outlet } from './faults.ts';
import { type KeySlots, keySlots } from './key-slots.ts';
import { simulatedConfig, type TerminalConfig } from './terminal-config.ts';

/** What one customer does at one transaction. */
export type Presentation = {
  card: TestCard;
  by: 'chip' | 'tap' | 'swipe' | 'manual';
  /** What the customer types when asked for a PIN. Without it, the card's own. */
  pin?: string | 'cancel';
  /** He pulls the chip while it is read, or before it hears the host's answer. */
  pullsCardAt?: 'read' | 'complete';
  /** He presses the cancel key instead of presenting a card. */
  cancels?: boolean;
  /** He does nothing at all. */
  never?: boolean;
  /** How long the customer takes to present the card. */
  afterMs?: number;
};

/** Asked once at each transaction. */
export type Cardholder = () => Presentation;

export type SimulatorOptions = {
  clock: Clock;
  random: Random;
  cardholder: Cardholder;
  faults?: Faults;
  /** The device's keys. Shared between connections when given, so that the counters go on. */
  keys?: KeySlots;
  /** The cards. Shared between devices when given, so that their transaction counters go on. */
  wallet?: Wallet;
  config?: Partial<TerminalConfig>;
  /** Names of the protocol's table of dialects; the strictest one if left out. */
  dialects?: readonly string[];
  /** Hears in words what happens at the device: for the person who watches. Never card data. */
  report?: (line: string) => void;
};

export interface Simulator {
  /** Ends it: no timer stays, the link is closed. */
  close(): Promise<void>;
}

// What things take at a simulated terminal: about what they take at a real one.

export const pace = {
  /** The customer, where the presentation does not say: from the invitation to the card at the reader. */
  comesAfterMs: 500,
  /** One movement of the customer's hand: out of the slot, over to the stripe. */
  handMs: 300,
  /** From the end of the sale to the card out of the slot. */
  leavesAfterMs: 1_500,
  /** When the customer pulls the card in the middle. */
  pullMs: 200,
  /** A PIN, and a card number. */
  pinMs: 2_000,
  typeMs: 3_000,
  /** The device: a chip up to its first cryptogram, a tap, a further cryptogram. */
  readMs: 800,
  tapMs: 300,
  generateMs: 400,
  /** Breaking off what runs. */
  stopMs: 20,
} as const;

// What is still going to happen at a simulated device: callbacks that can all be taken back at once.

export class Timers {
  readonly #clock: Clock;
  readonly #stops = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back after `ms`, unless stopped before. */
  after(ms: number, then: () => void): void {
    const stop = this.#clock.after(ms, () => {
      this.#stops.delete(stop);
      then();
    });
    this.#stops.add(stop);
  }

  /** Nothing of it happens any more. */
  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }
}

// What every simulated device is made of, from the options that it is given.

export type UnitParts = {
  clock: Clock;
  random: Random;
  config: TerminalConfig;
  keys: KeySlots;
  wallet: Wallet;
  report(line: string): void;
  /** What it does otherwise than the strictest one, of its protocol's table. */
  dialects: ReadonlySet<string>;
};

/** The parts of a device, and where its bytes go out. */
export type WiredParts = UnitParts & { outlet: Outlet };

/**
 * Keys and cards of its own where the options give none. `own` is what this model is, but for the options; `table` what
 * it can play. Throws `command.malformed` for a dialect that it cannot.
 */
export const unitParts = (
  options: SimulatorOptions,
  own: Partial<TerminalConfig> = {},
  table: Dialects = {},
): UnitParts => {
  const { clock, random, report = () => {}, dialects = [] } = options;
  return {
    clock,
    random,
    config: simulatedConfig(own, options.config),
    keys: options.keys ?? keySlots({ random }),
    wallet: options.wallet ?? wallet(),
    report,
    dialects: chosenDialects(table, dialects),
  };
};
