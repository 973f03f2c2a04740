/** A driver and its simulated terminal in one process, for the benchmarks: real messages, no wire. */
import type { ReaderDriver } from '../../drivers/driver.ts';
import type { Link } from '../../drivers/links/link.ts';
import { drivers } from '../../drivers/registry.ts';
import { repeatingCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import { simulators } from '../../drivers/simulators.ts';
import type { Terminal } from '../../drivers/terminal.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { memoryLinks } from '../../test/support/devices/memory-link.ts';

export type OpenedTerminal = { terminal: Terminal; close(): Promise<void> };

/** The card readers that have a simulated device, by protocol name. */
export const readers = (): ReaderDriver[] =>
  Object.values(drivers).filter((driver): driver is ReaderDriver => driver.kind === 'reader');

/** Opens a reader on a memory link. The people there act a hundred times faster. */
export const openReader = async (driver: ReaderDriver, seed: number): Promise<OpenedTerminal> => {
  const model = simulators[driver.name];
  if (model === undefined) throw new Error(`${driver.name} has no simulated terminal`);
  const [till, device] = memoryLinks(carriesOf(driver));
  const simulator = model(device, { clock: fastClock, random: seededRandom(seed), cardholder: repeatingCardholder() });
  const terminal = await driver.open(till, { clock: systemClock, report: () => {} });
  return {
    terminal,
    async close() {
      await terminal.close();
      await simulator.close();
    },
  };
};

/** The device's most common connection. */
const carriesOf = ({ hid }: ReaderDriver): Link['carries'] => (hid === undefined ? 'stream' : 'reports');

const fastClock: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 100, then) };
