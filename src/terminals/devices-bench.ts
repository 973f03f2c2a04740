/** Lends terminals for the technician's work; the till's own only while no sale needs it. */
import type { ProbeTools } from '../../drivers/discovery.ts';
import { Fault } from '../base/fault.ts';
import { loadConfig, type PairedDevice } from '../folder/config.ts';
import type { Ports } from './checks/port-check.ts';
import { pairedAddresses } from './device-rows.ts';
import { pairedAt } from './pairing/pairing.ts';
import type { TerminalsParts } from './port.ts';

export type BenchTools = ProbeTools & { ports?: Ports };
/** `counter`: present when the terminal is the till's own. */
export type BenchContext = { tools: BenchTools; paired: PairedDevice | undefined; counter?: string };

export type Bench = {
  /**
   * Runs `work` on the terminal at this address. The till's own terminal is lent for it: throws `terminal.busy` during
   * a sale, and a sale that starts meanwhile gets it back at once.
   */
  withDevice<R>(address: string, work: (on: BenchContext) => Promise<R>): Promise<R>;
  pairedDevice(address: string): PairedDevice | undefined;
  /** Throws `terminal.busy` while a sale is in progress anywhere at this till. */
  refuseSale(): void;
};

export const openBench = (
  { running, clock, ids, dataDir, terminalWatch: watch, report, simulated }: TerminalsParts,
  { open, ports }: { open?: BenchTools['open'] | undefined; ports?: Ports | undefined },
): Bench => {
  const tools = { clock, report, open, ports };
  /** The counter with this address, paired or simulated. */
  const findCounter = (address: string): [string, PairedDevice | undefined] | undefined => {
    const config = loadConfig(dataDir, ids);
    const i = pairedAddresses(config).findIndex(([, theirs]) => theirs === address);
    if (i >= 0) return [`T${i + 1}`, pairedAt(config, i)?.device];
    return address === simulated ? ['T1', undefined] : undefined;
  };
  const isBusy = (name?: string): boolean =>
    running.counters.some((one) => (name === undefined || one.name === name) && one.till.isSelling());
  const refuse = (name?: string): void => {
    if (isBusy(name)) throw new Fault('terminal.busy', { command: 'a sale' });
  };

  return {
    refuseSale: () => refuse(),
    pairedDevice: (address) => findCounter(address)?.[1],
    async withDevice(address, work) {
      const [counter, paired] = findCounter(address) ?? [];
      if (counter === undefined) return work({ tools: { ...tools, wrap: watch.trace.wrap(address) }, paired });
      refuse(counter);
      return watch.lend(counter, ({ wrap }) => work({ tools: { ...tools, wrap }, paired, counter }));
    },
  };
};
