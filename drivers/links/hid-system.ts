/** The USB HID devices of this machine, as the link needs them; node-hid behind it loads with this file. */
import { devicesAsync, HIDAsync, setDriverType } from 'node-hid';
import { overwrite } from '../../src/base/overwrite.ts';

/** One way to a device that is plugged in. A device may have several, of which the vendor's own is the terminal's. */
export type HidPlugged = {
  path: string;
  vendorId: number;
  productId: number;
  serial?: string;
  product?: string;
  usagePage?: number;
};

export type HidHandle = {
  /** The report id first, 00 where the device has none. Resolves with the bytes taken. */
  write(report: Uint8Array): Promise<number>;
  /** Called once, before anything else. Reports come as the system gives them: with an id only where there is one. */
  listen(to: { report(bytes: Uint8Array): void; error(why: Error): void }): void;
  close(): Promise<void>;
};

export type HidSystem = {
  plugged(): Promise<readonly HidPlugged[]>;
  open(path: string): Promise<HidHandle>;
};

/** node-hid. Its asynchronous form is used throughout: the other one blocks the event loop in each write. */
export const nodeHid = (): HidSystem => {
  // Before anything else: the other build on Linux needs a system library, and takes the device from the kernel.
  if (process.platform === 'linux') setDriverType('hidraw');
  return {
    async plugged() {
      const all = await devicesAsync();
      return all.flatMap(({ path, vendorId, productId, serialNumber, product, usagePage }) =>
        path === undefined
          ? []
          : [
              {
                path,
                vendorId,
                productId,
                ...(serialNumber ? { serial: serialNumber } : {}),
                ...(product ? { product } : {}),
                ...(usagePage === undefined ? {} : { usagePage }),
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
