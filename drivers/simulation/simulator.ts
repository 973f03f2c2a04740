/**
 * What every simulated terminal has in common: its options and parts, its customer, its timing, and the TCP port or
 * pseudo terminal where a till finds it.
 */

import { createHash } from 'node:crypto';
import type { Clock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import type { Random } from '../../src/base/ids.ts';
import type { TestCard } from '../../src/emv/test-cards.ts';
import type { Link } from '../links/link.ts';
import { listenTcp } from '../links/tcp.ts';
import { createWallet, type Wallet } from './card.ts';
import type { Faults, Outlet } from './faults.ts';
import { createKeySlots, type KeySlots } from './key-slots.ts';
import { simulatedConfig, type TerminalConfig } from './terminal-config.ts';

/**
 * A freedom that a maker's document leaves, or a deviation of real devices from it, which a simulated terminal can
 * play. Without one it is as strict as the document allows.
 */
export type Dialect = {
  /** What such a terminal does. */
  says: string;
  /** Document and chapter, a capture, or a public program that handles it. */
  source: string;
  /** Devices known to do it. */
  models?: string;
  /** What a technician or a cashier notices; left out where there is nothing to notice. */
  shows?: string;
  /** The topic, where only one row of several can be chosen. */
  about?: string;
  /** No sale is possible; every one is refused, with a reason, before a card is charged. */
  isRefused?: true;
};

/** Dialects by the name that a person types. */
export type Dialects = Readonly<Record<string, Dialect>>;

/** Throws `command.malformed` for a name that is not in the table, and for two rows of the same topic. */
export const chosenDialects = (table: Dialects, names: readonly string[]): ReadonlySet<string> => {
  const chosen = new Set<string>();
  for (const name of names) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (row === undefined) throw malformed(`there is no dialect "${name}": try --dialect list`);
    const other = [...chosen].find((one) => isOfSameTopic(table[one], row));
    if (other !== undefined && other !== name) throw malformed(`${other} and ${name} exclude each other`);
    chosen.add(name);
  }
  return chosen;
};

const isOfSameTopic = (one: Dialect | undefined, other: Dialect): boolean =>
  other.about !== undefined && one?.about === other.about;

const malformed = (reason: string): Fault => new Fault('command.malformed', { why: reason });

/** Sets of one row each, and all pairs that do not exclude each other. */
export const dialectPairs = (table: Dialects): string[][] => {
  const rows = Object.entries(table);
  return rows.flatMap(([name, row], index) => [
    [name],
    ...rows.slice(index + 1).flatMap(([other, its]) => (isOfSameTopic(row, its) ? [] : [[name, other]])),
  ]);
};

/** What one customer does at one transaction. */
export type Presentation = {
  card: TestCard;
  by: 'chip' | 'tap' | 'swipe' | 'manual';
  /** What the customer types when asked for a PIN. Without it, the card's own PIN. */
  pin?: string | 'cancel';
  /** The customer pulls the chip while it is read, or before it receives the host's answer. */
  pullsCardAt?: 'read' | 'complete';
  /** The customer presses the cancel key instead of presenting a card. */
  cancels?: boolean;
  /** The customer does nothing at all. */
  never?: boolean;
  /** How long the customer takes to present the card. */
  afterMs?: number;
};

/** Called once for each transaction. */
export type Cardholder = () => Presentation;

export type SimulatorOptions = {
  clock: Clock;
  random: Random;
  cardholder: Cardholder;
  faults?: Faults;
  /** The device's keys. Shared between connections when given, so that the counters continue. */
  keys?: KeySlots;
  /** The cards. Shared between devices when given, so that their transaction counters continue. */
  wallet?: Wallet;
  config?: Partial<TerminalConfig>;
  /** Names of the protocol's table of dialects; the strictest one if left out. */
  dialects?: readonly string[];
  /** Receives descriptions of what happens at the device, for a person watching. Never card data. */
  report?: (line: string) => void;
};

export interface Simulator {
  /** Ends it: no timer stays, the link is closed. */
  close(): Promise<void>;
}

/** How long things take at a simulated terminal: about as long as at a real one. */
export const pace = {
  /** The default time from the invitation until the customer's card is at the reader. */
  comesAfterMs: 500,
  /** One movement of the customer's hand: out of the slot, over to the stripe. */
  handMs: 300,
  /** The time from the end of the sale until the card is out of the slot. */
  leavesAfterMs: 1_500,
  /** The time until the customer pulls the card midway. */
  pullMs: 200,
  /** A PIN, and a card number. */
  pinMs: 2_000,
  typeMs: 3_000,
  /** The device: a chip up to its first cryptogram, a tap, a further cryptogram. */
  readMs: 800,
  tapMs: 300,
  generateMs: 400,
  /** The time to stop the running command. */
  stopMs: 20,
} as const;

/** The pending callbacks of a simulated device, which can all be cancelled at once. */
export class Timers {
  readonly #clock: Clock;
  readonly #stops = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back after `ms`, unless stopped before. */
  after(ms: number, action: () => void): void {
    const stop = this.#clock.after(ms, () => {
      this.#stops.delete(stop);
      action();
    });
    this.#stops.add(stop);
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }
}

/** The parts of every simulated device, made from its options. */
export type UnitParts = {
  clock: Clock;
  random: Random;
  config: TerminalConfig;
  keys: KeySlots;
  wallet: Wallet;
  report(line: string): void;
  /** Its dialects, from its protocol's table; none for the strictest device. */
  dialects: ReadonlySet<string>;
};

export type WiredParts = UnitParts & { outlet: Outlet };

/**
 * Creates keys and cards where the options give none. `own` is the model's default configuration; `table` lists the
 * dialects it can play. Throws `command.malformed` for one that it cannot.
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
    keys: options.keys ?? createKeySlots({ random }),
    wallet: options.wallet ?? createWallet(),
    report,
    dialects: chosenDialects(table, dialects),
  };
};

/** A protocol's simulator: `mpiSimulator`. */
export type Model = ((link: Link, options: SimulatorOptions) => Simulator) & {
  /** Several registers can be connected at a time; otherwise a new connection ends the previous one. */
  readonly several?: true;
  readonly dialects?: Dialects;
};

export type Station = {
  /** The address a till uses, without the driver's name: `tcp://127.0.0.1:7000`, `serial:/run/shop/terminal`. */
  at: string;
  close(): Promise<void>;
};

/**
 * Keys and cards outlive a connection, as those of a device do. Each place has its own device with its own serial
 * number, the same whenever it is started there.
 */
const lastingOptions = (options: SimulatorOptions, place: string): SimulatorOptions => ({
  ...options,
  keys: options.keys ?? createKeySlots({ random: options.random }),
  wallet: options.wallet ?? createWallet(),
  config: { serial: serialAt(place), ...options.config },
});

/** Eight digits: 17 and six derived from the place, such as its port. */
const serialAt = (place: string): string => {
  if (/^\d{1,6}$/.test(place)) return `17${place.padStart(6, '0')}`;
  const hash = createHash('sha256').update(place).digest().readUInt32BE(0);
  return `17${(hash % 1_000_000).toString().padStart(6, '0')}`;
};

/** With more registers than this at one device, the first one's connection ends. */
const connectionsMost = 8;

/** Listens on this machine; port 0 chooses a free one. Throws `link.unavailable`. */
export const simulateOnTcp = async (model: Model, port: number, options: SimulatorOptions): Promise<Station> => {
  const devices: Simulator[] = [];
  let stored = options;
  const accept = (link: Link): void => {
    devices.push(model(link, stored));
    const most = model.several ? connectionsMost : 1;
    // The promise never rejects, because closing a link never does.
    while (devices.length > most) void devices.shift()?.close();
  };
  const server = await listenTcp({ port, clock: options.clock, accept });
  stored = lastingOptions(options, String(server.port));
  return {
    at: `tcp://127.0.0.1:${server.port}`,
    async close() {
      for (const device of devices) await device.close();
      await server.close();
    },
  };
};

/** Opens a pseudo terminal, reachable by this path when one is given. Throws `link.unavailable`. */
export const simulateOnPty = async (
  model: Model,
  path: string | undefined,
  options: SimulatorOptions,
): Promise<Station> => {
  // Its native module is never loaded by a real till.
  const { openPty } = await import('../links/pty.ts');
  const pty = openPty(path === undefined ? {} : { at: path });
  const device = model(pty.link, lastingOptions(options, pty.path));
  return { at: `serial:${pty.path}`, close: () => device.close() };
};
