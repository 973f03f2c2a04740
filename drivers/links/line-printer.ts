/**
 * A USB printer of the Linux kernel, `/dev/usb/lp0`, as a link. It is opened in non-blocking mode: a printer without
 * paper takes no bytes, and gives no other sign.
 */
import { closeSync, constants, openSync, read, write } from 'node:fs';
import { type Clock, pause } from '../../src/base/clock.ts';
import { errorText, Fault } from '../../src/base/fault.ts';
import { inbox, type Link, writeThrough } from './link.ts';

/** How often the rest is offered to a busy printer, and how often its replies are polled. */
const readRetryMs = 50;

const isBusy = (error: unknown): boolean => (error as NodeJS.ErrnoException)?.code === 'EAGAIN';

export type PrinterPlace = { path: string; clock: Clock; platform?: NodeJS.Platform };

/** Only Linux has such devices. */
const OTHERWISE: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  win32:
    'Windows has no such device: give the COM port of the printer’s driver, escpos+serial:COM3, ' +
    'or its address in the network, escpos+tcp://192.168.1.50:9100',
  darwin:
    'macOS has no such device: give the serial port of the printer’s driver, escpos+serial:/dev/cu.usbserial, ' +
    'or its address in the network, escpos+tcp://192.168.1.50:9100',
};

/** Opens the printer. Throws `link.unavailable` if it does not exist, is not permitted, or this is not Linux. */
export const openLinePrinter = async ({ path, clock, platform = process.platform }: PrinterPlace): Promise<Link> => {
  const name = `usb:${path}`;
  const otherwise = OTHERWISE[platform];
  if (otherwise !== undefined) throw new Fault('link.unavailable', { port: name, why: otherwise });
  const box = inbox(name);
  const handle = openPort(path, name);
  let open = true;
  const closePort = () => {
    if (!open) return;
    open = false;
    closeSync(handle);
  };
  const loseLink = (reason: string, cause?: unknown) => {
    box.lose(new Fault('link.lost', { port: name, why: reason }, cause));
    closePort();
  };
  const stopReading = readLoop({ handle, clock, deliver: box.deliver, isOpen: () => open, onLost: loseLink });

  return {
    name,
    carries: 'stream',
    listen: box.listen,
    write: (bytes) =>
      writeThrough({ name, clock, box, onLost: loseLink }, (done) => {
        void give({ handle, clock, isOpen: () => open }, bytes).then(() => done(), done);
      }),
    async close() {
      stopReading();
      box.close();
      closePort();
    },
  };
};

const openPort = (path: string, port: string): number => {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    throw new Fault('link.unavailable', { port, why: errorText(error) }, error);
  }
};

type OpenPrinter = { handle: number; clock: Clock; isOpen(): boolean };

const give = async ({ handle, clock, isOpen }: OpenPrinter, bytes: Uint8Array): Promise<void> => {
  for (let index = 0; index < bytes.length && isOpen(); ) {
    const written = await new Promise<number>((resolve, reject) =>
      write(handle, bytes, index, bytes.length - index, null, (error, count) => {
        if (error === null) resolve(count);
        else if (isBusy(error)) resolve(0);
        else reject(error);
      }),
    );
    index += written;
    if (written === 0) await pause(clock, readRetryMs);
  }
};

/** Polls for the printer's replies while it is open: the kernel does not signal that there are any. */
const readLoop = (
  from: OpenPrinter & { deliver(bytes: Uint8Array): void; onLost(reason: string, cause?: unknown): void },
) => {
  let stopTimer = () => {};
  const scheduleRead = () => {
    stopTimer = from.clock.after(readRetryMs, listen);
  };
  const listen = () => {
    if (!from.isOpen()) return;
    const buffer = new Uint8Array(64);
    read(from.handle, buffer, 0, buffer.length, null, (error, count) => {
      if (!from.isOpen()) return;
      if (error !== null && !isBusy(error)) return from.onLost(errorText(error), error);
      if (error === null && count > 0) from.deliver(buffer.slice(0, count));
      scheduleRead();
    });
  };
  scheduleRead();
  return () => stopTimer();
};
