/** Addresses of terminals and printers as people write them: protocol, kind of link, and where it is. */
import { isIPv4, isIPv6 } from 'node:net';
import { Fault, isFault } from '../src/base/fault.ts';
import { printable } from '../src/base/mask.ts';

/** Where a device is connected, whatever protocol it speaks. */
export type LinkAddress =
  | { link: 'tcp'; host: string; port: number }
  | { link: 'serial'; path: string }
  | { link: 'hid'; vendorId: number; productId: number; serial?: string };

/** A connection together with the name of the driver to use. */
export type Address = LinkAddress & { driver: string };

/** An address as a person wrote it: the driver may be missing, and so may the port after an IP address. */
export type WrittenAddress = (LinkAddress | { link: 'tcp'; host: string; port?: number }) & { driver?: string };

/**
 * Reads `zvt+tcp://192.168.1.20:20007`, `mpi+serial:/dev/ttyACM0`, `mms+hid:0801:2020` with or without a serial number
 * after it, and the same addresses without a driver: `192.168.1.20:20007`, `[fe80::1]:20007`, `terminal.shop:20007`,
 * `192.168.1.20`, `COM3`, `com3`, `\\.\COM12`, `/dev/ttyACM0`, `hid:0801:2020`, `tcp://…`, `serial:…`. Throws
 * `terminal.unknown` for anything else.
 */
export const readAddress = (text: string): WrittenAddress => {
  const written = text.replace(/^[ \t]+|[ \t]+$/g, '');
  const [, driver, named] = /^([a-z][a-z0-9]*)\+(.+)$/.exec(written) ?? [];
  const place = isOneLine(written) ? parsePlace(named ?? written, driver !== undefined) : undefined;
  if (place === undefined) throw unknownAddress(text);
  return { ...place, driver };
};

/**
 * Like `readAddress`, for a caller that opens the address. Throws `terminal.protocolMissing` if the driver is missing.
 */
export const parseAddress = (text: string): Address => {
  const { driver, ...place } = readAddress(text);
  if (driver === undefined || !isWhole(place)) throw new Fault('terminal.protocolMissing', { address: text.trim() });
  return { ...place, driver };
};

const isWhole = (place: WrittenAddress): place is LinkAddress => place.link !== 'tcp' || place.port !== undefined;

const unknownAddress = (text: string): Fault => new Fault('terminal.unknown', { text: printable(text, 80) });

const isOneLine = (text: string): boolean => text.length <= 4_096 && !/[\0\r\n]/.test(text);

/**
 * After a driver's name the kind of link is required, so that a misspelled driver is not taken for a host or a file.
 */
const parsePlace = (text: string, behindDriver: boolean): WrittenAddress | undefined => {
  const [, link, rest = ''] = /^(tcp:\/\/|serial:|hid:)(.*)$/.exec(text) ?? [];
  if (link === 'tcp://') return parseNetworkPlace(rest.replace(/\/$/, ''), behindDriver ? 'needsPort' : 'portIsKnown');
  if (link === 'serial:') return parseSerialPlace(rest);
  if (link === 'hid:') return parseHidPlace(rest);
  return behindDriver ? undefined : (parseNetworkPlace(text, 'portIsKnown') ?? parseSerialPlace(text));
};

const parseNetworkPlace = (text: string, port: 'needsPort' | 'portIsKnown'): WrittenAddress | undefined => {
  const [, six, name = '', digits] = /^(?:\[([^\]]+)\]|([A-Za-z0-9.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = six ?? name;
  const isAddress = six === undefined ? isIPv4(host) : isIPv6(six);
  if (!isAddress && (six !== undefined || !isHostName(host))) return undefined;
  if (digits !== undefined) {
    const at = Number(digits);
    return at >= 1 && at <= 65_535 ? { link: 'tcp', host, port: at } : undefined;
  }
  // A single word could be a misspelled file or driver.
  return isAddress && port === 'portIsKnown' ? { link: 'tcp', host } : undefined;
};

/** RFC 1123. A last label of digits means a misspelled IP address, or a port with its speed (`COM3:9600`). */
const isHostName = (text: string): boolean => {
  const labels = text.replace(/\.$/, '').split('.');
  return (
    text.length <= 253 &&
    !/^(?:COM\d+|tcp|serial|hid)$/i.test(text) &&
    labels.every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
};

/** A Windows port, or a path that contains a slash and is not an address of another kind. */
const parseSerialPlace = (text: string): WrittenAddress | undefined => {
  // The serial port library adds the `\\.\` prefix itself, and finds no port if the name already has it.
  const com = /^(?:\\\\[.?]\\|\/\/[.?]\/)?(COM[1-9]\d{0,2})$/i.exec(text)?.[1];
  if (com !== undefined) return { link: 'serial', path: com.toUpperCase() };
  const isPath = /\/[^/]/.test(text) && !/^[a-z][a-z0-9+.-]*:/i.test(text) && text === text.trim();
  return isPath ? { link: 'serial', path: text } : undefined;
};

const parseHidPlace = (text: string): WrittenAddress | undefined => {
  const [, vendor, product = '', serial] = /^([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})(?::([!-~]{1,64}))?$/.exec(text) ?? [];
  if (vendor === undefined) return undefined;
  const ids = { vendorId: Number.parseInt(vendor, 16), productId: Number.parseInt(product, 16) };
  return { link: 'hid', ...ids, serial };
};

/** Writes an address in the one form that the till stores; `readAddress` reads it back. */
export const printAddress = (at: WrittenAddress): string =>
  `${at.driver === undefined ? '' : `${at.driver}+`}${printPlace(at)}`;

const printPlace = (at: WrittenAddress): string => {
  if (at.link === 'tcp') {
    const host = at.host.includes(':') ? `[${at.host}]` : at.host;
    return `tcp://${host}${at.port === undefined ? '' : `:${at.port}`}`;
  }
  if (at.link === 'serial') return `serial:${at.path}`;
  const printId = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
  return ['hid', printId(at.vendorId), printId(at.productId), ...(at.serial === undefined ? [] : [at.serial])].join(
    ':',
  );
};

export type PrinterAddress =
  | { link: 'tcp'; host: string; port: number }
  | { link: 'serial'; path: string; baudRate: number }
  | { link: 'usb'; path: string };

/** The factory setting of most serial printers; `@19200` after the port changes it. */
const USUAL_BAUD = 9_600;

/** The port on which most network printers listen. */
const USUAL_PORT = 9_100;

/**
 * Reads `escpos+tcp://192.168.1.50:9100`, `escpos+serial:/dev/ttyUSB0` with or without `@19200` after it, or
 * `escpos+usb:/dev/usb/lp0`. `escpos+` can be left out, and so can the port of a network printer: `192.168.1.50`,
 * `COM3`. Throws `printer.address` for anything else.
 */
export const parsePrinterAddress = (text: string): PrinterAddress => {
  const unknownPrinterAddress = () => new Fault('printer.address', { text: printable(text, 80) });
  const usb = /^(?:(?:escpos\+)?usb:)?(\/dev\/(?:usb\/)?lp\d{1,3})$/.exec(text)?.[1];
  if (usb !== undefined) return { link: 'usb', path: usb };
  const [, address = text, baud] = /^((?:(?:escpos\+)?serial:|COM\d|\/dev\/).*)@(\d{3,7})$/i.exec(text) ?? [];
  try {
    const at = readAddress(address);
    if ((at.driver ?? 'escpos') !== 'escpos' || at.link === 'hid') throw unknownPrinterAddress();
    if (at.link === 'tcp') return { link: 'tcp', host: at.host, port: at.port ?? USUAL_PORT };
    return { link: 'serial', path: at.path, baudRate: Number(baud ?? USUAL_BAUD) };
  } catch (error) {
    if (isFault(error, 'terminal.unknown')) throw unknownPrinterAddress();
    throw error;
  }
};

/** Completes an address to the form that till.json holds and every version reads. Throws `printer.address`. */
export const completePrinterAddress = (text: string): string => {
  const at = parsePrinterAddress(text);
  if (at.link === 'usb') return `escpos+usb:${at.path}`;
  const speed = at.link === 'serial' && at.baudRate !== USUAL_BAUD ? `@${at.baudRate}` : '';
  return `${printAddress({ ...at, driver: 'escpos' })}${speed}`;
};
