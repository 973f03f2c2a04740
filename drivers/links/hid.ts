/** A USB HID device as a link of 64-byte reports, found by its ids: its path changes with each connection. */
import { devicesAsync, HIDAsync, setDriverType } from 'node-hid';
import { type Clock, deadline } from '../../src/base/clock.ts';
import { errorText, Fault } from '../../src/base/fault.ts';
import { concat, overwrite } from '../../src/base/hex.ts';
import { printable } from '../../src/base/mask.ts';
import { inbox, type Link, reportBytes, writeThrough } from './link.ts';
import { describeHolders, explainPermission, holdersOf } from './port-words.ts';

const openMs = 10_000;
const closeMs = 2_000;

export type HidPlace = {
  vendorId: number;
  productId: number;
  serial?: string;
  /** Whether the first byte of the device's reports is a report id. */
  reportIds: boolean;
  clock: Clock;
  /** The machine's own HID devices unless given. */
  system?: HidSystem;
};

/**
 * Opens the device. Throws `link.unavailable` with what is plugged in, what holds the device, or how to get permission.
 */
export const openHid = async (at: HidPlace): Promise<Link> => {
  const { vendorId, productId, serial, reportIds, clock, system = nodeHid() } = at;
  const name = `hid:${[idHex(vendorId), idHex(productId), ...(serial === undefined ? [] : [serial])].join(':')}`;
  const unavailableFault = (reason: string, cause?: unknown) =>
    new Fault('link.unavailable', { port: name, why: reason }, cause);
  let lateFault: Fault | undefined;
  const opening = open(system, at).then(
    (handle) => {
      // The device opened after the deadline: nobody waits for it any more.
      if (lateFault !== undefined) void handle.close().catch(() => {});
      return handle;
    },
    (error: unknown) => {
      throw unavailableFault(errorText(error), error);
    },
  );
  const handle = await new Promise<HidHandle>((resolve, reject) => {
    const stop = deadline(clock, openMs, () => {
      lateFault = unavailableFault(`it did not open within ${openMs} ms`);
      reject(lateFault);
    });
    opening.then(resolve, reject).finally(stop);
  });
  return hidLink(handle, { name, clock, reportIds });
};

const open = async (system: HidSystem, at: HidPlace): Promise<HidHandle> => {
  const found = findHid(await system.listDevices(), at);
  if ('why' in found) throw new Error(found.why);
  // On Linux two programs can open the same device, and each then takes answers from the other.
  const holders = (await holdersOf(found.path)).filter(({ seen }) => seen === 'open');
  if (holders.length > 0) throw new Error(describeHolders(holders));
  try {
    return await system.open(found.path);
  } catch (error) {
    throw new Error(explainRefusal(errorText(error)), { cause: error });
  }
};

const explainRefusal = (text: string): string => {
  if (/permission/i.test(text)) return explainPermission(undefined);
  if (/busy|exclusive|in use|access (is )?denied|sharing/i.test(text)) return describeHolders([]);
  return text;
};

const hidLink = (handle: HidHandle, o: { name: string; clock: Clock; reportIds: boolean }): Link => {
  const { name, clock, reportIds } = o;
  const box = inbox(name);
  let writes: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const closeHandle = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      const stop = clock.after(closeMs, resolve);
      // A device that is gone cannot be closed, and nothing can be done about it.
      const end = () => {
        stop();
        resolve();
      };
      handle.close().then(end, end);
    });
    return closing;
  };
  const loseLink = (reason: string, cause?: unknown) => {
    box.lose(new Fault('link.lost', { port: name, why: reason }, cause));
    void closeHandle();
  };
  handle.listen({
    report(bytes) {
      if (bytes.length > reportBytes) return loseLink(`its reports have ${bytes.length} bytes, not ${reportBytes}`);
      // Some systems cut off the zeros that fill a report.
      box.deliver(concat(bytes, new Uint8Array(reportBytes - bytes.length)));
    },
    error: (error) => loseLink(explainLoss(errorText(error)), error),
  });
  const give = async (report: Uint8Array): Promise<void> => {
    const whole = reportIds ? report : concat(Uint8Array.of(0), report);
    // One write at a time: two concurrent writes could reach the device in the wrong order.
    const written = writes.then(() => handle.write(whole));
    writes = written.catch(() => {});
    const count = await written;
    if (count >= 0 && count < report.length) throw new Error(`it took only ${count} bytes of a report`);
  };
  return {
    name,
    carries: 'reports',
    listen: box.listen,
    write: (bytes) =>
      writeThrough({ name, clock, box, onLost: loseLink }, (done) => {
        if (bytes.length !== reportBytes)
          return done(new Error(`a report has ${reportBytes} bytes, not ${bytes.length}`));
        give(bytes.slice()).then(() => done(), done);
      }),
    async close() {
      box.close();
      await closeHandle();
    },
  };
};

const explainLoss = (text: string): string => (/read|device|disconnect|gone/i.test(text) ? 'it was unplugged' : text);

// The machine's USB HID devices in the form that the link needs; node-hid is loaded with this file.

/**
 * One interface of a device that is plugged in. A device can have several; the vendor-specific one is the terminal's.
 */
export type HidPlugged = {
  path: string;
  vendorId: number;
  productId: number;
  serial?: string;
  product?: string;
  usagePage?: number;
};

export type HidHandle = {
  /** The report id comes first, 00 where the device has none. Resolves with the number of bytes taken. */
  write(report: Uint8Array): Promise<number>;
  /** Called once, before anything else. Reports arrive as the system delivers them: with an id only if there is one. */
  listen(to: { report(bytes: Uint8Array): void; error(error: Error): void }): void;
  close(): Promise<void>;
};

export type HidSystem = {
  listDevices(): Promise<readonly HidPlugged[]>;
  open(path: string): Promise<HidHandle>;
};

/** node-hid in its asynchronous form: the synchronous one blocks the event loop in each write. */
export const nodeHid = (): HidSystem => {
  // Must come first: the other Linux build needs a system library and detaches the kernel's driver from the device.
  if (process.platform === 'linux') setDriverType('hidraw');
  return {
    async listDevices() {
      const all = await devicesAsync();
      return all.flatMap(({ path, vendorId, productId, serialNumber, product, usagePage }) =>
        path === undefined
          ? []
          : [
              {
                path,
                vendorId,
                productId,
                serial: serialNumber || undefined,
                product: product || undefined,
                usagePage,
              },
            ],
      );
    },
    async open(path) {
      const device = await HIDAsync.open(path);
      return {
        write: (report) => device.write(Buffer.from(report)),
        listen(to) {
          // An error without a listener would end the process.
          device.on('error', (error: Error) => to.error(error));
          device.on('data', (bytes: Uint8Array) => {
            const own = Uint8Array.from(bytes);
            overwrite(bytes);
            to.report(own);
          });
        },
        close: () => device.close(),
      };
    },
  };
};

/** Finds which of the connected HID devices is meant, or says why none can be chosen. */
export type HidWanted = { vendorId: number; productId: number; serial?: string };

/** Usage pages from here on are vendor-specific; those below belong to keyboards and the like. */
const vendorPages = 0xff00;

/** The path of the one matching device, or the reason why there is not exactly one. */
const findHid = (all: readonly HidPlugged[], wanted: HidWanted): { path: string } | { why: string } => {
  const { vendorId, productId, serial } = wanted;
  const ofVendor = all.filter((each) => each.vendorId === vendorId);
  const alike = devicesOf(ofVendor.filter((each) => each.productId === productId));
  const matching = serial === undefined ? alike : alike.filter((each) => each.serial === serial);
  const [one, another] = matching;
  if (one !== undefined && another === undefined) return { path: one.path };
  if (one !== undefined) return { why: explainAmbiguity(matching) };
  if (alike.length > 0) return { why: `no such serial number; plugged in: ${printDevices(alike)}` };
  const others = devicesOf(ofVendor);
  const besides = others.length === 0 ? 'nothing of this vendor is' : `of this vendor: ${printDevices(others)}`;
  return { why: `it is not plugged in; ${besides}` };
};

/** One entry per device: systems list a device once for each usage and interface. */
const devicesOf = (entries: readonly HidPlugged[]): HidPlugged[] => {
  const isOwn = ({ usagePage = vendorPages }: HidPlugged) => usagePage >= vendorPages;
  const own = entries.filter(isOwn);
  const chosen = own.length > 0 ? own : entries;
  return [...new Map(chosen.map((each) => [`${each.productId} ${each.serial ?? each.path}`, each])).values()];
};

const explainAmbiguity = (matching: readonly HidPlugged[]): string => {
  const serials = matching.flatMap(({ serial }) => (serial === undefined ? [] : [serial]));
  const cure =
    new Set(serials).size === matching.length
      ? 'name one by its serial number'
      : 'they cannot be told apart: leave only one plugged in';
  return `${matching.length} such devices are plugged in: ${printDevices(matching)}; ${cure}`;
};

const printDevices = (devices: readonly HidPlugged[]): string => {
  const words = devices.slice(0, 6).map(({ vendorId, productId, product = 'device', serial, path }) => {
    const which = serial === undefined ? `at ${path}` : `serial number ${serial}`;
    return printable(`${product} ${idHex(vendorId)}:${idHex(productId)} ${which}`, 80);
  });
  return words.join(', ');
};

const idHex = (id: number): string => id.toString(16).toUpperCase().padStart(4, '0');
