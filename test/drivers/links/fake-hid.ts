/** A USB bus of HID devices in memory, as strict as the real one: reports of exactly 64 bytes, their id first. */
import type { HidHandle, HidPlugged, HidSystem } from '../../../drivers/links/hid.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { concat } from '../../../src/base/hex.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';

export type FakeHid = HidSystem & {
  /** The device's end of the link that was opened last. */
  device(): Link;
  /** From now on a write is never answered. */
  hang(): void;
};

export type FakeHidOptions = {
  plugged: readonly HidPlugged[];
  reportIds?: boolean;
  /** The error with which opening fails. */
  refuses?: string;
  /** Opening never ends. */
  hangsAtOpen?: boolean;
};

export const dynaFlex: HidPlugged = {
  path: 'fake-1',
  vendorId: 0x0801,
  productId: 0x2020,
  serial: 'B51A2B0',
  product: 'DynaFlex',
  usagePage: 0xff00,
};

export const fakeHid = ({ plugged, reportIds = false, refuses, hangsAtOpen }: FakeHidOptions): FakeHid => {
  let device: Link | undefined;
  let hanging = false;
  const handleOn = (till: Link): HidHandle => ({
    async write(report) {
      if (hanging) await new Promise<never>(() => {});
      if (report.length !== (reportIds ? 64 : 65)) throw new Error('Cannot write to HID device');
      if (!reportIds && report[0] !== 0) throw new Error('this device has no report ids');
      await till.write(reportIds ? report : report.subarray(1));
      return report.length;
    },
    listen: ({ report, error }) =>
      till.listen({
        bytes(bytes) {
          for (let offset = 0; offset < bytes.length; offset += 64) report(bytes.slice(offset, offset + 64));
        },
        closed: () => error(new Error('could not read from HID device')),
      }),
    close: () => till.close(),
  });
  return {
    listDevices: async () => plugged,
    async open(path) {
      if (hangsAtOpen) await new Promise<never>(() => {});
      if (refuses !== undefined) throw new Error(refuses);
      if (!plugged.some((each) => each.path === path)) throw new Error('No such file or directory');
      const [till, deviceEnd] = memoryLinks('reports');
      device = deviceEnd;
      return handleOn(till);
    },
    device() {
      if (device === undefined) throw new Error('nothing was opened');
      return device;
    },
    hang() {
      hanging = true;
    },
  };
};

/** A report that begins with these bytes, padded with zeros. */
export const report = (...bytes: number[]): Uint8Array =>
  concat(Uint8Array.from(bytes), new Uint8Array(64 - bytes.length));
