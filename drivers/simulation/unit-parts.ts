/** What every simulated device is made of, from the options that it is given. */
import type { Clock } from '../../src/base/clock.ts';
import type { Random } from '../../src/base/ids.ts';
import { chosenDialects, type Dialects } from './dialect.ts';
import type { Outlet } from './faults.ts';
import { type KeySlots, keySlots } from './key-slots.ts';
import type { SimulatorOptions } from './simulator.ts';
import { simulatedConfig, type TerminalConfig } from './terminal-config.ts';
import { type Wallet, wallet } from './wallet.ts';

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
