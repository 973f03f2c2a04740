/**
 * The device's side of a pseudo terminal: a simulated terminal behind a path that a till opens as a serial port.
 *
 * The other side is held open here as long as the pty lives, so that it survives tills that connect and disconnect.
 */
import { constants, lstatSync, openSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ReadStream } from 'node:tty';
import { errorText, Fault } from '../../src/base/fault.ts';
import { systemCode } from '../../src/base/system-error-text.ts';
import { inbox, type Link } from './link.ts';

/** Optional: only simulated terminals use it, and it has no binary for some systems. */
const PACKAGE = '@lydell/node-pty';

/** The package's types omit its function for a pty without a program. */
type OpenPty = (options: { cols: number; rows: number; encoding: null }) => {
  master: ReadStream;
  slave: ReadStream;
  ptsName: string;
};

/** How many bytes may wait for a till to read them. */
const unreadMax = 65_536;

/**
 * Opens a pseudo terminal. `path` is what a till opens as a serial port: `at`, a symbolic link that is removed on
 * close, or the system's own name. Throws `link.unavailable` when `at` is taken by something else or there are no ptys.
 */
export const openPty = ({ at }: { at?: string } = {}): { link: Link; path: string } => {
  const { master, held: heldOpen, ptsName } = createPty(at ?? 'pty');
  const name = `pty:${at ?? ptsName}`;
  const box = inbox(name);
  const end = () => {
    // Never call the package's own destroy(): without a program it would send its signal to every process of this user.
    heldOpen.destroy();
    master.destroy();
    if (at !== undefined && targetOf(at) === ptsName) unlinkSync(at);
  };
  const lose = (reason: string, cause?: unknown) =>
    box.lose(new Fault('link.lost', { port: name, why: reason }, cause));
  // Adds a second error listener: with only its own, the package throws.
  master.on('error', (error) => lose(errorText(error), error));
  heldOpen.on('error', (error) => lose(errorText(error), error));
  master.on('data', (bytes: Uint8Array) => box.deliver(new Uint8Array(bytes)));
  try {
    if (at !== undefined) linkAt(at, ptsName);
  } catch (error) {
    end();
    throw error;
  }

  const link: Link = {
    name,
    carries: 'stream',
    listen: box.listen,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        const lossFault = box.lossFault();
        if (lossFault !== undefined) return reject(lossFault);
        if (master.writableLength > unreadMax) {
          return reject(new Fault('link.lost', { port: name, why: 'nobody reads what is written' }));
        }
        master.write(bytes, (error) => {
          if (error) lose(errorText(error), error);
          const fault = box.lossFault();
          if (error && fault !== undefined) reject(fault);
          else resolve();
        });
      }),
    async close() {
      if (master.destroyed) return;
      box.close();
      end();
    },
  };
  return { link, path: at ?? ptsName };
};

const createPty = (port: string) => {
  try {
    const { open } = createRequire(import.meta.url)(PACKAGE) as { open: OpenPty };
    const { master, slave, ptsName } = open({ cols: 80, rows: 24, encoding: null });
    // The package reads from its slave and would take the bytes meant for the till. Ours is held open and never read.
    // It is raw, so that nothing is echoed before a till's serial port sets its own mode.
    const heldOpen = new ReadStream(openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY));
    heldOpen.setRawMode(true);
    // The package's slave is discarded here, so its errors do not matter.
    slave.on('error', () => {});
    slave.destroy();
    return { master, held: heldOpen, ptsName };
  } catch (error) {
    const isMissing = systemCode(error) === 'MODULE_NOT_FOUND';
    const reason = isMissing ? `the package ${PACKAGE} is not installed on this system` : errorText(error);
    throw new Fault('link.unavailable', { port, why: reason }, error);
  }
};

/** Creates the symbolic link. A link that a stopped simulator left behind is replaced; any other file is left alone. */
const linkAt = (at: string, ptsName: string): void => {
  if (targetOf(at)?.startsWith('/dev/')) unlinkSync(at);
  try {
    symlinkSync(ptsName, at);
  } catch (error) {
    const taken = lstatSync(at, { throwIfNoEntry: false }) !== undefined;
    throw new Fault('link.unavailable', { port: at, why: taken ? 'there is a file already' : errorText(error) }, error);
  }
};

/** Where a symbolic link points, or undefined when there is none. */
const targetOf = (at: string): string | undefined =>
  lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(at) : undefined;
