/** A USB HID device as a link of 64-byte reports. It is found by its ids: its path changes with every plugging. */
import { type Clock, deadline } from '../../src/base/clock.ts';
import { Fault, wordsOf } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import { findHid, idHex } from './hid-find.ts';
import { type HidHandle, type HidSystem, nodeHid } from './hid-system.ts';
import { holdersOf, holderWords } from './holder.ts';
import { inbox } from './inbox.ts';
import { type Link, reportBytes } from './link.ts';
import { permissionWords } from './port-words.ts';
import { handOn } from './writing.ts';

const openMs = 10_000;
const closeMs = 2_000;

export type HidPlace = {
  vendorId: number;
  productId: number;
  serial?: string;
  /** Whether the first byte of the device's reports is a report id. */
  reportIds: boolean;
  clock: Clock;
  /** The machine's own devices unless given. */
  system?: HidSystem;
};

/** Opens the device. Throws `link.unavailable` with what is plugged in, who holds it, or what lets this user at it. */
export const openHid = async (at: HidPlace): Promise<Link> => {
  const { vendorId, productId, serial, reportIds, clock, system = nodeHid() } = at;
  const name = `hid:${[idHex(vendorId), idHex(productId), ...(serial === undefined ? [] : [serial])].join(':')}`;
  const unavailable = (why: string, cause?: unknown) => new Fault('link.unavailable', { port: name, why }, cause);
  let late: Fault | undefined;
  const opening = open(system, at).then(
    (handle) => {
      // Nobody waits any more for a device that took longer than the deadline.
      if (late !== undefined) void handle.close().catch(() => {});
      return handle;
    },
    (error: unknown) => {
      throw unavailable(wordsOf(error), error);
    },
  );
  const handle = await new Promise<HidHandle>((resolve, reject) => {
    const stop = deadline(clock, openMs, () => {
      late = unavailable(`it did not open within ${openMs} ms`);
      reject(late);
    });
    opening.then(resolve, reject).finally(stop);
  });
  return hidLink(handle, { name, clock, reportIds });
};

const open = async (system: HidSystem, at: HidPlace): Promise<HidHandle> => {
  const found = findHid(await system.plugged(), at);
  if ('why' in found) throw new Error(found.why);
  // On Linux two programs may open one device, and each then takes answers from the other.
  const holders = (await holdersOf(found.path)).filter(({ seen }) => seen === 'open');
  if (holders.length > 0) throw new Error(holderWords(holders));
  try {
    return await system.open(found.path);
  } catch (error) {
    throw new Error(refusalWords(wordsOf(error)), { cause: error });
  }
};

const refusalWords = (words: string): string => {
  if (/permission/i.test(words)) return permissionWords(undefined);
  if (/busy|exclusive|in use|access (is )?denied|sharing/i.test(words)) return holderWords([]);
  return words;
};

const hidLink = (handle: HidHandle, o: { name: string; clock: Clock; reportIds: boolean }): Link => {
  const { name, clock, reportIds } = o;
  const box = inbox(name);
  let writes: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const shut = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      const stop = clock.after(closeMs, resolve);
      // A device that is gone cannot be closed either: nothing is left to do about it.
      const end = () => {
        stop();
        resolve();
      };
      handle.close().then(end, end);
    });
    return closing;
  };
  const lost = (why: string, cause?: unknown) => {
    box.lose(new Fault('link.lost', { port: name, why }, cause));
    void shut();
  };
  handle.listen({
    report(bytes) {
      if (bytes.length > reportBytes) return lost(`its reports have ${bytes.length} bytes, not ${reportBytes}`);
      // Some systems cut the zeros that fill a report.
      box.deliver(concat(bytes, new Uint8Array(reportBytes - bytes.length)));
    },
    error: (error) => lost(goneWords(wordsOf(error)), error),
  });
  const give = async (report: Uint8Array): Promise<void> => {
    const whole = reportIds ? report : concat(Uint8Array.of(0), report);
    // One at a time: two at once may overtake each other on their way to the device.
    const taken = writes.then(() => handle.write(whole));
    writes = taken.catch(() => {});
    const count = await taken;
    if (count >= 0 && count < report.length) throw new Error(`it took only ${count} bytes of a report`);
  };
  return {
    name,
    carries: 'reports',
    listen: box.listen,
    write: (bytes) =>
      handOn({ name, clock, box, lost }, (done) => {
        if (bytes.length !== reportBytes)
          return done(new Error(`a report has ${reportBytes} bytes, not ${bytes.length}`));
        give(bytes.slice()).then(() => done(), done);
      }),
    async close() {
      box.shut();
      await shut();
    },
  };
};

const goneWords = (words: string): string => (/read|device|disconnect|gone/i.test(words) ? 'it was unplugged' : words);
