/** The simulated terminal used while none is paired: real protocol bytes over a local port. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWallet } from '../../drivers/simulation/card.ts';
import { repeatingCardholder } from '../../drivers/simulation/cardholder.ts';
import { type Cardholder, type Station, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { terminalConfig } from '../../drivers/simulation/terminal-config.ts';
import { simulators } from '../../drivers/simulators.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import { testCard } from '../emv/test-cards.ts';
import { loadConfig } from '../folder/config.ts';
import { makeOwnedFolder, ownersOf } from '../folder/rights/folder-rights.ts';

export type Simulated = { address: string; close(): Promise<void> };

const customer = { card: testCard('visa-offline-pin'), by: 'chip' } as const;

type Parts = { protocol: string; dataDir: string; clock: Clock; random: Random };

/**
 * A customer with a good chip card and the right PIN is always present. The chip checks the PIN itself, because a card
 * whose PIN only the bank can check is never accepted without the gateway. Throws `terminal.unknown`.
 */
export const simulateTerminal = async ({ protocol, dataDir, clock, random }: Parts): Promise<Simulated> => {
  const simulator = Object.hasOwn(simulators, protocol) ? simulators[protocol] : undefined;
  if (simulator === undefined) throw new Fault('terminal.unknown', { text: protocol });
  const { cardholder, lastAtc } = countCards(dataDir, repeatingCardholder([customer]));
  const station: Station = await simulateOnTcp(simulator, 0, {
    clock,
    random,
    cardholder,
    wallet: createWallet({ lastAtc }),
    // The same device at every start, although its port differs. It authenticates its cards' data, so that selling
    // without the gateway can be tried.
    config: { serial: terminalConfig.serial, authenticatesData: true },
  });
  return { address: `${protocol}+${station.at}`, close: () => station.close() };
};

export type SimulateOptions = {
  /** The protocol of the simulated terminal used while none is paired; none if absent. Never used at a live till. */
  simulate?: string | undefined;
  /**
   * `unpaired`, the default: whenever no terminal is paired. `named`: a person named it, and a live till asked to
   * simulate does not start. `asked`: once somebody chose to use one, which till.json remembers.
   */
  simulateWhen?: 'unpaired' | 'named' | 'asked' | undefined;
  /** The clock of simulated terminals and customers; the till's own if absent. */
  simulatedClock?: Clock;
};

/** The simulated terminal, as long as none is paired and none was named. */
export type SimulatedTerminal = {
  /** The terminal's address; starts it if needed. Undefined when it must not be used. Throws `simulation.live`. */
  address(mode: Mode): Promise<string | undefined>;
  /** Whether a simulated terminal could be used, once somebody asks for it. */
  isOffered(mode: Mode): boolean;
  close(): Promise<void>;
};

type SimulatedParts = {
  /** Read at each use, since they change when the till goes live. */
  options(): SimulateOptions & { dataDir: string; terminal?: string };
  clock: Clock;
  ids: Ids;
  random: Random;
};

export const openSimulatedTerminal = ({ options, clock, ids, random }: SimulatedParts): SimulatedTerminal => {
  let current: Simulated | undefined;
  /** The choice in till.json, where a simulated terminal is possible. */
  const simulationChoice = (mode: Mode): 'yes' | 'no' | 'needless' => {
    const { dataDir, simulate: protocol, simulateWhen = 'unpaired', terminal } = options();
    if (mode === 'live' || protocol === undefined || terminal !== undefined) return 'needless';
    const config = loadConfig(dataDir, ids);
    if (config.terminal !== undefined) return 'needless';
    return simulateWhen !== 'asked' || config.simulatedTerminal === true ? 'yes' : 'no';
  };
  return {
    async address(mode) {
      const { dataDir, simulate: protocol, simulateWhen, simulatedClock = clock } = options();
      if (mode === 'live' && protocol !== undefined && simulateWhen === 'named') throw new Fault('simulation.live');
      if (protocol === undefined || simulationChoice(mode) !== 'yes') return undefined;
      current ??= await simulateTerminal({ protocol, dataDir, clock: simulatedClock, random });
      return current.address;
    },
    isOffered: (mode) => simulationChoice(mode) === 'no',
    close: async () => current?.close(),
  };
};

// Counts the transactions of simulated cards across restarts, because an issuer refuses a lower counter.

/** The same customers, with their transactions counted in the folder; `lastAtc` is where their cards continue. */
export const countCards = (folder: string, cardholder: Cardholder): { cardholder: Cardholder; lastAtc: number } => {
  const file = join(folder, 'simulated-cards.json');
  makeOwnedFolder(folder, { owners: ownersOf(folder) });
  const saved = read(file);
  const lastAtc = countIn(saved);
  let count = lastAtc;
  return {
    lastAtc,
    cardholder() {
      count += 1;
      writeFileSync(file, JSON.stringify({ ...saved, transactions: count }));
      return cardholder();
    },
  };
};

/** Content that a newer version added is written back unchanged. */
type StoredContent = { transactions?: unknown };

const read = (file: string): StoredContent => {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {};
  } catch {
    // A missing or damaged file: the cards are new.
    return {};
  }
};

const countIn = ({ transactions: count }: StoredContent): number =>
  typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < 0xff00 ? count : 0;
