/**
 * A serial port, real or pseudo, as a link. The ports of unplugged devices are not always reported closed, and a write
 * to one never calls back, so the link keeps its own deadlines and looks after the port itself.
 */
import { SerialPort } from 'serialport';
import type { Clock } from '../../src/base/clock.ts';
import { Fault, wordsOf } from '../../src/base/fault.ts';
import { inbox } from './inbox.ts';
import type { Link } from './link.ts';
import { handOn } from './writing.ts';

const openMs = 10_000;
const closeMs = 2_000;
/** How often the port is asked whether its device is still there. */
const watchMs = 1_000;

/** What asking a port for its lines gives when the device is gone. A pseudo terminal has none and says otherwise. */
const goneWords = /input\/output|bad file|no such device|not configured|access (is )?denied|not recognized|not open/i;

/** Opens the port, 8 data bits, no parity, 1 stop bit. Throws `link.unavailable`, naming the cure where it is known. */
export const openSerial = async (at: { path: string; baudRate?: number; clock: Clock }): Promise<Link> => {
  const { path, baudRate = 115_200, clock } = at;
  const name = `serial:${path}`;
  const port = new SerialPort({ path, baudRate, autoOpen: false, lock: true });
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new Fault('link.unavailable', { port: name, why }, cause));
    const stop = clock.after(openMs, () => fail(`it did not open within ${openMs} ms`));
    port.open((error) => {
      stop();
      if (error === null) resolve();
      else fail(openWords(error), error);
    });
  });
  return serialLink(port, { name, clock });
};

/** The system's words for the three usual causes, in words that say what to do. */
const openWords = (error: Error): string => {
  const words = wordsOf(error);
  if (/lock|busy|access denied/i.test(words)) return 'another program holds the port';
  if (/no such file|file not found|cannot find/i.test(words))
    return 'there is no such port; is the terminal plugged in?';
  if (/permission/i.test(words)) return 'this user may not use it; on Linux join the group dialout';
  return words;
};

const serialLink = (port: SerialPort, { name, clock }: { name: string; clock: Clock }): Link => {
  const box = inbox(name);
  const lost = (why: string, cause?: unknown) => {
    stopWatch();
    box.lose(new Fault('link.lost', { port: name, why }, cause));
    void shut();
  };
  const watch = () =>
    clock.after(watchMs, () =>
      port.get((error) => {
        if (box.gone() !== undefined) return;
        if (error !== null && goneWords.test(wordsOf(error))) lost('it was unplugged', error);
        else stopWatch = watch();
      }),
    );
  let stopWatch = watch();
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      if (!port.isOpen) return resolve();
      const stop = clock.after(closeMs, resolve);
      port.close(() => {
        stop();
        resolve();
      });
    });
  port.on('data', (bytes: Uint8Array) => box.deliver(new Uint8Array(bytes)));
  port.on('error', (error: Error) => lost(wordsOf(error), error));
  port.on('close', (error: Error | null) =>
    lost(error === null ? 'it is closed' : `it was unplugged`, error ?? undefined),
  );

  return {
    name,
    listen: box.listen,
    write: (bytes) =>
      handOn({ name, clock, box, lost }, (done) => {
        if (!port.isOpen) return done(new Error('the port is not open'));
        port.write(bytes, (error) => {
          if (error) return done(error);
          port.drain(done);
        });
      }),
    async close() {
      stopWatch();
      box.shut();
      await shut();
    },
  };
};
