/** Which of the things plugged in here may be terminals, and which drivers may fit them. Nothing is opened. */
import { Fault } from '../src/base/fault.ts';
import { printable } from '../src/base/mask.ts';
import { type Address, parseAddress, printAddress } from './address.ts';
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
 * The candidate at a place that a person names: an address with a driver, or one without (`10.0.0.7:6543`, `COM3`,
 * `/dev/ttyACM0`, `hid:0801:2020`), where every driver with such a link may fit; first those whose devices listen at
 * that port as a rule. Throws `terminal.unknown`.
 */
export const candidateAt = (text: string, drivers: Drivers = all): Candidate => {
  const [place, driver] = splitPlace(text, drivers);
  const at = addressAt(`${driver ?? 'any'}+${place}`, text);
  const names = driver === undefined ? usualFirst(at, drivers) : [driver];
  const fits = names
    .filter((name) => at.link !== 'hid' || drivers[name]?.hid !== undefined)
    .map((name) => fitOf(name, { ...at, driver: name }));
  if (fits.length === 0) throw unknown(text);
  return { place, fits, likely: 'known', ...(at.link === 'serial' && { path: at.path }) };
};

const usualFirst = (at: Address, drivers: Drivers): string[] => {
  const listens = (name: string): boolean => at.link === 'tcp' && drivers[name]?.tcpPorts?.includes(at.port) === true;
  return Object.keys(drivers).sort((a, b) => Number(listens(b)) - Number(listens(a)));
};

/** Refused as it was written by the person, not as it was completed here. */
const addressAt = (address: string, text: string): Address => {
  try {
    return parseAddress(address);
  } catch (error) {
    throw unknown(text, error);
  }
};

const unknown = (text: string, cause?: unknown): Fault =>
  new Fault('terminal.unknown', { text: printable(text, 80) }, cause);

/** The place, and the driver if one is named: a bare path names none, though it would do as an address. */
const splitPlace = (text: string, drivers: Drivers): [place: string, driver: string | undefined] => {
  const [, driver, place] = /^([a-z][a-z0-9]*)\+(.+)$/s.exec(text) ?? [];
  if (driver !== undefined && place !== undefined) {
    if (!Object.hasOwn(drivers, driver)) throw unknown(text);
    return [place, driver];
  }
  if (/^(tcp:|serial:|hid:)/.test(text)) return [text, undefined];
  return [HOST_AND_PORT.test(text) ? `tcp://${text}` : `serial:${text}`, undefined];
};

/** `192.168.1.20:20007`, `[fe80::1]:20007`, `terminal.shop:20007`. */
const HOST_AND_PORT = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):\d{1,5}$/;

const fitOf = (driver: string, at: Address): { driver: string; address: string } => ({
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
  const at: Address = { driver: 'any', link: 'hid', vendorId, productId, ...told };
  const marks = Object.entries(drivers).flatMap(([name, driver]) => {
    const mark = driver.hid === undefined ? undefined : marked(driver, device);
    return mark === undefined ? [] : [{ name, mark }];
  });
  const [first] = marks;
  if (first === undefined) return [];
  const fits = marks.map(({ name }) => fitOf(name, at));
  return [{ place: placeOf(at), fits, likely: 'known', family: first.mark.name, ...facts(device) }];
};

const serialCandidate = (device: Plugged & { by: 'serial' }, drivers: Drivers): Candidate => {
  const at: Address = { driver: 'any', link: 'serial', path: device.path };
  const marks = Object.entries(drivers).flatMap(([name, driver]) => {
    const mark = marked(driver, device);
    return mark === undefined ? [] : [{ name, mark }];
  });
  const names = marks.length > 0 ? marks.map(({ name }) => name) : unmarkedFirst(drivers);
  const [first] = marks;
  return {
    place: placeOf(at),
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

const placeOf = (at: Address): string => printAddress(at).replace(/^any\+/, '');

const facts = ({ by: _, path, ...usb }: Plugged): Pick<Candidate, 'usb' | 'path'> => ({
  ...(Object.keys(usb).length > 0 && { usb }),
  ...(path !== undefined && { path }),
});
