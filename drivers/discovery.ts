/** Finds which of the connected devices could be terminals and which drivers could fit them, and probes them. */

import { type Clock, within } from '../src/base/clock.ts';
import { errorText, Fault, isFault } from '../src/base/fault.ts';
import { printable } from '../src/base/mask.ts';
import {
  type Address,
  type LinkAddress,
  parseAddress,
  printAddress,
  readAddress,
  type WrittenAddress,
} from './address.ts';
import type { Driver, UsbMark } from './driver.ts';
import { makeSeverable, type Severable } from './links/link.ts';
import type { PluggedDevice, UsbWords } from './links/plugged.ts';
import { drivers as all, driverOf, type OpenTerminal, type OpenTools, openTerminal } from './registry.ts';
import type { KeyState, TerminalHealth, TerminalInfo } from './terminal.ts';

type Drivers = Readonly<Record<string, Driver>>;

export type Candidate = {
  /** Its address, without a driver: `serial:/dev/ttyACM0`, `hid:0801:2020:B5`, `tcp://10.0.0.7:6543`. */
  place: string;
  /** Drivers that could fit, the likeliest first, each with the terminal's address as that driver would write it. */
  fits: readonly { driver: string; address: string }[];
  /**
   * `known`: a driver's USB mark matches, or a person named the place. `perhaps`: a USB port of a vendor that no driver
   * lists. `unlikely`: a port of the mainboard, where a printer or a scale may be connected: it is only probed when a
   * person asks for it.
   */
  likely: 'known' | 'perhaps' | 'unlikely';
  /** The manufacturer's name of the product family, when a USB mark matches. */
  family?: string;
  usb?: UsbWords;
  /** The port or device node to check when it cannot be opened. */
  path?: string;
};

/** The candidates among the connected devices, the likeliest first. HID devices that no driver knows are left out. */
export const candidatesOf = (plugged: readonly PluggedDevice[], drivers: Drivers = all): Candidate[] =>
  plugged
    .flatMap((device) => (device.by === 'hid' ? hidCandidate(device, drivers) : [serialCandidate(device, drivers)]))
    .sort((a, b) => order.indexOf(a.likely) - order.indexOf(b.likely));

const order: readonly Candidate['likely'][] = ['known', 'perhaps', 'unlikely'];

/**
 * The candidate at an address that a person wrote (`readAddress`). Without a driver, every driver with such a link is
 * considered, first those that usually listen at that port; an IP address alone is tried at each driver's usual ports.
 * Throws `terminal.unknown`.
 */
export const candidateAt = (text: string, drivers: Drivers = all): Candidate => {
  const { driver, ...written } = readAddress(text);
  const candidates = (driver === undefined ? placesOf(written, drivers) : [parseAddress(text)])
    .filter(({ driver: name, link }) => Object.hasOwn(drivers, name) && (link !== 'hid' || drivers[name]?.hid))
    .map((address) => ({ driver: address.driver, address: printAddress(address) }));
  if (candidates.length === 0) throw new Fault('terminal.unknown', { text: printable(text, 80) });
  const path = written.link === 'serial' ? written.path : undefined;
  return { place: printAddress(written), fits: candidates, likely: 'known', path };
};

/** The full addresses that a place without a driver could mean. */
const placesOf = (written: WrittenAddress, drivers: Drivers): Address[] => {
  if (written.link !== 'tcp') return Object.keys(drivers).map((driver) => ({ ...written, driver }));
  const { link, host, port } = written;
  const ports = (driver: string) => drivers[driver]?.tcpPorts ?? [];
  const names = Object.keys(drivers);
  if (port === undefined) return names.flatMap((driver) => ports(driver).map((port) => ({ link, host, port, driver })));
  const usesPort = (driver: string) => Number(ports(driver).includes(port));
  return names.toSorted((a, b) => usesPort(b) - usesPort(a)).map((driver) => ({ link, host, port, driver }));
};

/** The candidate's addresses grouped by port: one group, unless the candidate is an IP address alone. */
export const portsOf = ({ fits }: Candidate): Candidate['fits'][] =>
  Object.values(Object.groupBy(fits, ({ address }) => address.replace(/^[a-z0-9]+\+/, ''))).flatMap((port) => [
    port ?? [],
  ]);

const fitOf = (driver: string, at: LinkAddress): { driver: string; address: string } => ({
  driver,
  address: printAddress({ ...at, driver }),
});

const findUsbMark = (driver: Driver, { by, vendorId, productId }: PluggedDevice): UsbMark | undefined =>
  driver.usb.find(
    (mark) =>
      mark.by === by && mark.vendorId === vendorId && (mark.productId === undefined || mark.productId === productId),
  );

const hidCandidate = (device: PluggedDevice & { by: 'hid' }, drivers: Drivers): Candidate[] => {
  const { vendorId, productId, serial } = device;
  // An address cannot have every character of a serial number; with a single such device the ids are enough.
  const usable = serial !== undefined && /^[!-~]{1,64}$/.test(serial) ? serial : undefined;
  const at: LinkAddress = { link: 'hid', vendorId, productId, serial: usable };
  const marks = Object.entries(drivers).flatMap(([name, driver]) => {
    const mark = driver.hid === undefined ? undefined : findUsbMark(driver, device);
    return mark === undefined ? [] : [{ name, mark }];
  });
  const [first] = marks;
  if (first === undefined) return [];
  const candidates = marks.map(({ name }) => fitOf(name, at));
  return [{ place: printAddress(at), fits: candidates, likely: 'known', family: first.mark.name, ...usbOf(device) }];
};

const serialCandidate = (device: PluggedDevice & { by: 'serial' }, drivers: Drivers): Candidate => {
  const at: LinkAddress = { link: 'serial', path: device.path };
  const marks = Object.entries(drivers).flatMap(([name, driver]) => {
    const mark = findUsbMark(driver, device);
    return mark === undefined ? [] : [{ name, mark }];
  });
  const names = marks.length > 0 ? marks.map(({ name }) => name) : unmarkedFirst(drivers);
  const [first] = marks;
  return {
    place: printAddress(at),
    fits: names.map((name) => fitOf(name, at)),
    likely: first !== undefined ? 'known' : device.vendorId !== undefined ? 'perhaps' : 'unlikely',
    family: first?.mark.name,
    ...usbOf(device),
  };
};

/** A port without a USB mark could speak any protocol; drivers whose devices never have marks come first. */
const unmarkedFirst = (drivers: Drivers): string[] => {
  const hasMarks = (name: string) => Number((drivers[name]?.usb.length ?? 0) > 0);
  return Object.keys(drivers).sort((a, b) => hasMarks(a) - hasMarks(b));
};

const usbOf = ({ by: _, path, ...usb }: PluggedDevice): Pick<Candidate, 'usb' | 'path'> => ({
  usb: Object.keys(usb).length > 0 ? usb : undefined,
  path,
});

// Asks candidates whether they are terminals. A probe says hello, reads what the device reports about itself and
// closes: it never starts a payment. Ports are probed in parallel, the drivers of one port in turn.

/** The time that one driver has for one port, from opening it to closing it. */
export const PROBE_WITHIN_MS = 8_000;

export type ProbeTools = {
  clock: Clock;
  /** Receives what arrived unasked or garbled meanwhile. */
  report(stray: Fault): void;
  /** Opens a terminal; tests replace it where there is no hardware. */
  open?: (address: string, tools: OpenTools) => Promise<OpenTerminal>;
  /** Can insert itself between link and driver, as a trace does. */
  wrap?: OpenTools['wrap'];
  withinMs?: number;
  looks?: boolean | undefined;
};

/** What a terminal reported about itself. */
export type FoundTerminal = {
  address: string;
  driver: string;
  /** Manufacturer and protocol, for people. */
  title: string;
  kind: OpenTerminal['kind'];
  info: TerminalInfo;
  /** Card readers only: an integrated terminal does not report its keys. */
  keys?: readonly KeyState[];
  health?: TerminalHealth;
  /** What the terminal did not report, and why; whole sentences. */
  problems: readonly string[];
  tookMs: number;
};

/** One candidate's result: a terminal, several if a host has several ports, or the error of each driver. */
export type Probed = {
  candidate: Candidate;
  found: readonly FoundTerminal[];
  tried: readonly { address: string; why: Fault }[];
};

/**
 * Opens the terminal, does `work` and closes it, all within `withinMs`. Throws what opening or `work` throws, and
 * `terminal.silent` when the time is up; the link is closed then.
 */
export const withTerminal = async <T>(
  address: string,
  tools: ProbeTools,
  work: (device: OpenTerminal) => Promise<T>,
): Promise<T> => {
  const { clock, report, open = openTerminal, withinMs = PROBE_WITHIN_MS, looks } = tools;
  const timeoutFault = new Fault('terminal.silent', { command: 'our questions', ms: withinMs });
  let isOver = false;
  let link: Severable | undefined;
  const wrap: NonNullable<OpenTools['wrap']> = (bare, driver) => {
    link = makeSeverable(tools.wrap?.(bare, driver) ?? bare);
    // The port opened too late: nobody waits for it any more.
    if (isOver) void link.sever(timeoutFault);
    return link;
  };
  const run = async (): Promise<T> => {
    const device = await open(address, { clock, report, wrap, looks });
    try {
      return await work(device);
    } finally {
      await device.terminal.close();
    }
  };
  try {
    return await within(clock, withinMs, run(), () => timeoutFault);
  } catch (error) {
    isOver = true;
    // The port must be free again before another driver tries it.
    if (error === timeoutFault) await link?.sever(timeoutFault);
    throw error;
  }
};

/** What the terminal at this address reports about itself. Throws as `withTerminal` does. */
export const probe = (address: string, tools: ProbeTools): Promise<FoundTerminal> => {
  const startedAt = tools.clock.monotonic();
  return withTerminal(address, { ...tools, looks: true }, async (device) => {
    const found = await inspect(device);
    return { address, ...titleOf(address), kind: device.kind, ...found, tookMs: tools.clock.monotonic() - startedAt };
  });
};

const titleOf = (address: string): { driver: string; title: string } => {
  const driver = driverOf(address.replace(/\+.*$/s, ''));
  return { driver: driver.name, title: driver.title };
};

/** Reads information, keys and health. What the terminal refuses is listed as a problem; the rest is still read. */
export const inspect = async (
  device: OpenTerminal,
): Promise<Pick<FoundTerminal, 'info' | 'keys' | 'health' | 'problems'>> => {
  const problems: string[] = [];
  const ask = async <T>(what: string, question: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await question();
    } catch (error) {
      if (!isFault(error, 'terminal.refused', 'terminal.unready', 'terminal.busy')) throw error;
      problems.push(`It does not tell ${what}: ${errorText(error)}.`);
      return undefined;
    }
  };
  const info = await device.terminal.info();
  const keys = device.kind === 'reader' ? await ask('its keys', () => device.terminal.keys()) : undefined;
  const health = await ask('how it is', () => device.terminal.health());
  return { info, problems, keys, health };
};

/** The progress of a search: `done` of `all` places have been probed. */
export type SearchProgress = { done: number; all: number; last?: Probed };

/** Probes all candidates at once. Never rejects: a place without an answer gets the reason for each driver. */
export const probeAll = async (
  candidates: readonly Candidate[],
  tools: ProbeTools,
  notify: (progress: SearchProgress) => void = () => {},
): Promise<Probed[]> => {
  const all = candidates.length;
  let done = 0;
  notify({ done, all });
  return Promise.all(
    candidates.map(async (candidate) => {
      const last = await probeOne(candidate, tools);
      done += 1;
      notify({ done, all, last });
      return last;
    }),
  );
};

const probeOne = async (candidate: Candidate, tools: ProbeTools): Promise<Probed> => {
  const ends = await Promise.all(portsOf(candidate).map((candidates) => probePort(candidates, tools)));
  return {
    candidate,
    found: withoutDuplicates(ends.flatMap(({ found }) => found ?? [])),
    tried: ends.flatMap(({ tried }) => tried),
  };
};

/** The distinct terminals: one that listens at several of its ports counts once. */
export const withoutDuplicates = <T extends Pick<FoundTerminal, 'driver' | 'info'>>(found: readonly T[]): T[] =>
  found.filter(
    ({ driver, info }, i) =>
      !found.slice(0, i).some((one) => info.serial !== '' && one.driver === driver && one.info.serial === info.serial),
  );

type PortEnd = { found?: FoundTerminal; tried: Probed['tried'] };

/** Stops at the first protocol that answers: an identified terminal receives no bytes of another protocol. */
const probePort = async (candidates: Candidate['fits'], tools: ProbeTools): Promise<PortEnd> => {
  const tried: { address: string; why: Fault }[] = [];
  for (const { address } of candidates) {
    try {
      return { tried, found: await probe(address, tools) };
    } catch (error) {
      const fault = isFault(error) ? error : new Fault('program.failed', { why: errorText(error) }, error);
      tried.push({ address, why: fault });
      // If one driver cannot open the port, no other driver can.
      if (fault.code === 'link.unavailable') break;
    }
  }
  return { tried };
};
