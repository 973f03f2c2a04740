/** Printer addresses as people write them: `escpos`, the kind of link, and where it is. */
import { Fault, isFault } from '../../src/base/fault.ts';
import { printable } from '../../src/base/mask.ts';
import { printAddress, readAddress } from '../address.ts';

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
