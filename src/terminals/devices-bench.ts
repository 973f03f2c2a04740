/** The technician's bench: a terminal is worked on here, the till's own only while no sale needs it. */
import type { ProbeTools } from '../../drivers/discovery.ts';
import { Fault } from '../base/fault.ts';
import { loadConfig, type PairedDevice } from '../folder/config.ts';
import type { Ports } from './checks/port-check.ts';
import { pairedAddresses } from './device-rows.ts';
import { pairedAt } from './pairing/pairing.ts';
import type { TerminalsParts } from './port.ts';

export type BenchTools = ProbeTools & { ports?: Ports };
/** `counter`: where the terminal is the till's own. */
export type OnBench = { tools: BenchTools; paired: PairedDevice | undefined; counter?: string };

export type Bench = {
  /**
   * Does `work` on the terminal at this address. The till's own is lent for it: throws `terminal.busy` during a sale,
   * and a sale that comes meanwhile has it back at once.
   */
  at<R>(address: string, work: (on: OnBench) => Promise<R>): Promise<R>;
  /** Throws `terminal.busy` while a sale is under way anywhere at this till. */
  refuseSale(): void;
};

export const openBench = (
  { running, clock, ids, dataDir, terminalWatch: watch, report, simulated }: TerminalsParts,
  { open, ports }: { open?: BenchTools['open'] | undefined; ports?: Ports | undefined },
): Bench => {
  const tools = { clock, report, open, ports };
  /** Where this address is a counter's, paired or standing in. */
  const counterAt = (address: string): [string, PairedDevice | undefined] | undefined => {
    const config = loadConfig(dataDir, ids);
    const at = pairedAddresses(config).findIndex(([, theirs]) => theirs === address);
    if (at >= 0) return [`T${at + 1}`, pairedAt(config, at)?.device];
    return address === simulated ? ['T1', undefined] : undefined;
  };
  const busy = (name?: string): boolean =>
    running.counters.some((one) => (name === undefined || one.name === name) && one.till.isSelling());
  const refuse = (name?: string): void => {
    if (busy(name)) throw new Fault('terminal.busy', { command: 'a sale' });
  };

  return {
    refuseSale: () => refuse(),
    async at(address, work) {
      const [counter, paired] = counterAt(address) ?? [];
      if (counter === undefined) return work({ tools: { ...tools, wrap: watch.trace.wrap(address) }, paired });
      refuse(counter);
      return watch.lend(counter, ({ wrap }) => work({ tools: { ...tools, wrap }, paired, counter }));
    },
  };
};
