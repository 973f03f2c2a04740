/**
 * A serial port, real or pseudo, as a link. The ports of unplugged devices are not always reported closed, and a write
 * to one never calls back, so the link keeps its own deadlines and looks after the port itself.
 */
import { realpath, stat } from 'node:fs/promises';
import { SerialPort } from 'serialport';
import { type Clock, deadline } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { overwrite } from '../../src/base/hex.ts';
import { handOn, inbox, type Link } from './link.ts';
import { isGone, lostWords, openWords } from './port-words.ts';

const openMs = 10_000;
const closeMs = 2_000;
/** How often the port is asked whether its device is still there. */
const watchMs = 1_000;

export type SerialPlace = { path: string; baudRate?: number; stopBits?: 1 | 2; clock: Clock };

/**
 * Opens the port: 8 data bits, no parity; 115200 baud and 1 stop bit if not given. Throws `link.unavailable`, naming
 * the cure where it is known: who holds the port, which group may use it.
 */
export const openSerial = async (at: SerialPlace): Promise<Link> => {
  const { path, baudRate = 115_200, stopBits = 1, clock } = at;
  const name = `serial:${path}`;
  // Before the port is open: from then on its events must find their listeners.
  const present = await presenceOf(path);
  const port = new SerialPort({ path, baudRate, stopBits, autoOpen: false, lock: true });
  const failed = await new Promise<{ why: string } | { error: Error } | undefined>((resolve) => {
    const stop = deadline(clock, openMs, () => resolve({ why: `it did not open within ${openMs} ms` }));
    port.open((error) => {
      stop();
      resolve(error === null ? undefined : { error });
    });
  });
  if (failed === undefined) return serialLink(port, { name, clock, present });
  const why = 'why' in failed ? failed.why : await openWords(failed.error, path);
  const cause = 'error' in failed ? failed.error : undefined;
  // One that opens after all, later than anybody waited for it, must not keep the port from the next try.
  if ('why' in failed) port.on('error', () => {}).once('open', () => port.close());
  throw new Fault('link.unavailable', { port: name, why }, cause);
};

type Opened = { name: string; clock: Clock; present: DeviceNodeCheck };

const serialLink = (port: SerialPort, { name, clock, present }: Opened): Link => {
  const box = inbox(name);
  const lost = (why: string, cause?: unknown) => {
    stopWatch();
    box.lose(new Fault('link.lost', { port: name, why }, cause));
    void shut();
  };
  const stopWatch = watch(port, { clock, present, gone: (cause) => lost('it was unplugged', cause) });
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      if (!port.isOpen) return resolve();
      const stop = clock.after(closeMs, resolve);
      port.close(() => {
        stop();
        resolve();
      });
    });
  port.on('data', (bytes: Uint8Array) => {
    const own = new Uint8Array(bytes);
    // It is a piece of the library's pool, which is read into again and let go unchanged.
    overwrite(bytes);
    box.deliver(own);
  });
  port.on('error', (error: Error) => lost(lostWords(error), error));
  port.on('close', (error: Error | null) =>
    lost(error === null ? 'it is closed' : 'it was unplugged', error ?? undefined),
  );

  return {
    name,
    carries: 'stream',
    listen: box.listen,
    write: (bytes) =>
      handOn({ name, clock, box, lost }, (done) => {
        if (!port.isOpen) return done(new Error('the port is not open'));
        port.write(bytes, (error) => {
          if (error) return done(said(error));
          port.drain((error) => done(error && said(error)));
        });
      }),
    async close() {
      stopWatch();
      box.shut();
      await shut();
    },
  };
};

const said = (error: Error): Error => new Error(lostWords(error), { cause: error });

/**
 * Looks every second whether the device is still there: first at its node, then by asking for its lines. Neither is
 * waited for, since asking a vanished device may never end. Gives a function that stops it.
 */
const watch = (port: SerialPort, to: { clock: Clock; present: DeviceNodeCheck; gone(cause?: unknown): void }) => {
  let over = false;
  let asking = false;
  let stopTimer = () => {};
  const tell = (cause?: unknown) => {
    if (!over) to.gone(cause);
  };
  const look = () => {
    if (over) return;
    stopTimer = to.clock.after(watchMs, look);
    void to.present().then((there) => (there ? undefined : tell()));
    if (asking) return;
    asking = true;
    port.get((error) => {
      asking = false;
      if (error !== null && isGone(error)) tell(error);
    });
  };
  stopTimer = to.clock.after(watchMs, look);
  return () => {
    over = true;
    stopTimer();
  };
};

// Whether a device node is still the one that was opened: a vanished device takes its node with it.

/** Asks whether the node that stood at the path when this was made stands there still. */
type DeviceNodeCheck = () => Promise<boolean>;

/**
 * Remembers the node behind this path. A device that was pulled and put back has a new node, perhaps of the same name,
 * which is another one. Where nodes cannot be looked at (Windows) the device is always taken to be there.
 */
export const presenceOf = async (path: string): Promise<DeviceNodeCheck> => {
  try {
    const node = await realpath(path);
    const first = await stat(node);
    return async () => {
      try {
        const now = await stat(node);
        return now.ino === first.ino && now.rdev === first.rdev;
      } catch {
        return false;
      }
    };
  } catch {
    return async () => true;
  }
};
