/** Opens what a till sells on: the terminal that was named or paired, and the recording of what is said with it. */
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { IntegratedTerminals, Terminals } from '../till/ports.ts';
import type { Config } from './config.ts';
import { rememberAddress } from './paired-device.ts';
import { recordTo } from './recording.ts';
import { keepTerminal, type Paired } from './terminals.ts';

type DeviceOptions = {
  dataDir: string;
  clock: Clock;
  ids: Ids;
  report(error: unknown): void;
  record?: string;
  around?: {
    terminals?(terminals: Terminals): Terminals;
    integrated?(terminals: IntegratedTerminals): IntegratedTerminals;
  };
};

export type Devices = {
  terminals: Terminals;
  integrated?: IntegratedTerminals | undefined;
  close(): Promise<void>;
};

/** The terminal: a reader, or one that authorises by itself. Its conversation is recorded where that was asked for. */
export const openDevices = (
  options: DeviceOptions,
  { config, address }: { config: Config; address: string | undefined },
): Devices => {
  const { dataDir, clock, ids, report, around = {} } = options;
  const recording = options.record === undefined ? undefined : recordTo(options.record, { clock, report });
  const opened = keepTerminal(address, {
    clock,
    report,
    ...(recording && { wrap: recording.wrap }),
    paired: pairedAt(address, { config, dataDir, ids }),
  });
  return {
    terminals: around.terminals?.(opened.terminals) ?? opened.terminals,
    integrated: opened.integrated && (around.integrated?.(opened.integrated) ?? opened.integrated),
    async close() {
      await opened.close();
      recording?.close();
    },
  };
};

/** The device that was paired at this address; a terminal that was named for once is whatever answers there. */
const pairedAt = (
  address: string | undefined,
  { config, dataDir, ids }: { config: Config; dataDir: string; ids: Ids },
): Paired | undefined =>
  address === undefined || address !== config.terminal || config.device === undefined
    ? undefined
    : { device: config.device, moved: (found) => rememberAddress(dataDir, found, ids) };
