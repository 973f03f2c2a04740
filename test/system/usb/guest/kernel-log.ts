/** The kernel's USB messages, as comments between the scenes: plugging, numbers, names, unplugging. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { note } from './tap.ts';

const everyMs = 20;
const usbLine = /usb|hid|cdc_acm/i;
/** Printed at every plugging, and of no interest here. */
const dull = /New USB device strings|configuration #|USB HID core driver|registered new|root hub|[^ ]+: mem |Mfr=/;

/** Follows the kernel's log from now on. Returns a function that stops it. */
export const followKernel = (): (() => void) => {
  const log = openSync('/dev/kmsg', constants.O_RDONLY | constants.O_NONBLOCK);
  const record = Buffer.alloc(8_192);
  const next = (): string | undefined => {
    try {
      return record.toString('utf8', 0, readSync(log, record));
    } catch {
      // Nothing new, or lost records: neither matters to the scenes.
      return undefined;
    }
  };
  const readNew = (): void => {
    for (let text = next(); text !== undefined; text = next()) {
      const [line = ''] = (text.split(';')[1] ?? '').split('\n');
      if (usbLine.test(line) && !dull.test(line)) note(`kernel: ${line}`);
    }
  };
  // Messages from before the scenes are about the machine, not about terminals.
  while (next() !== undefined);
  const timer = setInterval(readNew, everyMs);
  return () => {
    clearInterval(timer);
    closeSync(log);
  };
};
