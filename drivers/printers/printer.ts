/** A receipt printer: how it is, and one paper at a time, each either printed or known not to be. */
import { type Clock, pause } from '../../src/base/clock.ts';
import { Fault, isFault, wordsOf } from '../../src/base/fault.ts';
import { openLinePrinter } from '../links/line-printer.ts';
import type { Link } from '../links/link.ts';
import { openTcp } from '../links/tcp.ts';
import { parsePrinterAddress } from './address.ts';
import { type Conversation, converse } from './conversation.ts';
import { canPrint, type PrinterHealth } from './status.ts';

export type Printer = {
  readonly name: string;
  /** Connects and asks. Rejects with `printer.away`. */
  health(): Promise<PrinterHealth>;
  /**
   * Resolves when the paper was printed, or, at a printer that says nothing of itself, when its bytes were taken.
   * `begun` is called before the first byte leaves: from then on a piece of the paper may exist. `trouble` is called
   * when the printer stops in the middle; it goes on by itself when that is cured, and this stays pending.
   * Rejects with `printer.away`, `printer.paperOut`, `printer.coverOpen` or `printer.error`.
   */
  print(
    bytes: Uint8Array,
    hears?: { begun?(): void; trouble?(fault: Fault, health: PrinterHealth): void },
  ): Promise<PrinterHealth>;
};

/** Small enough that a slow serial port takes each within the link's deadline. */
const portion = 1_024;
const pollMs = 500;
/** A printer that is ready, silent and well for so long has printed, though it does not know the question. */
const confirmMs = 15_000;
/** One that stopped in the middle is waited for so long; then the paper counts as not printed. */
const troubleMs = 600_000;

/** The printer at this address. Throws `printer.address`. */
export const printerAt = ({ name, address, clock }: { name: string; address: string; clock: Clock }): Printer => {
  const at = parsePrinterAddress(address);
  const open = async (): Promise<Link> => {
    if (at.link === 'tcp') return openTcp({ ...at, clock });
    if (at.link !== 'serial') return openLinePrinter({ path: at.path, clock });
    // The native part is loaded where a printer has such a link.
    const { openSerial } = await import('../links/serial.ts');
    return openSerial({ ...at, clock });
  };
  return printerOver({ name, clock, open });
};

/** The printer behind whatever `open` connects to. */
export const printerOver = (over: { name: string; clock: Clock; open(): Promise<Link> }): Printer => {
  const { name, clock } = over;
  const connected = async <T>(use: (link: Link, talk: Conversation) => Promise<T>): Promise<T> => {
    let link: Link | undefined;
    try {
      link = await over.open();
      return await use(link, converse(link, clock));
    } catch (error) {
      throw isFault(error, 'link.unavailable', 'link.lost') ? away(name, error) : error;
    } finally {
      await link?.close();
    }
  };
  return {
    name,
    health: () => connected((_, talk) => talk.health()),
    print: (bytes, hears = {}) =>
      connected(async (link, talk) => {
        const before = await talk.health();
        if (!canPrint(before)) throw faultOf(name, before);
        hears.begun?.();
        for (let from = 0; from < bytes.length; from += portion) await link.write(bytes.subarray(from, from + portion));
        if (!talk.answers()) return before;
        await talk.askPrinted();
        return confirmed(talk, { name, clock, trouble: (fault, health) => hears.trouble?.(fault, health) });
      }),
  };
};

const away = (name: string, error: unknown): Fault => new Fault('printer.away', { name, why: wordsOf(error) }, error);

/** What keeps a printer from printing. */
export const faultOf = (name: string, { state, why = 'it does not say which' }: PrinterHealth): Fault => {
  if (state === 'paperOut') return new Fault('printer.paperOut', { name });
  if (state === 'coverOpen') return new Fault('printer.coverOpen', { name });
  return new Fault('printer.error', { name, why });
};

type Awaited = { name: string; clock: Clock; trouble(fault: Fault, health: PrinterHealth): void };

/** Polls until everything was printed, or the printer cannot be believed to do it any more. */
const confirmed = async (talk: Conversation, { name, clock, trouble }: Awaited): Promise<PrinterHealth> => {
  let told: PrinterHealth['state'] | undefined;
  let wellSince = clock.monotonic();
  let illSince: number | undefined;
  for (;;) {
    const health = await talk.health();
    if (talk.printed() && canPrint(health)) return health;
    const now = clock.monotonic();
    if (canPrint(health)) {
      illSince = undefined;
      if (health.state === 'unknown') throw away(name, new Error('it fell silent in the middle of a paper'));
      if (now - wellSince >= confirmMs) return health;
    } else {
      wellSince = now;
      illSince ??= now;
      if (now - illSince >= troubleMs) throw faultOf(name, health);
      if (told !== health.state) trouble(faultOf(name, health), health);
    }
    told = health.state;
    await pause(clock, pollMs);
  }
};
