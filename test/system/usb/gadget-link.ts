/** The device's side of a simulated USB terminal: a link over the node that the kernel's gadget gives it. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { inbox, type Link, reportBytes } from '../../../drivers/links/link.ts';
import { pause, systemClock } from '../../../src/base/clock.ts';
import { errorText, Fault } from '../../../src/base/fault.ts';

/**
 * How often the node is polled for bytes. The kernel cannot notify Node of a report, and would block a thread for each.
 */
const askMs = 3;
const portionBytes = 4_096;

/** `/dev/hidg0`, one report at a time. Throws what opening the node throws. */
export const openReports = (path: string): Link => openNode(path, 'reports');

/** `/dev/ttyGS0`, bytes as they come. Throws what opening the node throws. */
export const openStream = (path: string): Link => {
  // Nothing may be echoed or changed, from the first byte on.
  const { status, stderr } = spawnSync('busybox', ['stty', '-F', path, 'raw', '-echo'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path} does not become raw: ${stderr}`);
  return openNode(path, 'stream');
};

const openNode = (path: string, carries: Link['carries']): Link => {
  const node = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  const box = inbox(path);
  const portion = Buffer.alloc(carries === 'reports' ? reportBytes : portionBytes);
  let writes: Promise<void> = Promise.resolve();
  let open = true;
  let stop = () => {};

  const closeStreams = (): void => {
    if (!open) return;
    open = false;
    stop();
    closeSync(node);
  };
  const reportLoss = (error: unknown): void => {
    box.lose(new Fault('link.lost', { port: path, why: errorText(error) }, error));
    closeStreams();
  };
  /** The result of `work`, or 0 when the kernel says try again. Any other failure means that the node is lost. */
  const attempt = (work: () => number): number => {
    try {
      return open ? work() : 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') reportLoss(error);
      return 0;
    }
  };
  const ask = (): void => {
    for (let count = 1; count > 0; ) {
      count = attempt(() => readSync(node, portion));
      box.deliver(Uint8Array.from(portion.subarray(0, count)));
    }
    if (open) stop = systemClock.after(askMs, ask);
  };
  const writePortion = async (bytes: Uint8Array): Promise<void> => {
    for (let sentBytes = 0; sentBytes < bytes.length; ) {
      const lossFault = box.lossFault();
      if (lossFault !== undefined) throw lossFault;
      const count = attempt(() => writeSync(node, bytes, sentBytes));
      sentBytes += count;
      // Earlier data is still on its way to the host.
      if (count === 0) await pause(systemClock, askMs);
    }
  };
  ask();
  return {
    name: path,
    carries,
    listen: box.listen,
    write(bytes) {
      const written = writes.then(() => writePortion(bytes));
      writes = written.catch(() => {});
      return written;
    },
    async close() {
      box.close();
      closeStreams();
    },
  };
};
