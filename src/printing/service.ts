/** Receipts in every form, and the store's printers. Whatever a printer does, no sale ever waits for it or fails. */
import { printerAt } from '../../drivers/printers/printer.ts';
import type { PrinterState, ReceiptAsk } from '../api/contract/paper.ts';
import type { LiveSale } from '../api/contract/sales.ts';
import type { PaperPort } from '../api/ports/paper.ts';
import type { Actor } from '../api/ports/session.ts';
import { dateTime, pause } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { toHex } from '../base/hex.ts';
import type { PrinterConfig } from '../folder/paper-config.ts';
import { isSigned } from '../ledger/outcome.ts';
import { receiptLanguage } from '../locales/shopper.ts';
import { drawerPulse } from '../receipt/escpos.ts';
import { markIn, withModeMark } from '../receipt/mode-mark.ts';
import { blank, centre, large, pair, type Row, rule } from '../receipt/rows.ts';
import { laidLine, safeText } from '../receipt/safe-text.ts';
import { type AuditNote, noteOn } from '../staff/audit/audit-notes.ts';
import type { EndedSale } from '../till/machine/sale.ts';
import { outcomeOf } from './outcome.ts';
import { inForm, type PaperFormParts, paperOf, printed, storesPicture, usualColumns } from './paper-forms.ts';
import { type ConfiguredPrinter, openPrinters, type PrinterOf, type Printers, put, stateOf } from './paper-printers.ts';
import type { PrintJob, StoredPrintJob } from './paper-queue.ts';
import type { PaperParts } from './port.ts';

export type { PaperPort } from '../api/ports/paper.ts';

/** Records who did it, if the caller gives a person. */
const noted = ({ note, report }: PaperParts, what: AuditNote, actor: Actor | undefined): void => {
  if (note !== undefined && actor !== undefined) noteOn({ note, report })(what, actor);
};

type Opened = {
  parts: PaperParts;
  printers: Printers;
  shop(): PaperFormParts;
  ended(receipt: number): EndedSale;
  receipts: ReturnType<typeof receiptJobs>;
};

/** How long a list of printers waits for those that do not answer; their last known state is shown then. */
const LIST_MS = 1_500;

/**
 * Prints automatically what till.json asks for, and the jobs left from the last run. `close` releases printers and
 * events; jobs still waiting are printed after the next start.
 */
export const openPaperService = (
  parts: PaperParts,
  printerOf: PrinterOf = printerAt,
): PaperPort & { close(): void } => {
  const printers = openPrinters(parts, printerOf);
  const shop = (): PaperFormParts => {
    const { paper } = printers.settings();
    return { ...parts, running: { ...parts.running, config: { ...parts.running.config, paper } } };
  };
  const opened: Opened = {
    parts,
    printers,
    shop,
    receipts: receiptJobs({ ...parts, shop }),
    ended(receipt) {
      const sale = parts.running.till.find(receipt);
      if (sale.at !== 'ended') throw new Fault('receipt.notYet', { receipt: sale.intent.receipt });
      return sale;
    },
  };
  const { ended, receipts } = opened;
  const printReceipt = async (sale: EndedSale, ask: ReceiptAsk): Promise<PrinterState> => {
    const device = printers.usual(ask.width);
    return put(device, receipts.asked(device, sale, ask));
  };
  putAgain(opened);
  const hear =
    parts.keeps === false
      ? () => {}
      : selfPrinting({
          wanted: () => (printers.all().length === 0 ? 'nothing' : (printers.settings().paper?.print ?? 'nothing')),
          print: (receipt, copy) => printReceipt(ended(receipt), { copy, width: printers.usual().config.width }),
          signed: (receipt) => isSigned(ended(receipt)),
          report: parts.report,
        });
  const stopListening = parts.events.listen((event) => {
    // An ending. Steps have no number.
    if (event.on === 'sale' && 'number' in event) hear(event.sale);
  });
  return {
    receipt: async (receipt, form, ask) =>
      inForm(paperOf(shop(), ended(receipt), ask), form, {
        paper: ask.width,
        merchant: printers.settings().merchant.name,
      }),
    outcome: (receipt, ask) => outcomeOf(parts, ended(receipt), ask),
    print: async (receipt, ask) => printReceipt(ended(receipt), ask),
    ...pages(opened),
    ...list(opened),
    close() {
      stopListening();
      printers.close();
    },
  };
};

/** Queues the jobs left from the last run. What prevents printing is shown at its printer. */
const putAgain = ({ parts, printers, shop, ended, receipts }: Opened): void => {
  for (const { printer, paper, at, again } of printers.left()) {
    try {
      const device = printers.named(printer);
      const job =
        paper.of === 'report'
          ? reportJob({ ...parts, shop }, { device, at }, paper.lines)
          : receipts.kept({ device, at }, ended(paper.receipt), paper);
      put(device, job, { again }).catch(() => {});
    } catch (error) {
      parts.report(error);
    }
  }
};

type Pages = Pick<PaperPort, 'printReport' | 'openDrawer' | 'testPage'>;

const pages = ({ parts, printers, shop }: Opened): Pages => {
  const jobs = { ...parts, shop };
  return {
    async printReport(lines) {
      const device = printers.usual();
      return put(device, reportJob(jobs, { device, at: parts.clock.now() }, lines));
    },
    async openDrawer(actor) {
      const device = printers.all().find(({ config }) => config.drawer === true);
      if (device === undefined) throw new Fault('printer.noDrawer');
      const state = await put(device, { key: toHex(parts.random(8)), once: true, bytes: async () => drawerPulse });
      noted(parts, { on: 'drawerOpened' }, actor);
      return state;
    },
    async testPage(name) {
      const device = printers.named(name);
      const logo = printers.settings().paper?.logo !== undefined;
      const rows = testRows(device.config, { at: parts.clock.now(), logo });
      return put(device, pageJob(jobs, device, { key: 'test page', rows }));
    },
  };
};

type List = Pick<PaperPort, 'printers' | 'addPrinter' | 'removePrinter'>;

const list = ({ parts, printers }: Opened): List => ({
  async printers() {
    const request = Promise.all(printers.all().map(({ queue }) => queue.refresh()));
    await Promise.race([request, pause(parts.clock, LIST_MS)]);
    return printers.all().map(stateOf);
  },
  async addPrinter(fresh, actor) {
    const device = printers.add(fresh);
    noted(parts, { on: 'printerAdded', printer: `${fresh.name} at ${fresh.address}` }, actor);
    await Promise.race([device.queue.refresh(), pause(parts.clock, LIST_MS)]);
    return stateOf(device);
  },
  removePrinter(name, actor) {
    printers.remove(name);
    noted(parts, { on: 'printerRemoved', printer: name }, actor);
  },
});

/** Receipts that are printed automatically when a sale has ended. */
export type SelfPrinting = {
  wanted(): 'nothing' | 'customer' | 'both';
  print(receipt: number, copy: 'customer' | 'merchant'): Promise<unknown>;
  /** Whether the customer signs the merchant's copy, which is then always printed. */
  signed(receipt: number): boolean;
  /** Called with the reason when something could not be printed. */
  report(error: unknown): void;
};

/** Sales are remembered so that a repeated event prints nothing twice. */
const REMEMBERED = 1_000;

/** Returns the listener for endings, which prints the sale's receipts and never throws. */
const selfPrinting = ({ wanted, print, signed, report }: SelfPrinting): ((sale: LiveSale) => void) => {
  const done = new Set<string>();
  return ({ id, receipt }) => {
    const what = wanted();
    if (what === 'nothing' || done.has(id)) return;
    done.add(id);
    if (done.size > REMEMBERED) done.delete([...done][0] ?? '');
    const papers = async (): Promise<void> => {
      const merchants = what === 'both' || signed(receipt) ? [print(receipt, 'merchant')] : [];
      await Promise.all([...merchants, print(receipt, 'customer')]);
    };
    papers().catch(report);
  };
};

// Jobs that are not receipts: the test page, and the pulse that opens the drawer.

/** What a person compares with the printed page: both edges, each size, letters of the store's languages, a code. */
const testRows = (printer: PrinterConfig, { at, logo }: { at: number; logo: boolean }): Row[] => [
  ...(logo ? [{ kind: 'logo' } as const] : []),
  large('TEST PAGE'),
  centre(safeText(printer.name)),
  rule,
  pair('ADDRESS', safeText(printer.address)),
  pair('PAPER', `${printer.width} mm`),
  pair('LETTERS', printer.codePage ?? 'cp437'),
  pair('DRAWER', printer.drawer === true ? 'yes' : 'no'),
  pair('PRINTED (UTC)', dateTime(at)),
  rule,
  pair('left edge', 'right edge'),
  { kind: 'pair', left: 'LARGE', right: '1234567.89', large: true },
  centre('ÄÖÜ äöü ß éèê ç ñ å ø'),
  centre('Žluťoučký kůň  Łódź  Şişli'),
  centre('Ωμέγα  Привет  مرحبا  日本  한국'),
  rule,
  centre('Each line above must be readable,'),
  centre('and both edges must be complete.'),
  blank,
  { kind: 'code', code: 'TEST', caption: 'A scanner reads TEST' },
];

// Makes the jobs of a printer's queue: receipts, reports and pages, each rendered when the printer is ready for it.

type Parts = Pick<PaperParts, 'clock' | 'random'> & { shop(): PaperFormParts };
type KeptReceipt = Extract<StoredPrintJob, { of: 'receipt' }>;
/** Which printer it is for, and when it was requested, ms. */
export type Put = { device: ConfiguredPrinter; at: number };

/** An original is printed once, by the till that made the sale; every other print says DUPLICATE. */
const receiptJobs = ({ clock, shop }: Parts) => {
  const openedAt = clock.now();
  const originals = new Set<string>();
  const original = (sale: EndedSale, { copy }: Pick<ReceiptAsk, 'copy'>) => `${sale.intent.sale} ${copy}`;
  const kept = ({ device, at }: Put, sale: EndedSale, paper: KeptReceipt): PrintJob => ({
    key: `${original(sale, paper)} ${paper.language ?? ''}`,
    kept: { at, paper },
    async bytes(again) {
      originals.add(original(sale, paper));
      const { copy, language } = paper;
      const duplicate = paper.duplicate || again;
      const ask = { copy, language, duplicate: duplicate || undefined };
      const form = paperOf(shop(), sale, ask);
      return printed(form, formOf(device.config));
    },
  });
  return {
    /** A job left from the last run. */
    kept,
    asked(device: ConfiguredPrinter, sale: EndedSale, ask: ReceiptAsk): PrintJob {
      const second = ask.duplicate === true || originals.has(original(sale, ask)) || sale.intent.at < openedAt;
      const paper: KeptReceipt = { ...ask, of: 'receipt', receipt: sale.intent.receipt, duplicate: second };
      return kept({ device, at: clock.now() }, sale, paper);
    },
  };
};

type Page = { key: string; rows: Row[] };

const pageJob = ({ shop }: Parts, device: ConfiguredPrinter, { key, rows }: Page): PrintJob => {
  const logo = rows.some(({ kind }) => kind === 'logo') ? storesPicture(shop()) : undefined;
  const paper = { rows: inMode(rows, shop()), logo, language: { rtl: false } };
  return { key, bytes: () => printed(paper, formOf(device.config)) };
};

/** Marked in the shop's language, unless the rows begin and end with a mark already. */
const inMode = (rows: Row[], { mode, running: { config } }: PaperFormParts): Row[] =>
  rows.length > 1 && rows[0]?.kind === 'mark' && rows.at(-1)?.kind === 'mark'
    ? rows
    : withModeMark(rows, mode, receiptLanguage(config.paper?.language).words);

/** Prints `lines` as they were laid out for this width. */
const reportJob = (parts: Parts, { device, at }: Put, lines: readonly string[]): PrintJob => ({
  ...pageJob(parts, device, { key: toHex(parts.random(8)), rows: lines.map(lineRow) }),
  kept: { at, paper: { of: 'report', lines: [...lines] } },
});

/** A mark is as large here as on every other print. */
const lineRow = (line: string): Row => {
  const mark = markIn(line);
  return mark === undefined ? { kind: 'plain', text: laidLine(line) } : { kind: 'mark', text: mark };
};

const formOf = ({ width, columns, codePage }: PrinterConfig) => ({
  width: width === 80 ? (columns ?? 42) : usualColumns(58),
  codePage,
});
