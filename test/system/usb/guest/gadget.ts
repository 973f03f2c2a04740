/** USB devices made from the kernel's gadget parts: their descriptors, and plugging them in and out. */
import { mkdirSync, readFileSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a device describes itself when it is plugged in. */
export type UsbWords = {
  vendorId: number;
  productId: number;
  manufacturer: string;
  product: string;
  serial: string;
};

/** How it communicates: HID reports of 64 bytes, with ids or without, or a serial port (CDC-ACM). */
export type UsbForm = 'reports' | 'reportsWithIds' | 'stream';

export type Gadget = {
  /** Plugs it into one of the machine's ports. Returns the node that the device itself uses. */
  plugIn(port: number): string;
  /** Pulls the cable. Does nothing if it is not plugged in. */
  unplug(): void;
  /** Pulls the cable and removes the device: the kernel has room for four HID and eight serial ones. */
  remove(): void;
};

const gadgets = '/sys/kernel/config/usb_gadget';
const english = '0x409';

/** As many as the controller's module is configured for. */
export const ports = 5;

/** Describes a device to the kernel; nothing is plugged in yet. */
export const gadget = (strings: UsbWords, form: UsbForm): Gadget => {
  const { vendorId, productId, manufacturer, product, serial } = strings;
  const root = join(gadgets, serial);
  const set = (path: string, value: string | Uint8Array) => writeFileSync(join(root, path), value);
  const folder = (path: string) => mkdirSync(join(root, path), { recursive: true });
  const hex = (value: number) => `0x${value.toString(16)}`;

  folder('');
  set('idVendor', hex(vendorId));
  set('idProduct', hex(productId));
  folder(`strings/${english}`);
  set(`strings/${english}/manufacturer`, manufacturer);
  set(`strings/${english}/product`, product);
  set(`strings/${english}/serialnumber`, serial);
  folder('configs/c.1');
  const part = `functions/${form === 'stream' ? 'acm' : 'hid'}.0`;
  folder(part);
  if (form !== 'stream') {
    set(`${part}/report_length`, '64');
    set(`${part}/report_desc`, form === 'reports' ? plainReports : reportsWithIds);
  }
  symlinkSync(join(root, part), join(root, 'configs/c.1/part'));

  const unplug = (): void => {
    if (readFileSync(join(root, 'UDC'), 'utf8').trim() !== '') set('UDC', '\n');
  };
  return {
    unplug,
    plugIn(port) {
      set('UDC', `dummy_udc.${port}`);
      const number = readFileSync(join(root, part, form === 'stream' ? 'port_num' : 'dev'), 'utf8').trim();
      // The node's number is the minor of "236:1".
      return form === 'stream' ? `/dev/ttyGS${number}` : `/dev/hidg${number.split(':')[1]}`;
    },
    remove() {
      unplug();
      unlinkSync(join(root, 'configs/c.1/part'));
      for (const created of ['configs/c.1', part, `strings/${english}`, '']) rmdirSync(join(root, created));
    },
  };
};

/** Vendor usage page FF00, usage 1, one collection; values 0 to 255, eight bits each. */
const collection = (items: readonly number[]): Uint8Array =>
  Uint8Array.of(
    ...[0x06, 0x00, 0xff, 0x09, 0x01, 0xa1, 0x01, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08],
    ...items,
    0xc0,
  );
/** Data usage 20, in and out. */
const inAndOut = [0x09, 0x20, 0x81, 0x02, 0x09, 0x20, 0x91, 0x02];

const plainReports = collection([0x95, 64, ...inAndOut]);
const reportsWithIds = collection([0x95, 63, ...[1, 2, 3, 4].flatMap((id) => [0x85, id, ...inAndOut])]);
