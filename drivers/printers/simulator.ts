/**
 * A simulated receipt printer: it reads real ESC/POS bytes, answers as a printer does, and keeps what it printed. Its
 * paper, cover and errors are set by a script.
 */
import type { Clock } from '../../src/base/clock.ts';
import type { Link } from '../links/link.ts';
import { listenTcp } from '../links/tcp.ts';
import { decoder, type PrintedItem } from './decoder.ts';

export type PrinterScript = {
  /** Lines of paper on the roll; unlimited by default. An image takes one line per 24 of its rows. */
  paper?: number;
  coverOpen?: boolean;
  cutterBlocked?: boolean;
  /** How long a line takes, ms. */
  lineMs?: number;
  /** The printer never answers, like many cheap ones. */
  silent?: boolean;
  /** The printer answers with these bytes instead of a valid status. */
  garbage?: Uint8Array;
};

export type SimulatedPrinter = {
  /** What came out, oldest first, including cuts and drawer pulses. */
  readonly printed: readonly PrintedItem[];
  /** Bytes that are not a known command. */
  readonly noise: readonly Uint8Array[];
  /** Changes its condition: a new roll, the cover closed. */
  set(script: PrinterScript): void;
  /** Another till connects. */
  accept(link: Link): void;
  close(): Promise<void>;
};

type Step = { what: PrintedItem; from: Link };

const LOW_LINES = 20;
const ROWS_A_LINE = 24;

/** Performs one step after another at the script's speed, and stops without paper. */
const createMechanism = ({
  script,
  clock,
  perform,
}: {
  script: PrinterScript;
  clock: Clock;
  perform(step: Step): void;
}) => {
  const waiting: Step[] = [];
  let stopTimer: (() => void) | undefined;
  const runSteps = (): void => {
    stopTimer = undefined;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const lines = linesOf(next.what);
      if (isStopped(script) && lines > 0) return;
      waiting.shift();
      if (script.paper !== undefined) script.paper = Math.max(0, script.paper - lines);
      perform(next);
      if (lines > 0 && script.lineMs !== undefined) {
        stopTimer = clock.after(script.lineMs * lines, runSteps);
        return;
      }
    }
  };
  return {
    add: (step: Step) => void waiting.push(step),
    resume() {
      if (stopTimer === undefined) runSteps();
    },
    stop() {
      stopTimer?.();
      waiting.length = 0;
    },
  };
};

/** One printer. `report` receives each paper as lines of text when it is cut, for a person watching. */
export const simulatedPrinter = (
  { clock, report = () => {} }: { clock: Clock; report?(line: string): void },
  first: PrinterScript = {},
): SimulatedPrinter => {
  const script: PrinterScript = { ...first };
  const printed: PrintedItem[] = [];
  const noise: Uint8Array[] = [];
  const links = new Set<Link>();

  const answer = (link: Link, byte: number) => {
    if (script.silent === true) return;
    void link.write(script.garbage ?? Uint8Array.of(byte)).catch(() => links.delete(link));
  };
  const perform = ({ what, from }: Step): void => {
    if (what.kind === 'confirm') {
      answer(from, isLow(script) ? 0x03 : 0x00);
      return;
    }
    printed.push(what);
    if (what.kind === 'cut') for (const line of textOf(printed)) report(line);
    if (what.kind === 'drawer') report('[ the drawer opens ]');
  };
  const works = createMechanism({ script, clock, perform });
  const handleItem = (link: Link, what: PrintedItem): void => {
    if (what.kind === 'asked') answer(link, statusByte(what.question, script));
    else if (what.kind === 'noise') noise.push(what.bytes);
    else works.add({ what, from: link });
  };

  return {
    printed,
    noise,
    set(change) {
      Object.assign(script, change);
      works.resume();
    },
    accept(link) {
      links.add(link);
      const reader = decoder();
      link.listen({
        bytes(bytes) {
          for (const what of reader.take(bytes)) handleItem(link, what);
          works.resume();
        },
        closed: () => links.delete(link),
      });
    },
    async close() {
      works.stop();
      await Promise.all([...links].map((link) => link.close()));
    },
  };
};

const isLow = ({ paper = LOW_LINES }: PrinterScript): boolean => paper < LOW_LINES;

const isStopped = ({ paper, coverOpen, cutterBlocked }: PrinterScript): boolean =>
  paper === 0 || coverOpen === true || cutterBlocked === true;

const linesOf = (what: PrintedItem): number =>
  what.kind === 'line'
    ? 1
    : what.kind === 'feed'
      ? what.lines
      : what.kind === 'raster'
        ? Math.ceil(what.rows / ROWS_A_LINE)
        : 0;

/** The answer to DLE EOT: the fixed bits, and those that the script sets. */
const statusByte = (question: number, script: PrinterScript): number => {
  const bits: Record<number, number> = {
    1: isStopped(script) ? 0x08 : 0,
    2: (script.coverOpen === true ? 0x04 : 0) | (script.paper === 0 ? 0x20 : 0) | (script.cutterBlocked ? 0x40 : 0),
    3: script.cutterBlocked === true ? 0x08 : 0,
    4: (script.paper === 0 ? 0x60 : 0) | (isLow(script) ? 0x0c : 0),
  };
  return 0x12 | (bits[question] ?? 0);
};

/** Centred on paper of 42 columns. */
const centre = (text: string, wide: boolean): string =>
  (' '.repeat(Math.max(0, Math.floor((42 - text.length * (wide ? 2 : 1)) / 2))) + text).trimEnd();

/** The last print job as text: its lines, with images and codes named. */
export const textOf = (printed: readonly PrintedItem[]): string[] => {
  const cut = printed.slice(0, -1).findLastIndex(({ kind }) => kind === 'cut');
  return printed.slice(cut + 1).flatMap((what): string[] => {
    if (what.kind === 'line') return [what.align === 'centre' ? centre(what.text, what.size > 1) : what.text];
    if (what.kind === 'code') return [`[ QR code: ${what.text} ]`];
    return what.kind === 'raster' ? [`[ picture of ${what.bytesAcross * 8} × ${what.rows} dots ]`] : [];
  });
};

/** The printer on a TCP port of this machine; 0 chooses a free one. Throws `link.unavailable`. */
export const simulatePrinterOnTcp = async (
  printer: SimulatedPrinter,
  { port, clock }: { port: number; clock: Clock },
): Promise<{ address: string; close(): Promise<void> }> => {
  const server = await listenTcp({ port, clock, accept: printer.accept });
  return {
    address: `escpos+tcp://127.0.0.1:${server.port}`,
    async close() {
      await printer.close();
      await server.close();
    },
  };
};
