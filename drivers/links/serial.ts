/**
 * A serial port, real or pseudo, as a link. The system does not always report that the port of an unplugged device is
 * closed, and a write to it never calls back, so the link keeps its own deadlines and checks the port itself.
 */
import { realpath, stat } from 'node:fs/promises';
import { SerialPort } from 'serialport';
import { type Clock, deadline } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { overwrite } from '../../src/base/hex.ts';
import { inbox, type Link, writeThrough } from './link.ts';
import { explainLoss, explainOpen, isGone } from './port-words.ts';

const openMs = 10_000;
const closeMs = 2_000;
/** How often the link checks that the port's device is still there. */
const watchMs = 1_000;

export type SerialPlace = { path: string; baudRate?: number; stopBits?: 1 | 2; clock: Clock };

/**
 * Opens the port: 8 data bits, no parity; 115200 baud and 1 stop bit if not given. Throws `link.unavailable`, with the
 * remedy where it is known: which program holds the port, which group has permission.
 */
export const openSerial = async (at: SerialPlace): Promise<Link> => {
  const { path, baudRate = 115_200, stopBits = 1, clock } = at;
  const name = `serial:${path}`;
  // Comes before the port is opened: from then on its events need their listeners.
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
  const reason = 'why' in failed ? failed.why : await explainOpen(failed.error, path);
  const cause = 'error' in failed ? failed.error : undefined;
  // A port that opens after the deadline must not block the next attempt.
  if ('why' in failed) port.on('error', () => {}).once('open', () => port.close());
  throw new Fault('link.unavailable', { port: name, why: reason }, cause);
};

type OpenPort = { name: string; clock: Clock; present: DeviceNodeCheck };

const serialLink = (port: SerialPort, { name, clock, present }: OpenPort): Link => {
  const box = inbox(name);
  const loseLink = (reason: string, cause?: unknown) => {
    stopWatch();
    box.lose(new Fault('link.lost', { port: name, why: reason }, cause));
    void closePort();
  };
  const stopWatch = watch(port, { clock, isPresent: present, onGone: (cause) => loseLink('it was unplugged', cause) });
  const closePort = (): Promise<void> =>
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
    // A piece of the library's pool, which would be reused without being cleared.
    overwrite(bytes);
    box.deliver(own);
  });
  port.on('error', (error: Error) => loseLink(explainLoss(error), error));
  port.on('close', (error: Error | null) =>
    loseLink(error === null ? 'it is closed' : 'it was unplugged', error ?? undefined),
  );

  return {
    name,
    carries: 'stream',
    listen: box.listen,
    write: (bytes) =>
      writeThrough({ name, clock, box, onLost: loseLink }, (done) => {
        if (!port.isOpen) return done(new Error('the port is not open'));
        port.write(bytes, (error) => {
          if (error) return done(explain(error));
          port.drain((error) => done(error && explain(error)));
        });
      }),
    async close() {
      stopWatch();
      box.close();
      await closePort();
    },
  };
};

const explain = (error: Error): Error => new Error(explainLoss(error), { cause: error });

/**
 * Checks every second that the device is still there: first its node, then its modem lines. The check is not awaited,
 * because a question to a vanished device may never end. Returns a function that stops it.
 */
const watch = (port: SerialPort, to: { clock: Clock; isPresent: DeviceNodeCheck; onGone(cause?: unknown): void }) => {
  let isOver = false;
  let asking = false;
  let stopTimer = () => {};
  const notify = (cause?: unknown) => {
    if (!isOver) to.onGone(cause);
  };
  const checkPresence = () => {
    if (isOver) return;
    stopTimer = to.clock.after(watchMs, checkPresence);
    void to.isPresent().then((isPresent) => (isPresent ? undefined : notify()));
    if (asking) return;
    asking = true;
    port.get((error) => {
      asking = false;
      if (error !== null && isGone(error)) notify(error);
    });
  };
  stopTimer = to.clock.after(watchMs, checkPresence);
  return () => {
    isOver = true;
    stopTimer();
  };
};

// Whether a device node is still the one that was opened: the node of a device that was unplugged is gone.

/** Resolves with whether the path still leads to the node that was there when the check was made. */
type DeviceNodeCheck = () => Promise<boolean>;

/**
 * Remembers the node behind this path. A device that was unplugged and plugged in again has a new node, possibly with
 * the same name. Where nodes cannot be read (Windows) the device always counts as present.
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
