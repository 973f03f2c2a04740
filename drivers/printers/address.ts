/** Printer addresses as people write them: `escpos`, the kind of link, and where it is. */
import { Fault, isFault } from '../../src/base/fault.ts';
import { printable } from '../../src/base/mask.ts';
import { parseAddress } from '../address.ts';

export type PrinterAddress =
  | { link: 'tcp'; host: string; port: number }
  | { link: 'serial'; path: string; baudRate: number }
  | { link: 'usb'; path: string };

/** What most serial printers are set to when they leave the factory, and what `@19200` behind the port changes. */
const USUAL_BAUD = 9_600;

/**
 * Reads `escpos+tcp://192.168.1.50:9100`, `escpos+serial:/dev/ttyUSB0` with `@19200` behind it or without, or
 * `escpos+usb:/dev/usb/lp0`. Throws `printer.address` for anything else.
 */
export const parsePrinterAddress = (text: string): PrinterAddress => {
  const unknown = () => new Fault('printer.address', { text: printable(text, 80) });
  const usb = /^escpos\+usb:(\/dev\/(?:usb\/)?lp\d{1,3})$/.exec(text)?.[1];
  if (usb !== undefined) return { link: 'usb', path: usb };
  const [, address = text, baud] = /^(escpos\+serial:.+)@(\d{3,7})$/.exec(text) ?? [];
  try {
    const at = parseAddress(address);
    if (at.driver !== 'escpos' || at.link === 'hid') throw unknown();
    if (at.link === 'tcp') return { link: 'tcp', host: at.host, port: at.port };
    return { link: 'serial', path: at.path, baudRate: Number(baud ?? USUAL_BAUD) };
  } catch (error) {
    if (isFault(error, 'terminal.unknown', 'terminal.protocolMissing')) throw unknown();
    throw error;
  }
};
