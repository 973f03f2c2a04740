/** What every simulated terminal has in common: what it is given, and who stands before it. */
import type { Clock } from '../../src/base/clock.ts';
import type { Random } from '../../src/base/ids.ts';
import type { TestCard } from '../../src/emv/test-cards.ts';
import type { Faults } from './faults.ts';
import type { KeySlots } from './key-slots.ts';
import type { TerminalConfig } from './terminal-config.ts';
import type { Wallet } from './wallet.ts';

/** What one customer does at one transaction. */
export type Presentation = {
  card: TestCard;
  by: 'chip' | 'tap' | 'swipe' | 'manual';
  /** What he types when asked for a PIN. Without it he types the card's own. */
  pin?: string | 'cancel';
  /** He pulls the chip while it is read, or before it hears the host's answer. */
  pullsCardAt?: 'read' | 'complete';
  /** He presses the cancel key instead of presenting a card. */
  cancels?: boolean;
  /** He does nothing at all. */
  never?: boolean;
  /** How long he takes to present the card. */
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
