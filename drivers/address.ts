/** Addresses of terminals and printers as people write them: protocol, kind of link, and where it is. */
import { isIPv4, isIPv6 } from 'node:net';
import { Fault, isFault } from '../src/base/fault.ts';
import { printable } from '../src/base/mask.ts';

/** Where something is connected, whatever protocol it speaks. */
export type LinkAddress =
  | { link: 'tcp'; host: string; port: number }
  | { link: 'serial'; path: string }
  | { link: 'hid'; vendorId: number; productId: number; serial?: string };

/** A place with the name of its driver. */
export type Address = LinkAddress & { driver: string };

/** What a person wrote: the driver may be missing, and behind an IP address the port. */
export type WrittenAddress = (LinkAddress | { link: 'tcp'; host: string; port?: number }) & { driver?: string };

/**
 * Reads `zvt+tcp://192.168.1.20:20007`, `mpi+serial:/dev/ttyACM0`, `mms+hid:0801:2020` with a serial number behind it
 * or without; and the same without a driver: `192.168.1.20:20007`, `[fe80::1]:20007`, `terminal.shop:20007`,
 * `192.168.1.20`, `COM3`, `com3`, `\\.\COM12`, `/dev/ttyACM0`, `hid:0801:2020`, `tcp://…`, `serial:…`.
 * Throws `terminal.unknown` for anything else.
 */
export const readAddress = (text: string): WrittenAddress => {
  const written = text.replace(/^[ \t]+|[ \t]+$/g, '');
  const [, driver, named] = /^([a-z][a-z0-9]*)\+(.+)$/.exec(written) ?? [];
  const place = isOneLine(written) ? placeIn(named ?? written, driver !== undefined) : undefined;
  if (place === undefined) throw unknown(text);
  return { ...place, driver };
};

/** As `readAddress`, for whoever opens it. Throws `terminal.protocolMissing` for a place without its driver. */
export const parseAddress = (text: string): Address => {
  const { driver, ...place } = readAddress(text);
  if (driver === undefined || !isWhole(place)) throw new Fault('terminal.protocolMissing', { address: text.trim() });
  return { ...place, driver };
};

const isWhole = (place: WrittenAddress): place is LinkAddress => place.link !== 'tcp' || place.port !== undefined;

const unknown = (text: string): Fault => new Fault('terminal.unknown', { text: printable(text, 80) });

const isOneLine = (text: string): boolean => text.length <= 4_096 && !/[\0\r\n]/.test(text);

/** Behind a driver's name the kind of link is always named, so that a misspelled name is no host and no file. */
const placeIn = (text: string, behindDriver: boolean): WrittenAddress | undefined => {
  const [, link, rest = ''] = /^(tcp:\/\/|serial:|hid:)(.*)$/.exec(text) ?? [];
  if (link === 'tcp://') return networkIn(rest.replace(/\/$/, ''), behindDriver ? 'needsPort' : 'portIsKnown');
  if (link === 'serial:') return serialIn(rest);
  if (link === 'hid:') return hidIn(rest);
  return behindDriver ? undefined : (networkIn(text, 'portIsKnown') ?? serialIn(text));
};

const networkIn = (text: string, port: 'needsPort' | 'portIsKnown'): WrittenAddress | undefined => {
  const [, six, name = '', digits] = /^(?:\[([^\]]+)\]|([A-Za-z0-9.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = six ?? name;
  const isAddress = six === undefined ? isIPv4(host) : isIPv6(six);
  if (!isAddress && (six !== undefined || !isHostName(host))) return undefined;
  if (digits !== undefined) {
    const at = Number(digits);
    return at >= 1 && at <= 65_535 ? { link: 'tcp', host, port: at } : undefined;
  }
  // A word alone may be a misspelled file or driver.
  return isAddress && port === 'portIsKnown' ? { link: 'tcp', host } : undefined;
};

/** RFC 1123. Digits behind the last dot would be a misspelled IP address, `COM3:9600` a port with its speed. */
const isHostName = (text: string): boolean => {
  const labels = text.replace(/\.$/, '').split('.');
  return (
    text.length <= 253 &&
    !/^(?:COM\d+|tcp|serial|hid)$/i.test(text) &&
    labels.every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
};

/** A Windows port, or a path with a slash that is no address of another kind. */
const serialIn = (text: string): WrittenAddress | undefined => {
  // The library for serial ports puts `\\.\` before the name itself, and finds no port where it stands twice.
  const com = /^(?:\\\\[.?]\\|\/\/[.?]\/)?(COM[1-9]\d{0,2})$/i.exec(text)?.[1];
  if (com !== undefined) return { link: 'serial', path: com.toUpperCase() };
  const isPath = /\/[^/]/.test(text) && !/^[a-z][a-z0-9+.-]*:/i.test(text) && text === text.trim();
  return isPath ? { link: 'serial', path: text } : undefined;
};

const hidIn = (text: string): WrittenAddress | undefined => {
  const [, vendor, product = '', serial] = /^([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})(?::([!-~]{1,64}))?$/.exec(text) ?? [];
  if (vendor === undefined) return undefined;
  const ids = { vendorId: Number.parseInt(vendor, 16), productId: Number.parseInt(product, 16) };
  return { link: 'hid', ...ids, serial };
};

/** The address as `readAddress` reads it, in the one way of writing that the till keeps. */
export const printAddress = (at: WrittenAddress): string =>
  `${at.driver === undefined ? '' : `${at.driver}+`}${placeText(at)}`;

const placeText = (at: WrittenAddress): string => {
  if (at.link === 'tcp') {
    const host = at.host.includes(':') ? `[${at.host}]` : at.host;
    return `tcp://${host}${at.port === undefined ? '' : `:${at.port}`}`;
  }
  if (at.link === 'serial') return `serial:${at.path}`;
  const id = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
  return ['hid', id(at.vendorId), id(at.productId), ...(at.serial === undefined ? [] : [at.serial])].join(':');
};

export type PrinterAddress =
  | { link: 'tcp'; host: string; port: number }
  | { link: 'serial'; path: string; baudRate: number }
  | { link: 'usb'; path: string };

/** What most serial printers are set to when they leave the factory, and what `@19200` behind the port changes. */
const USUAL_BAUD = 9_600;

/** Where most network printers take what they are to print. */
const USUAL_PORT = 9_100;

/**
 * Reads `escpos+tcp://192.168.1.50:9100`, `escpos+serial:/dev/ttyUSB0` with `@19200` behind it or without, or
 * `escpos+usb:/dev/usb/lp0`; and each without `escpos+`, a network printer then without its port, too: `192.168.1.50`,
 * `COM3`. Throws `printer.address` for anything else.
 */
export const parsePrinterAddress = (text: string): PrinterAddress => {
  const unknown = () => new Fault('printer.address', { text: printable(text, 80) });
  const usb = /^(?:(?:escpos\+)?usb:)?(\/dev\/(?:usb\/)?lp\d{1,3})$/.exec(text)?.[1];
  if (usb !== undefined) return { link: 'usb', path: usb };
  const [, address = text, baud] = /^((?:(?:escpos\+)?serial:|COM\d|\/dev\/).*)@(\d{3,7})$/i.exec(text) ?? [];
  try {
    const at = readAddress(address);
    if ((at.driver ?? 'escpos') !== 'escpos' || at.link === 'hid') throw unknown();
    if (at.link === 'tcp') return { link: 'tcp', host: at.host, port: at.port ?? USUAL_PORT };
    return { link: 'serial', path: at.path, baudRate: Number(baud ?? USUAL_BAUD) };
  } catch (error) {
    if (isFault(error, 'terminal.unknown')) throw unknown();
    throw error;
  }
};

/** The whole of what a person wrote, as till.json has it and every version reads it. Throws `printer.address`. */
export const wholePrinterAddress = (text: string): string => {
  const at = parsePrinterAddress(text);
  if (at.link === 'usb') return `escpos+usb:${at.path}`;
  const speed = at.link === 'serial' && at.baudRate !== USUAL_BAUD ? `@${at.baudRate}` : '';
  return `${printAddress({ ...at, driver: 'escpos' })}${speed}`;
};
