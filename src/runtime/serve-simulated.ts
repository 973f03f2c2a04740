/** The simulated terminal that stands in while none is paired: real protocol bytes, over a port of this machine. */
import { repeating } from '../../drivers/simulation/cardholder.ts';
import { type Station, simulateOnTcp } from '../../drivers/simulation/station.ts';
import { wallet } from '../../drivers/simulation/wallet.ts';
import { simulators } from '../../drivers/simulators.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import { countedCards } from './simulated-cards.ts';

export type Simulated = { address: string; close(): Promise<void> };

type Parts = { protocol: string; dataDir: string; clock: Clock; random: Random };

/** A customer with a good chip card and the right PIN stands before it all day. Throws `terminal.unknown`. */
export const simulateTerminal = async ({ protocol, dataDir, clock, random }: Parts): Promise<Simulated> => {
  const simulator = Object.hasOwn(simulators, protocol) ? simulators[protocol] : undefined;
  if (simulator === undefined) throw new Fault('terminal.unknown', { text: protocol });
  const { cardholder, lastAtc } = countedCards(dataDir, repeating());
  const station: Station = await simulateOnTcp(simulator, 0, {
    clock,
    random,
    cardholder,
    wallet: wallet({ lastAtc }),
  });
  return { address: `${protocol}+${station.at}`, close: () => station.close() };
};
