/** The simulated terminals of a shop's day over TCP: the next customer does as told. */

import { mpiSimulator } from '../../../drivers/mpi/simulator/simulator.ts';
import { neo2Simulator } from '../../../drivers/neo2/simulator/simulator.ts';
import { createWallet, type Wallet } from '../../../drivers/simulation/card.ts';
import { presentationFor } from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../../drivers/simulation/key-slots.ts';
import {
  type Presentation,
  type SimulatorOptions,
  type Station,
  simulateOnTcp,
} from '../../../drivers/simulation/simulator.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { systemRandom } from '../../../src/base/ids.ts';
import type { TestCardName } from '../../../src/emv/test-cards.ts';
import { reservePort } from '../servers/reserved-port.ts';

/** The next customer, and their card. */
export type Customer = Omit<Presentation, 'card'> & { card: TestCardName };

export type DayTerminal = {
  /** The till's name for it: `mpi+tcp://127.0.0.1:7000`. */
  address: string;
  /** Sends a customer for the next sale; without one, nobody comes. */
  present(customer: Customer): void;
  /** How many came and were not served, in which case a test expected a sale that did not happen. */
  readonly unservedCount: number;
  /** Unplugs its cable; plugged in again, it is the same device. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
};

const models = { mpi: mpiSimulator, neo2: neo2Simulator };

const openOne = async (protocol: keyof typeof models, cards: Wallet): Promise<DayTerminal> => {
  const presentations: Presentation[] = [];
  const port = await reservePort();
  const options: SimulatorOptions = {
    clock: systemClock,
    random: systemRandom,
    cardholder: () => presentations.shift() ?? presentationFor({ card: 'visa-credit', by: 'chip', never: true }),
    keys: createKeySlots({ random: systemRandom }),
    wallet: cards,
  };
  let station: Station | undefined;
  const plug = async (): Promise<void> => {
    station = await simulateOnTcp(models[protocol], port, options);
  };
  await plug();
  return {
    address: `${protocol}+tcp://127.0.0.1:${port}`,
    get unservedCount() {
      return presentations.length;
    },
    present: (customer) => void presentations.push(presentationFor({ afterMs: 150, ...customer })),
    async unplug() {
      await station?.close();
    },
    plug,
  };
};

/** Two terminals of different makers; a card can be used at either. */
export const openDayTerminals = async (): Promise<[DayTerminal, DayTerminal]> => {
  const cards = createWallet();
  return [await openOne('mpi', cards), await openOne('neo2', cards)];
};
