/** Keeps the till's one terminal open, opens it again after a fault, and finds it when it was plugged in elsewhere. */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import { asksBankAt, type OpenTerminal, type OpenTools, openTerminal } from '../../drivers/registry.ts';
import type { Terminal } from '../../drivers/terminal.ts';
import { Fault, isFault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import type { PairedDevice } from '../folder/config.ts';
import type { IntegratedTerminals, Terminals } from '../till/ports.ts';
import { isPaired } from './paired-device.ts';
import type { refind } from './refind.ts';

export type TerminalKeeper = {
  /** Card readers. Says that no terminal is known where there is none, or one that authorises by itself. */
  terminals: Terminals;
  /** Where the terminal at this address authorises by itself. */
  integrated?: IntegratedTerminals;
  close(): Promise<void>;
};

export type KeepTools = OpenTools & {
  /** Which device was paired at the address. Absent: whatever answers there is meant. */
  paired?: Paired | undefined;
};

export type Paired = {
  device: PairedDevice;
  /** It answers at this address now. */
  moved(address: string): void;
  /** Addresses of this till's other terminals: nobody looks for this one there. */
  taken?(): readonly string[];
  refind?: typeof refind;
};

/** `address` as the command line has it: `mpi+tcp://127.0.0.1:7000`. Without one every `get` says so. */
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
    // A terminal that never opened has nothing to close; its fault went to whoever asked for it.
    await dropped?.then(({ terminal }) => terminal.close()).catch(() => undefined);
  };

  const reader = async (): Promise<Terminal> => {
    const opened = await get();
    if (opened.kind === 'reader') return opened.terminal;
    throw new Fault('terminal.unpaired');
  };
  const integrated = async (): Promise<IntegratedTerminal> => {
    const opened = await get();
    if (opened.kind === 'integrated') return opened.terminal;
    throw new Fault('terminal.unpaired');
  };

  const authorises = address !== undefined && asksBankAt(address);
  return {
    terminals: { get: reader, drop },
    ...(authorises && { integrated: { get: integrated, drop } }),
    close: drop,
  };
};

/**
 * The terminal at this address. When a device was paired there, it is that one and no other, wherever it is plugged in
 * now. Throws what `openTerminal` throws, and `terminal.other` when only another device is there.
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
    const found = await find({ address, device: paired.device, taken: paired.taken?.() ?? [] }, tools);
    if (found === undefined) throw error;
    const opened = await openDevice(found, paired.device, tools);
    foundAt(found);
    paired.moved(found);
    return opened;
  }
};

/** Ports are numbered anew when things are plugged in: a neighbour's terminal must not take this till's cards. */
const openDevice = async (address: string, device: PairedDevice, tools: OpenTools): Promise<OpenTerminal> => {
  const opened = await openTerminal(address, tools);
  try {
    const info = await opened.terminal.info();
    if (isPaired(info, device)) return opened;
    throw new Fault('terminal.other', { serial: printable(info.serial, 40), paired: device.serial, address });
  } catch (error) {
    await opened.terminal.close();
    throw error;
  }
};
