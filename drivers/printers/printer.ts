/** A receipt printer: its health, and one print job at a time, each either printed or known not to be. */
import { type Clock, deadline, pause } from '../../src/base/clock.ts';
import { errorText, Fault, isFault } from '../../src/base/fault.ts';
import { parsePrinterAddress } from '../address.ts';
import { openLinePrinter } from '../links/line-printer.ts';
import type { Link } from '../links/link.ts';
import { openTcp } from '../links/tcp.ts';

export type Printer = {
  readonly name: string;
  /** Connects and asks for the state. Rejects with `printer.away`. */
  health(): Promise<PrinterHealth>;
  /**
   * Resolves when the paper was printed or, for a printer that never reports its state, when its bytes were taken.
   * `onBegun` is called before the first byte leaves: from then on part of it can be on paper. `onTrouble` is
   * called when the printer stops midway; it continues by itself once that is fixed, and this stays pending. Rejects
   * with `printer.away`, `printer.paperOut`, `printer.coverOpen` or `printer.error`.
   */
  print(
    bytes: Uint8Array,
    listeners?: { onBegun?(): void; onTrouble?(fault: Fault, health: PrinterHealth): void },
  ): Promise<PrinterHealth>;
};

/** Small enough for a slow serial port to take each portion within the link's deadline. */
const portion = 1_024;
const pollMs = 500;
/** A printer that is ready and without errors for this long has printed, even if it does not know the question. */
const confirmMs = 15_000;
/** How long to wait for one that stopped midway; after that the paper counts as not printed. */
const troubleMs = 600_000;

/** The printer at this address. Throws `printer.address`. */
export const printerAt = ({ name, address, clock }: { name: string; address: string; clock: Clock }): Printer => {
  const at = parsePrinterAddress(address);
  const open = async (): Promise<Link> => {
    if (at.link === 'tcp') return openTcp({ ...at, clock });
    if (at.link !== 'serial') return openLinePrinter({ path: at.path, clock });
    // The native module is loaded only where a printer has such a link.
    const { openSerial } = await import('../links/serial.ts');
    return openSerial({ ...at, clock });
  };
  return createPrinter({ name, clock, open });
};

/** The printer at the other end of the link that `open` opens. */
export const createPrinter = (parts: { name: string; clock: Clock; open(): Promise<Link> }): Printer => {
  const { name, clock } = parts;
  const withConnection = async <T>(use: (link: Link, talk: Conversation) => Promise<T>): Promise<T> => {
    let link: Link | undefined;
    try {
      link = await parts.open();
      return await use(link, converse(link, clock));
    } catch (error) {
      throw isFault(error, 'link.unavailable', 'link.lost') ? awayFault(name, error) : error;
    } finally {
      await link?.close();
    }
  };
  return {
    name,
    health: () => withConnection((_, talk) => talk.health()),
    print: (bytes, listeners = {}) =>
      withConnection(async (link, talk) => {
        const healthBefore = await talk.health();
        if (!canPrint(healthBefore)) throw faultOf(name, healthBefore);
        listeners.onBegun?.();
        for (let from = 0; from < bytes.length; from += portion) await link.write(bytes.subarray(from, from + portion));
        if (!talk.hasAnswered()) return healthBefore;
        await talk.askPrinted();
        return waitUntilPrinted(talk, {
          name,
          clock,
          onTrouble: (fault, health) => listeners.onTrouble?.(fault, health),
        });
      }),
  };
};

const awayFault = (name: string, error: unknown): Fault =>
  new Fault('printer.away', { name, why: errorText(error) }, error);

/** The Fault for what keeps a printer from printing. */
export const faultOf = (name: string, { state, why = 'it does not say which' }: PrinterHealth): Fault => {
  if (state === 'paperOut') return new Fault('printer.paperOut', { name });
  if (state === 'coverOpen') return new Fault('printer.coverOpen', { name });
  return new Fault('printer.error', { name, why });
};

type PrinterContext = { name: string; clock: Clock; onTrouble(fault: Fault, health: PrinterHealth): void };

/** Polls until everything was printed, or the printer can no longer be expected to do it. */
const waitUntilPrinted = async (
  talk: Conversation,
  { name, clock, onTrouble: trouble }: PrinterContext,
): Promise<PrinterHealth> => {
  let reported: PrinterHealth['state'] | undefined;
  let wellSince = clock.monotonic();
  let illSince: number | undefined;
  for (;;) {
    const health = await talk.health();
    if (talk.isPrinted() && canPrint(health)) return health;
    const now = clock.monotonic();
    if (canPrint(health)) {
      illSince = undefined;
      if (health.state === 'unknown')
        throw awayFault(name, new Error('it stopped answering in the middle of a print job'));
      if (now - wellSince >= confirmMs) return health;
    } else {
      wellSince = now;
      illSince ??= now;
      if (now - illSince >= troubleMs) throw faultOf(name, health);
      if (reported !== health.state) trouble(faultOf(name, health), health);
    }
    reported = health.state;
    await pause(clock, pollMs);
  }
};

// Questions to a printer over a link: one at a time, each with its own deadline.

const answerMs = 1_000;

type Conversation = {
  /** Asks for the state. Silence is `unknown`. Rejects with `link.lost`. */
  health(): Promise<PrinterHealth>;
  /** Asks for a confirmation when everything was printed. From then on `isPrinted` can become true. */
  askPrinted(): Promise<void>;
  isPrinted(): boolean;
  /** Whether it ever gave a valid answer. */
  hasAnswered(): boolean;
};

type PrinterAnswers = {
  /** The next answer; undefined after the deadline. Rejects when the link is lost. */
  answer(): Promise<number | undefined>;
  lossFault(): Fault | undefined;
  listenForPrinted(): void;
  isPrinted(): boolean;
  hasAnswered(): boolean;
};

const listenForAnswers = (link: Link, clock: Clock): PrinterAnswers => {
  let waiting: { onByte(byte: number): void; onLost(fault: Fault): void } | undefined;
  let isListening = false;
  let isPrinted = false;
  let hasAnswered = false;
  let lossFault: Fault | undefined;
  link.listen({
    bytes(bytes) {
      for (const byte of bytes) {
        hasAnswered ||= isAnswer(byte) && waiting !== undefined;
        if (isAnswer(byte)) waiting?.onByte(byte);
        else isPrinted ||= isListening && isConfirmation(byte);
      }
    },
    closed(fault) {
      lossFault = fault;
      waiting?.onLost(fault);
    },
  });
  return {
    answer: () =>
      new Promise((resolve, reject) => {
        const stop = deadline(clock, answerMs, () => end(() => resolve(undefined)));
        const end = (notify: () => void) => {
          waiting = undefined;
          stop();
          notify();
        };
        waiting = { onByte: (byte) => end(() => resolve(byte)), onLost: (fault) => end(() => reject(fault)) };
      }),
    lossFault: () => lossFault,
    listenForPrinted() {
      isListening = true;
    },
    isPrinted: () => isPrinted,
    hasAnswered: () => hasAnswered,
  };
};

/** Takes the link over: nothing else may listen to it. */
const converse = (link: Link, clock: Clock): Conversation => {
  const listener = listenForAnswers(link, clock);
  const ask = async (bytes: Uint8Array): Promise<number | undefined> => {
    const lossFault = listener.lossFault();
    if (lossFault !== undefined) throw lossFault;
    const received = listener.answer();
    // A lost link also rejects the write: only one of the two is passed on.
    received.catch(() => {});
    await link.write(bytes);
    return received;
  };
  return {
    async health() {
      const answers: (number | undefined)[] = [];
      for (const number of questions) {
        const answer = await ask(question(number));
        // If the first question gets no answer, none will: the others are not asked.
        if (answer === undefined && number === 1) return healthOf([]);
        answers.push(answer);
      }
      return healthOf(answers);
    },
    async askPrinted() {
      listener.listenForPrinted();
      await link.write(confirmation);
    },
    isPrinted: listener.isPrinted,
    hasAnswered: listener.hasAnswered,
  };
};

// A printer's state, by real-time status requests, which it also answers while it is busy or out of paper.
//
// Source: Epson, "ESC/POS Command Reference", DLE EOT and GS r.

export type PrinterHealth = {
  /** `unknown`: no valid answer. Many printers cannot answer at all. */
  state: 'ready' | 'paperLow' | 'paperOut' | 'coverOpen' | 'error' | 'unknown';
  /** For an error: its description. */
  why?: string;
};

/** DLE EOT n: 1 the printer, 2 why it is offline, 3 its errors, 4 its paper. */
const questions = [1, 2, 3, 4] as const;
const question = (number: (typeof questions)[number]): Uint8Array => Uint8Array.of(0x10, 0x04, number);

/** GS r 1: answered once everything before it was printed. */
const confirmation = Uint8Array.of(0x1d, 0x72, 1);

/** Some bits of every answer are fixed, so that other bytes are not taken for one. */
export const isAnswer = (byte: number): boolean => (byte & 0x93) === 0x12;
export const isConfirmation = (byte: number): boolean => (byte & 0x90) === 0;

/** Health from the four answers, in order; an answer that did not come is undefined. */
export const healthOf = ([printer, offline, errors, paper]: readonly (number | undefined)[]): PrinterHealth => {
  if ([printer, offline, errors, paper].every((answer) => answer === undefined)) return { state: 'unknown' };
  const has = (answer: number | undefined, bits: number) => answer !== undefined && (answer & bits) !== 0;
  if (has(offline, 0x04)) return { state: 'coverOpen' };
  if (has(paper, 0x60) || has(offline, 0x20)) return { state: 'paperOut' };
  if (has(errors, 0x08)) return { state: 'error', why: 'the cutter is blocked' };
  if (has(errors, 0x20)) return { state: 'error', why: 'it cannot go on and must be switched off' };
  if (has(errors, 0x40)) return { state: 'error', why: 'its print head is too hot' };
  if (has(offline, 0x40)) return { state: 'error', why: 'it does not say which' };
  if (has(printer, 0x08)) return { state: 'error', why: 'it is offline' };
  return { state: has(paper, 0x0c) ? 'paperLow' : 'ready' };
};

/** Whether it can print now, as far as is known. */
export const canPrint = ({ state }: PrinterHealth): boolean =>
  state === 'ready' || state === 'paperLow' || state === 'unknown';
