/** Opens the terminal that a till sells on, named or paired, and the recording of its conversation. */

import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Link } from '../../drivers/links/link.ts';
import { asksBankAt, type OpenTerminal, type OpenTools, openTerminal } from '../../drivers/registry.ts';
import type { Terminal, TerminalInfo } from '../../drivers/terminal.ts';
import type { Clock } from '../base/clock.ts';
import { Fault, isFault } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import { printable } from '../base/mask.ts';
import type { Mode } from '../base/mode.ts';
import type { Config, PairedDevice } from '../folder/config.ts';
import type { IntegratedTerminals, KeptTerminal, Terminals } from '../till/ports.ts';
import { detectDialects } from './detected-dialects.ts';
import type { ReportError } from './log-states.ts';
import { isPaired, rememberAddress, rememberDialects } from './paired-device.ts';
import { type Presence, watchPresence } from './presence.ts';
import type { refind } from './refind.ts';
import { refuseByMode } from './terminal-mode.ts';
import type { TerminalWatch } from './terminal-watch.ts';
import { recordTo } from './trace/recording.ts';

export type DeviceOptions = {
  dataDir: string;
  /** The till's mode: a live till uses no simulated terminal, and a test till no real one. */
  mode: Mode;
  clock: Clock;
  /** The shop's time zone, an IANA name. */
  timeZone?: string | undefined;
  ids: Ids;
  report: ReportError;
  /** Called when this counter's terminal was opened: earlier reports about it are out of date. */
  isThere?(counter: string): void;
  record?: string;
  /** Keeps the trace of the terminals, and lends them to a technician while no sale needs them. */
  terminalWatch?: TerminalWatch;
  around?: {
    terminals?(terminals: Terminals, terminalId?: string): Terminals;
    integrated?(terminals: IntegratedTerminals, terminalId?: string): IntegratedTerminals;
  };
};

export type Devices = {
  terminals: Terminals;
  integrated?: IntegratedTerminals | undefined;
  presence(): Presence;
  close(): Promise<void>;
};

type Opening = {
  config: Pick<Config, 'terminal' | 'device'>;
  address: string | undefined;
  /** The terminalId of an entry in `terminals` of till.json; absent for the first terminal. */
  of?: string;
  /** Where this till's other terminals are now, and a callback for the new address of this one. */
  places?: { addressesOfOthers(): readonly string[]; setAddress(address: string): void };
  /** The counter's name: `T1`. */
  name?: string;
  /** Why a terminal with this identity cannot serve this counter beside the others. */
  conflictWith?(counter: string, address: string, info: TerminalInfo): Fault | undefined;
};

/** The terminal: a card reader, or one that authorises by itself. Its conversation is recorded on request. */
export const openDevices = (options: DeviceOptions, opening: Opening): Devices => {
  const { clock, around = {}, terminalWatch, mode, timeZone } = options;
  const { address, of, name = 'T1' } = opening;
  const report = (error: unknown): void => options.report(error, name);
  const recording = options.record === undefined ? undefined : recordTo(options.record, { clock, report });
  const dialects = dialectsOf(opening, options);
  const keeper = keepTerminal(address, {
    clock,
    report,
    timeZone,
    wrap(link, driver) {
      const received = dialects.wrap(link, driver);
      const recorded = recording?.wrap(received, driver) ?? received;
      return terminalWatch?.trace.wrap(name)(recorded, driver) ?? recorded;
    },
    paired: pairedAt(opening, options),
  });
  const testHost = isPairedAt(opening) && opening.config.device?.testHost === true;
  const watch = watchPresence(address !== undefined || around.terminals !== undefined, () => options.isThere?.(name));
  const lend = <T>(saved: KeptTerminal<T>): KeptTerminal<T> => watch.watch(terminalWatch?.wrap(name, saved) ?? saved);
  const terminals = refuseByMode(keeper.terminals, { mode, integrated: false, testHost });
  const { conflictWith } = opening;
  const conflict = (info: TerminalInfo) => (address === undefined ? undefined : conflictWith?.(name, address, info));
  const integrated =
    keeper.integrated && refuseByMode(keeper.integrated, { mode, integrated: true, testHost, conflict });
  return {
    terminals: lend(around.terminals?.(terminals, of) ?? terminals),
    integrated: integrated && lend(around.integrated?.(integrated, of) ?? integrated),
    presence: watch.current,
    async close() {
      await keeper.close();
      dialects.keep();
      recording?.close();
    },
  };
};

/** A new dialect is stored a moment later, because the message that revealed it may belong to a payment. */
const KEPT_AFTER_MS = 1_000;

/** What the paired device is observed to speak. Never throws, since it is called in the middle of a sale. */
const dialectsOf = (opening: Opening, { dataDir, ids, clock, report }: DeviceOptions) => {
  const { config, of } = opening;
  const { device } = config;
  if (device === undefined || !isPairedAt(opening)) return { wrap: (link: Link) => link, keep: () => {} };
  let unsavedNames: readonly string[] | undefined;
  let stop = (): void => {};
  const keep = (): void => {
    stop();
    if (unsavedNames === undefined) return;
    const names = unsavedNames;
    unsavedNames = undefined;
    try {
      rememberDialects(dataDir, names, { ids, device, terminalId: of });
    } catch (error) {
      report(error);
    }
  };
  const dialects = detectDialects(device.dialects, (names) => {
    unsavedNames = names;
    stop();
    stop = clock.after(KEPT_AFTER_MS, keep);
  });
  return { wrap: dialects.wrap, keep };
};

/** The device paired at this address. A terminal named only for this run may be any device. */
const pairedAt = (opening: Opening, { dataDir, ids }: DeviceOptions): Paired | undefined => {
  const { config, of, places } = opening;
  if (config.device === undefined || !isPairedAt(opening)) return undefined;
  return {
    device: config.device,
    onMoved(found) {
      places?.setAddress(found);
      rememberAddress(dataDir, found, { ids, terminalId: of });
    },
    takenAddresses: places?.addressesOfOthers,
  };
};

const isPairedAt = ({ config, address }: Opening): boolean => address !== undefined && address === config.terminal;

// Keeps one terminal open, reopens it after a fault, and finds it when it was plugged in elsewhere.

export type TerminalKeeper = {
  /** Card readers. Throws that no terminal is known when there is none, or when it authorises by itself. */
  terminals: Terminals;
  /** Set when the terminal at this address authorises by itself. */
  integrated?: IntegratedTerminals;
  close(): Promise<void>;
};

export type KeepTools = OpenTools & {
  /** The device paired at the address. Absent: any device that answers there is accepted. */
  paired?: Paired | undefined;
};

type Paired = {
  device: PairedDevice;
  /** The terminal now answers at this address. */
  onMoved(address: string): void;
  /** Addresses of this till's other terminals, where this one is not looked for. */
  takenAddresses?(): readonly string[];
  refind?: typeof refind;
};

/** `address` as on the command line: `mpi+tcp://127.0.0.1:7000`. Without one, every `get` throws. */
export const keepTerminal = (address: string | undefined, tools: KeepTools): TerminalKeeper => {
  let open: Promise<OpenTerminal> | undefined;
  let at = address;

  const get = (): Promise<OpenTerminal> => {
    if (at === undefined) return Promise.reject(new Fault('terminal.unpaired'));
    open ??= openPaired(at, tools, (found) => {
      at = found;
    });
    return open;
  };

  const drop = async (): Promise<void> => {
    const dropped = open;
    open = undefined;
    // A terminal that never opened has nothing to close; its fault was thrown to the caller that asked for it.
    await dropped?.then(({ terminal }) => terminal.close()).catch(() => undefined);
  };

  const reader = async (): Promise<Terminal> => {
    const device = await get();
    if (device.kind === 'reader') return device.terminal;
    throw new Fault('terminal.unpaired');
  };
  const integrated = async (): Promise<IntegratedTerminal> => {
    const device = await get();
    if (device.kind === 'integrated') return device.terminal;
    throw new Fault('terminal.unpaired');
  };

  const authorises = address !== undefined && asksBankAt(address);
  return {
    terminals: { get: reader, drop },
    integrated: authorises ? { get: integrated, drop } : undefined,
    close: drop,
  };
};

/**
 * Opens the terminal at this address. If a device was paired there, it must be that device, wherever it is plugged in
 * now. Throws as `openTerminal`, and `terminal.other` when only another device is found.
 */
const openPaired = async (
  address: string,
  { paired, ...tools }: KeepTools,
  foundAt: (address: string) => void,
): Promise<OpenTerminal> => {
  if (paired === undefined) return openTerminal(address, tools);
  try {
    return await openDevice(address, paired.device, tools);
  } catch (error) {
    if (!isFault(error, 'link.unavailable', 'terminal.other')) throw error;
    const find = paired.refind ?? (await import('./refind.ts')).refind;
    const found = await find(
      { address, device: paired.device, takenAddresses: paired.takenAddresses?.() ?? [] },
      tools,
    );
    if (found === undefined) throw error;
    const device = await openDevice(found, paired.device, tools);
    foundAt(found);
    paired.onMoved(found);
    return device;
  }
};

/** Ports are renumbered when devices are plugged in: another counter's terminal must not take this counter's cards. */
const openDevice = async (address: string, device: PairedDevice, tools: OpenTools): Promise<OpenTerminal> => {
  const open = await openTerminal(address, tools);
  try {
    const info = await open.terminal.info();
    if (isPaired(info, device)) return open;
    throw new Fault('terminal.other', { serial: printable(info.serial, 40), paired: device.serial, address });
  } catch (error) {
    await open.terminal.close();
    throw error;
  }
};
