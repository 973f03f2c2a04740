/** The drivers’ USB ids as udev rules: who may use the terminals, and that no program treats them as modems. */
import type { Driver, UsbMark } from '../../drivers/driver.ts';

/** The system group whose members may use terminals. */
export const GROUP = 'tillgate';

const header = `# Payment terminals that Tillgate knows, by USB id. Generated from the drivers: node build/linux/write-udev-rules.ts
# Installed by install-udev-rules.sh. The name begins with 70 because uaccess only works before 73-seat-late.rules.
# ID_MM_DEVICE_IGNORE keeps ModemManager from talking to a newly plugged-in terminal as if it were a modem.
# Serial terminals without a rule here (their manufacturers publish no ids) need the group of their port: dialout.
ACTION=="remove", GOTO="tillgate_end"
`;

/** The text of the rules file: a paragraph for each USB id, in order. */
export const udevRules = (drivers: Readonly<Record<string, Driver>>): string => {
  const marks = Object.values(drivers).flatMap(({ title, usb }) => usb.map((mark) => ({ title, ...mark })));
  const sorted = marks.map((mark) => ({ mark, key: keyOf(mark) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return [header, ...sorted.map(({ mark }) => paragraph(mark)), 'LABEL="tillgate_end"\n'].join('\n');
};

const keyOf = ({ vendorId, productId, by }: UsbMark): string =>
  `${hex(vendorId)} ${productId === undefined ? '' : hex(productId)} ${by}`;

const hex = (id: number): string => id.toString(16).padStart(4, '0');

const paragraph = ({ title, name, vendorId, productId, by }: UsbMark & { title: string }): string => {
  const product = productId === undefined ? '' : `, ATTRS{idProduct}=="${hex(productId)}"`;
  const device = `ATTRS{idVendor}=="${hex(vendorId)}"${product}`;
  const accessRights = `MODE="0660", GROUP="${GROUP}", TAG+="uaccess"`;
  const rule =
    by === 'hid'
      ? `SUBSYSTEM=="hidraw", ${device}, ${accessRights}`
      : `SUBSYSTEM=="tty", ${device}, ${accessRights}, ENV{ID_MM_DEVICE_IGNORE}="1", ENV{ID_MM_PORT_IGNORE}="1"`;
  // ModemManager probes whole devices too, not only their ports.
  const usbDeviceRule = `SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ${device.replaceAll('ATTRS{', 'ATTR{')}, ENV{ID_MM_DEVICE_IGNORE}="1"`;
  return `# ${oneLine(name)} (${oneLine(title)})\n${rule}\n${usbDeviceRule}\n`;
};

/** A udev comment ends at the end of its line. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
