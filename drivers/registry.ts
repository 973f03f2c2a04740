/** The drivers by name, and how a terminal is opened by its address. */
import { Fault } from '../src/base/fault.ts';
import { type Address, parseAddress, readAddress } from './address.ts';
import type { Driver, DriverTools } from './driver.ts';
import type { IntegratedTerminal } from './integrated-terminal.ts';
import type { Link } from './links/link.ts';
import { openTcp } from './links/tcp.ts';
import { mms } from './mms/driver/driver.ts';
import { mpi } from './mpi/driver/driver.ts';
import { neo2 } from './neo2/driver/driver.ts';
import type { Terminal } from './terminal.ts';
import { zvt } from './zvt/driver/driver.ts';

export const drivers: Readonly<Record<string, Driver>> = {
  [mms.name]: mms,
  [mpi.name]: mpi,
  [neo2.name]: neo2,
  [zvt.name]: zvt,
};

/** The driver with this name. Throws `terminal.unknown`. */
export const driverOf = (name: string): Driver => {
  const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (driver === undefined) throw new Fault('terminal.unknown', { text: name });
  return driver;
};

/** The driver that an address names; undefined for an address without one. Throws `terminal.unknown`. */
export const driverAt = (address: string): Driver | undefined => {
  const { driver } = readAddress(address);
  return driver === undefined ? undefined : driverOf(driver);
};

/** Whether the terminal asks its bank itself, according to its address. Throws `terminal.unknown`. */
export const asksBankAt = (address: string): boolean => driverAt(address)?.kind === 'integrated';

export type OpenTerminal =
  | { kind: 'reader'; terminal: Terminal }
  | { kind: 'integrated'; terminal: IntegratedTerminal };

/** `wrap` can insert itself between link and driver, as a recording does. */
export type OpenTools = DriverTools & { wrap?: (link: Link, driver: Driver) => Link };

/**
 * Opens the terminal at this address (see `parseAddress`). Throws `terminal.unknown`, `terminal.protocolMissing`,
 * `link.unavailable`, or the fault of the device's hello; no link stays open then.
 */
export const openTerminal = async (address: string, tools: OpenTools): Promise<OpenTerminal> => {
  const at = parseAddress(address);
  const driver = driverOf(at.driver);
  const connect = async (): Promise<Link> => {
    const link = await openLink(at, driver, tools);
    return tools.wrap?.(link, driver) ?? link;
  };
  const link = await connect();
  if (driver.kind === 'reader') return { kind: 'reader', terminal: await driver.open(link, tools) };
  const terminal = await driver.open(link, { ...tools, reopen: at.link === 'tcp' ? connect : undefined });
  return { kind: 'integrated', terminal };
};

/** The bare link to this address. Throws `link.unavailable`, and `terminal.unknown` for a protocol without HID. */
export const openLink = async (
  address: Address,
  { serial, hid, name }: Driver,
  { clock }: DriverTools,
): Promise<Link> => {
  if (address.link === 'tcp') return openTcp({ host: address.host, port: address.port, clock });
  // Native modules are loaded only by tills that use such a link.
  if (address.link === 'serial') {
    const { openSerial } = await import('./links/serial.ts');
    return openSerial({ path: address.path, ...serial, clock });
  }
  if (hid === undefined) throw new Fault('terminal.unknown', { text: `${name}+hid` });
  const { openHid } = await import('./links/hid.ts');
  return openHid({ ...address, ...hid, clock });
};
