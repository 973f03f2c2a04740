/** Terminal addresses as people write them: driver, kind of link, and where it is. */
import { Fault } from '../src/base/fault.ts';
import { printable } from '../src/base/mask.ts';

export type Address =
  | { driver: string; link: 'tcp'; host: string; port: number }
  | { driver: string; link: 'serial'; path: string }
  | { driver: string; link: 'hid'; vendorId: number; productId: number; serial?: string };

/** The driver of a plain serial path. */
const usualDriver = 'mpi';

/**
 * Reads `mpi+tcp://127.0.0.1:7000`, `mpi+serial:/dev/ttyACM0`, `mms+hid:0801:2020` with a serial number behind it or
 * without, or the path of a serial port alone.
 * Throws `terminal.unknown` for anything else.
 */
export const parseAddress = (text: string): Address => {
  const unknown = () => new Fault('terminal.unknown', { text: printable(text, 80) });
  if (text.length > 4_096 || /[\0\r\n]/.test(text)) throw unknown();

  const tcp = /^([a-z][a-z0-9]*)\+tcp:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})\/?$/.exec(text);
  if (tcp !== null) {
    const [, driver = '', host = '', port = ''] = tcp;
    if (Number(port) < 1 || Number(port) > 65_535) throw unknown();
    return { driver, link: 'tcp', host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  }
  const serial = /^([a-z][a-z0-9]*)\+serial:(.+)$/.exec(text);
  if (serial !== null) {
    const [, driver = '', path = ''] = serial;
    if (!isPort(path)) throw unknown();
    return { driver, link: 'serial', path };
  }
  const hid = /^([a-z][a-z0-9]*)\+hid:([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})(?::([!-~]{1,64}))?$/.exec(text);
  if (hid !== null) {
    const [, driver = '', vendor = '', product = '', serial] = hid;
    const ids = { vendorId: Number.parseInt(vendor, 16), productId: Number.parseInt(product, 16) };
    return { driver, link: 'hid', ...ids, ...(serial === undefined ? {} : { serial }) };
  }
  if (!isPort(text)) throw unknown();
  return { driver: usualDriver, link: 'serial', path: text };
};

/** A path with a slash that is no address of another kind, or a Windows port. A bare word may be a misspelling. */
const isPort = (path: string): boolean =>
  /^(\\\\\.\\)?COM\d{1,3}$/i.test(path) || (/\/[^/]/.test(path) && !/^[a-z][a-z0-9+.-]*:/i.test(path));

/** The address as `parseAddress` reads it. */
export const printAddress = (at: Address): string => {
  if (at.link === 'tcp') return `${at.driver}+tcp://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
  if (at.link === 'serial') return `${at.driver}+serial:${at.path}`;
  const id = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
  return [`${at.driver}+hid`, id(at.vendorId), id(at.productId), ...(at.serial === undefined ? [] : [at.serial])].join(
    ':',
  );
};
