/** The simulated terminal that stands in while none is paired: real protocol bytes, over a port of this machine. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wallet } from '../../drivers/simulation/card.ts';
import { repeating } from '../../drivers/simulation/cardholder.ts';
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
 * A customer with a good chip card and the right PIN stands before it all day. The chip checks the PIN itself: a card
 * whose PIN only the bank can check is never taken without the gateway. Throws `terminal.unknown`.
 */
export const simulateTerminal = async ({ protocol, dataDir, clock, random }: Parts): Promise<Simulated> => {
  const simulator = Object.hasOwn(simulators, protocol) ? simulators[protocol] : undefined;
  if (simulator === undefined) throw new Fault('terminal.unknown', { text: protocol });
  const { cardholder, lastAtc } = countedCards(dataDir, repeating([customer]));
  const station: Station = await simulateOnTcp(simulator, 0, {
    clock,
    random,
    cardholder,
    wallet: wallet({ lastAtc }),
    // The same device whenever the till starts: its port is another one each time. It proves its cards genuine, so that
    // selling without the gateway can be tried.
    config: { serial: terminalConfig.serial, authenticatesData: true },
  });
  return { address: `${protocol}+${station.at}`, close: () => station.close() };
};

export type SimulateOptions = {
  /** Protocol of the simulated terminal that stands in while none is paired; none if left out. Never at a live till. */
  simulate?: string | undefined;
  /**
   * `unpaired`, if left out: whenever no terminal is paired. `named`: a person named it, and a live till that is to
   * simulate does not start. `asked`: once somebody had this till use one, which till.json remembers.
   */
  simulateWhen?: 'unpaired' | 'named' | 'asked' | undefined;
  /** The time of simulated terminals and their customers; the till's own if left out. */
  simulatedClock?: Clock;
};

/** The simulated terminal, as long as none is paired and none was named. */
export type StandIn = {
  /** Where it stands: it is started for this. Undefined where there is to be none. Throws `simulation.live`. */
  address(mode: Mode): Promise<string | undefined>;
  /** It would stand in, once somebody asked for it. */
  isOffered(mode: Mode): boolean;
  close(): Promise<void>;
};

type StandInParts = {
  /** A till that went live has others. */
  options(): SimulateOptions & { dataDir: string; terminal?: string };
  clock: Clock;
  ids: Ids;
  random: Random;
};

export const openStandIn = ({ options, clock, ids, random }: StandInParts): StandIn => {
  let standing: Simulated | undefined;
  /** What till.json says of it, where it could stand in. */
  const asked = (mode: Mode): 'yes' | 'no' | 'needless' => {
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
      if (protocol === undefined || asked(mode) !== 'yes') return undefined;
      standing ??= await simulateTerminal({ protocol, dataDir, clock: simulatedClock, random });
      return standing.address;
    },
    isOffered: (mode) => asked(mode) === 'no',
    close: async () => standing?.close(),
  };
};

// How many transactions simulated cards have had: it outlives the process, since an issuer refuses a lower count.

/** The same customers, their transactions counted in the folder; `lastAtc` is where their cards go on from. */
export const countedCards = (folder: string, cardholder: Cardholder): { cardholder: Cardholder; lastAtc: number } => {
  const file = join(folder, 'simulated-cards.json');
  makeOwnedFolder(folder, { owners: ownersOf(folder) });
  const kept = read(file);
  const lastAtc = countIn(kept);
  let count = lastAtc;
  return {
    lastAtc,
    cardholder() {
      count += 1;
      writeFileSync(file, JSON.stringify({ ...kept, transactions: count }));
      return cardholder();
    },
  };
};

/** What a newer version has beside the count is written back with it. */
type Kept = { transactions?: unknown };

const read = (file: string): Kept => {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? kept : {};
  } catch {
    // No file, or a spoilt one: the cards are new.
    return {};
  }
};

const countIn = ({ transactions: count }: Kept): number =>
  typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < 0xff00 ? count : 0;
