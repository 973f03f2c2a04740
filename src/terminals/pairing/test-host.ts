/**
 * A manager's statement that a terminal which asks its bank itself is connected to its maker's test host, where no
 * money moves. With it, a test till sells on that one device. It is stored in till.json with the device, and is removed
 * with it.
 */
import { asksBankAt } from '../../../drivers/registry.ts';
import { isSimulated } from '../../../drivers/terminal.ts';
import { Fault } from '../../base/fault.ts';
import type { Ids } from '../../base/ids.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { type Config, changeConfig, loadConfig, type PairedDevice } from '../../folder/config.ts';
import { isPaired } from '../paired-device.ts';
import { pairedAt } from './pairing.ts';

type Paired = { terminal?: string | undefined; device?: PairedDevice | undefined };

/**
 * Whether a manager has said so for this paired terminal. Undefined when nobody can say so: the till is not in test
 * mode, or the terminal asks no bank, is simulated, or was never identified.
 */
export const testHostOf = ({ terminal, device }: Paired, mode: DisplayMode): boolean | undefined => {
  if (mode !== 'test' || terminal === undefined || device === undefined || isSimulated(device)) return undefined;
  if (!asksBankAt(terminal)) return undefined;
  return device.testHost === true;
};

export type TestHostTools = { folder: string; ids: Ids; mode: DisplayMode };

/**
 * Stores or removes the statement; it applies from the till's next start. Returns the device. Throws
 * `testHost.notHere`, and the faults of loading and writing the configuration.
 */
export const changeTestHost = (
  { folder, ids, mode }: TestHostTools,
  { counter, atTestHost }: { counter: string; atTestHost: boolean },
): PairedDevice => {
  const place = Number(/^T([1-9]\d?)$/.exec(counter)?.[1] ?? 0) - 1;
  const pairedTerminal = pairedAt(loadConfig(folder, ids), place);
  if (pairedTerminal?.device === undefined || testHostOf(pairedTerminal, mode) === undefined)
    throw new Fault('testHost.notHere', { counter });
  const { testHost: _, ...device } = pairedTerminal.device;
  const changed: PairedDevice = { ...device, testHost: atTestHost || undefined };
  changeConfig(folder, ids, (config) => {
    if (place === 0) return { ...config, device: changed };
    const { terminals = [] } = config;
    return { ...config, terminals: terminals.map((one, i) => (i === place - 1 ? { ...one, device: changed } : one)) };
  });
  return changed;
};

/** An imported configuration brings no manager's statement: only those made here about the same device stay. */
export const withTestHostsOf = (imported: Config, current: Config): Config => {
  const atTestHostDevices = [current, ...(current.terminals ?? [])].flatMap(({ device }) =>
    device?.testHost === true ? [device] : [],
  );
  const withStoredTestHost = <T extends { device?: PairedDevice | undefined }>(one: T): T => {
    if (one.device === undefined) return one;
    const { testHost: _, ...device } = one.device;
    const isAtTestHost = atTestHostDevices.some((known) => isPaired(known, device));
    return { ...one, device: { ...device, testHost: isAtTestHost || undefined } };
  };
  const { terminals } = imported;
  return { ...withStoredTestHost(imported), terminals: terminals?.map(withStoredTestHost) };
};
