/** The drivers by name, and the opening of a terminal by its address. */
import { Fault } from '../src/base/fault.ts';
import { type Address, parseAddress } from './address.ts';
import type { Link } from './links/link.ts';
import { openTcp } from './links/tcp.ts';
import { mpi } from './mpi/driver.ts';
import type { Driver, DriverTools, Terminal } from './terminal.ts';

export const drivers: Readonly<Record<string, Driver>> = { [mpi.name]: mpi };

/** The driver with this name. Throws `terminal.unknown`. */
export const driverOf = (name: string): Driver => {
  const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (driver === undefined) throw new Fault('terminal.unknown', { text: name });
  return driver;
};

/**
 * Opens the terminal at this address (see `parseAddress`). `wrap` may put itself between link and driver: a recording.
 * Throws `terminal.unknown`, `link.unavailable`, or what the device's hello ended with; no link stays open then.
 */
export const openTerminal = async (
  address: string,
  tools: DriverTools & { wrap?: (link: Link) => Link },
): Promise<Terminal> => {
  const at = parseAddress(address);
  const driver = driverOf(at.driver);
  const link = await openLink(at, tools);
  return driver.open(tools.wrap?.(link) ?? link, tools);
};

const openLink = async (at: Address, { clock }: DriverTools): Promise<Link> => {
  if (at.link === 'tcp') return openTcp({ host: at.host, port: at.port, clock });
  // The serial port's native part is loaded by tills that have one.
  const { openSerial } = await import('./links/serial.ts');
  return openSerial({ path: at.path, clock });
};
