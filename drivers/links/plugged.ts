/**
 * Lists what is connected to this machine, as the operating system reports it: serial ports and HID devices. Nothing is
 * opened. Where the usual way fails (no udevadm, no libudev) the system's own files are read instead.
 */
import { type Dirent, existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText } from '../../src/base/fault.ts';
import { printable } from '../../src/base/mask.ts';
import { present } from '../codec.ts';
import type { HidPlugged } from './hid.ts';

/** What the USB device behind a port reports about itself. A port of the mainboard reports nothing. */
export type UsbWords = {
  vendorId?: number;
  productId?: number;
  serial?: string;
  manufacturer?: string;
  product?: string;
};

/** `path` is the port to open, or the node of a HID device where the system has nodes. */
export type PluggedDevice =
  | (UsbWords & { by: 'serial'; path: string })
  | (UsbWords & { by: 'hid'; vendorId: number; productId: number; path?: string });

/** What could not be listed in the usual way, so that the system's files were read instead. `why`: the error. */
export type ListingProblem = { by: PluggedDevice['by']; why: string };

export type PluggedDevices = { devices: readonly PluggedDevice[]; problems: readonly ListingProblem[] };

/** The two native lists, which tests replace. */
export type Listings = {
  serial(): Promise<readonly SerialRow[]>;
  hid(): Promise<readonly HidRow[]>;
  /** The root of the system's files: `/`. */
  root: string;
};
type SerialRow = Partial<
  Record<'path' | 'vendorId' | 'productId' | 'serialNumber' | 'manufacturer', string | undefined>
>;
type HidRow = Pick<HidPlugged, 'vendorId' | 'productId' | 'serial' | 'product'> & { path?: string };

/** Everything that could be a terminal. Never rejects: lists that fail are reported among the problems. */
export const listPluggedDevices = async (listings: Listings = native): Promise<PluggedDevices> => {
  const problems: ListingProblem[] = [];
  const ask = async <T>(by: PluggedDevice['by'], work: () => Promise<T>, instead: () => T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      problems.push({ by, why: printable(errorText(error)) });
      return instead();
    }
  };
  const { root } = listings;
  const [serial, hid] = await Promise.all([
    ask(
      'serial',
      async () => (await listings.serial()).flatMap(serialOf),
      () => serialFromFiles(root),
    ),
    ask(
      'hid',
      async () => (await listings.hid()).map(hidOf),
      () => hidFromFiles(root),
    ),
  ]);
  // A device with several HID interfaces is listed once for each.
  const byKey = new Map([...serial, ...hid].map((device) => [keyOf(device), device]));
  return { devices: [...byKey.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)), problems };
};

const native: Listings = {
  root: '/',
  serial: async () => (await import('serialport')).SerialPort.list(),
  hid: async () => (await import('./hid.ts')).nodeHid().listDevices(),
};

const keyOf = ({ by, path, vendorId, productId, serial }: PluggedDevice): string =>
  by === 'serial' ? `0 ${path}` : `1 ${vendorId} ${productId} ${serial ?? path ?? ''}`;

/** A device's description of itself. A serial number as long as a card number is kept: it identifies the device. */
const clean = (text: string | undefined): string | undefined => {
  const display = (text ?? '').replace(/\p{C}/gu, '').trim().slice(0, 80);
  return display === '' ? undefined : display;
};

const id = (text: string | undefined): number | undefined =>
  /^[0-9a-f]{1,4}$/i.test(text ?? '') ? Number.parseInt(text ?? '', 16) : undefined;

const serialOf = ({ path, ...row }: SerialRow): PluggedDevice[] => {
  if (path === undefined) return [];
  const { serialNumber, manufacturer } = row;
  const usb = { vendorId: id(row.vendorId), productId: id(row.productId) };
  return [
    { by: 'serial', path, ...present({ ...usb, serial: clean(serialNumber), manufacturer: clean(manufacturer) }) },
  ];
};

const hidOf = ({ vendorId, productId, path, serial, product }: HidRow): PluggedDevice => {
  return { by: 'hid', vendorId, productId, ...present({ serial: clean(serial), product: clean(product), path }) };
};

/** USB serial ports by their names in /dev, with the descriptions from /sys and /dev/serial/by-id. */
const serialFromFiles = (root: string): PluggedDevice[] => {
  const byId = byIdNames(root);
  return names(join(root, 'dev'))
    .filter((name) => /^tty(ACM|USB)\d+$/.test(name))
    .map((name) => {
      const usb = findUsbParent(join(root, 'sys/class/tty', name, 'device'));
      const manufacturer = usb.manufacturer ?? clean(byId.get(name));
      return { by: 'serial', path: join(root, 'dev', name), ...usb, ...present({ manufacturer }) };
    });
};

/** The name of each port in /dev/serial/by-id: `usb-ACME_Reader_0042-if00`. */
const byIdNames = (root: string): ReadonlyMap<string, string> => {
  const folder = join(root, 'dev/serial/by-id');
  return new Map(names(folder).map((name) => [basename(readlinkSync(join(folder, name))), name]));
};

/** HID devices from /sys/class/hidraw: each has a file with `HID_ID=0003:00000801:00002020`. */
const hidFromFiles = (root: string): PluggedDevice[] =>
  names(join(root, 'sys/class/hidraw')).flatMap((name): PluggedDevice[] => {
    const about = textOf(join(root, 'sys/class/hidraw', name, 'device/uevent')) ?? '';
    const [, vendor, product] = /^HID_ID=[0-9A-F]+:0*([0-9A-F]{4}):0*([0-9A-F]{4})$/im.exec(about) ?? [];
    const [vendorId, productId] = [id(vendor), id(product)];
    if (vendorId === undefined || productId === undefined) return [];
    const fieldOf = (key: string) => clean(new RegExp(`^${key}=(.*)$`, 'm').exec(about)?.[1]);
    const described = present({ serial: fieldOf('HID_UNIQ'), product: fieldOf('HID_NAME') });
    return [{ by: 'hid', path: join(root, 'dev', name), vendorId, productId, ...described }];
  });

/** The maximum number of levels between a port and its USB device: interface, device, and some for adapters. */
const LEVELS = 6;

const findUsbParent = (link: string): UsbWords => {
  if (!existsSync(link)) return {};
  let at = realpathSync(link);
  for (let level = 0; level < LEVELS; level += 1, at = dirname(at)) {
    const vendorId = id(textOf(join(at, 'idVendor')));
    if (vendorId === undefined) continue;
    const [serial, manufacturer, product] = ['serial', 'manufacturer', 'product'].map((name) =>
      clean(textOf(join(at, name))),
    );
    return present({ vendorId, productId: id(textOf(join(at, 'idProduct'))), serial, manufacturer, product });
  }
  return {};
};

/** The sorted names in a folder; empty when the folder does not exist. */
const names = (folder: string): string[] =>
  existsSync(folder) ? (readdirSync(folder, { withFileTypes: true }) as Dirent[]).map(({ name }) => name).sort() : [];

const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);
