/** Which of the things plugged in here may be terminals, and which drivers may fit them. Nothing is opened. */
import { Fault } from '../src/base/fault.ts';
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
import type { Plugged, UsbWords } from './links/plugged.ts';
import { drivers as all } from './registry.ts';

type Drivers = Readonly<Record<string, Driver>>;

export type Candidate = {
  /** Where it is, without a driver: `serial:/dev/ttyACM0`, `hid:0801:2020:B5`, `tcp://10.0.0.7:6543`. */
  place: string;
  /** Drivers that may fit, the likeliest first, each with the terminal's address as that driver would have it. */
  fits: readonly { driver: string; address: string }[];
  /**
   * `known`: a driver's mark fits, or a person named it. `perhaps`: a USB port of a maker that nobody listed.
   * `unlikely`: a port of the mainboard, where a printer or a scale may listen: it is only asked when a person says so.
   */
  likely: 'known' | 'perhaps' | 'unlikely';
  /** The manufacturer's name of the family, when a mark fits. */
  family?: string;
  usb?: UsbWords;
  /** The port or node to look at when it cannot be opened. */
  path?: string;
};

/** Candidates among what is plugged in, the likeliest first. HID devices that no driver knows are none. */
export const candidatesOf = (plugged: readonly Plugged[], drivers: Drivers = all): Candidate[] =>
  plugged
    .flatMap((device) => (device.by === 'hid' ? hidCandidate(device, drivers) : [serialCandidate(device, drivers)]))
    .sort((a, b) => order.indexOf(a.likely) - order.indexOf(b.likely));

const order: readonly Candidate['likely'][] = ['known', 'perhaps', 'unlikely'];

/**
 * The candidate at an address that a person wrote (`readAddress`). Without a driver every driver with such a link may
 * fit, first those whose devices listen at that port as a rule; of an IP address alone, each driver at each port where
 * its devices listen as a rule. Throws `terminal.unknown`.
 */
export const candidateAt = (text: string, drivers: Drivers = all): Candidate => {
  const { driver, ...written } = readAddress(text);
  const fits = (driver === undefined ? placesOf(written, drivers) : [parseAddress(text)])
    .filter((at) => Object.hasOwn(drivers, at.driver) && (at.link !== 'hid' || drivers[at.driver]?.hid !== undefined))
    .map((at) => ({ driver: at.driver, address: printAddress(at) }));
  if (fits.length === 0) throw new Fault('terminal.unknown', { text: printable(text, 80) });
  const path = written.link === 'serial' ? written.path : undefined;
  return { place: printAddress(written), fits, likely: 'known', ...(path !== undefined && { path }) };
};

/** The addresses that a place without a driver may have. */
const placesOf = (written: WrittenAddress, drivers: Drivers): Address[] => {
  if (written.link !== 'tcp') return Object.keys(drivers).map((driver) => ({ ...written, driver }));
  const { link, host, port } = written;
  const ports = (driver: string) => drivers[driver]?.tcpPorts ?? [];
  const names = Object.keys(drivers);
  if (port === undefined) return names.flatMap((driver) => ports(driver).map((port) => ({ link, host, port, driver })));
  const listens = (driver: string) => Number(ports(driver).includes(port));
  return names.toSorted((a, b) => listens(b) - listens(a)).map((driver) => ({ link, host, port, driver }));
};

/** The candidate's addresses port by port: one of them, unless it is an IP address alone. */
export const portsOf = ({ fits }: Candidate): Candidate['fits'][] =>
  Object.values(Object.groupBy(fits, ({ address }) => address.replace(/^[a-z0-9]+\+/, ''))).flatMap((port) => [
    port ?? [],
  ]);

const fitOf = (driver: string, at: LinkAddress): { driver: string; address: string } => ({
  driver,
  address: printAddress({ ...at, driver }),
});

const marked = (driver: Driver, { by, vendorId, productId }: Plugged): UsbMark | undefined =>
  driver.usb.find(
    (mark) =>
      mark.by === by && mark.vendorId === vendorId && (mark.productId === undefined || mark.productId === productId),
  );

const hidCandidate = (device: Plugged & { by: 'hid' }, drivers: Drivers): Candidate[] => {
  const { vendorId, productId, serial } = device;
  // A serial number with characters that an address cannot have is left out: the ids are enough with one such device.
  const told = serial !== undefined && /^[!-~]{1,64}$/.test(serial) ? { serial } : {};
  const at: LinkAddress = { link: 'hid', vendorId, productId, ...told };
  const marks = Object.entries(drivers).flatMap(([name, driver]) => {
    const mark = driver.hid === undefined ? undefined : marked(driver, device);
    return mark === undefined ? [] : [{ name, mark }];
  });
  const [first] = marks;
  if (first === undefined) return [];
  const fits = marks.map(({ name }) => fitOf(name, at));
  return [{ place: printAddress(at), fits, likely: 'known', family: first.mark.name, ...facts(device) }];
};

const serialCandidate = (device: Plugged & { by: 'serial' }, drivers: Drivers): Candidate => {
  const at: LinkAddress = { link: 'serial', path: device.path };
  const marks = Object.entries(drivers).flatMap(([name, driver]) => {
    const mark = marked(driver, device);
    return mark === undefined ? [] : [{ name, mark }];
  });
  const names = marks.length > 0 ? marks.map(({ name }) => name) : unmarkedFirst(drivers);
  const [first] = marks;
  return {
    place: printAddress(at),
    fits: names.map((name) => fitOf(name, at)),
    likely: first !== undefined ? 'known' : device.vendorId !== undefined ? 'perhaps' : 'unlikely',
    ...(first !== undefined && { family: first.mark.name }),
    ...facts(device),
  };
};

/** A port that bears no mark may speak any protocol; first those whose devices have no marks at all. */
const unmarkedFirst = (drivers: Drivers): string[] => {
  const hasMarks = (name: string) => Number((drivers[name]?.usb.length ?? 0) > 0);
  return Object.keys(drivers).sort((a, b) => hasMarks(a) - hasMarks(b));
};

const facts = ({ by: _, path, ...usb }: Plugged): Pick<Candidate, 'usb' | 'path'> => ({
  ...(Object.keys(usb).length > 0 && { usb }),
  ...(path !== undefined && { path }),
});
