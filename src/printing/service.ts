/** Receipts in every form, and the store's printers. Whatever a printer does, no sale waits or fails because of it. */
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
import { blank, centreRow, largeRow, pair, type Row, rule } from '../receipt/rows.ts';
import { layOutLine, safeText } from '../receipt/safe-text.ts';
import { type AuditNote, noteOn } from '../staff/audit/audit-notes.ts';
import type { EndedSale } from '../till/machine/sale.ts';
import { outcomeOf } from './outcome.ts';
import { encodePrint, type PaperFormParts, paperOf, printInForm, storesPicture, usualColumns } from './paper-forms.ts';
import { type ConfiguredPrinter, openPrinters, type PrinterOf, type Printers, put, stateOf } from './paper-printers.ts';
import type { PrintJob, StoredPrintJob } from './paper-queue.ts';
import type { PaperParts } from './port.ts';

export type { PaperPort } from '../api/ports/paper.ts';

/** Records who did it, if the caller gives a person. */
const noteIfActor = ({ note, report }: PaperParts, what: AuditNote, actor: Actor | undefined): void => {
  if (note !== undefined && actor !== undefined) noteOn({ note, report })(what, actor);
};

type Opened = {
  parts: PaperParts;
  printers: Printers;
  formParts(): PaperFormParts;
  endedSale(receipt: number): EndedSale;
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
  const formParts = (): PaperFormParts => {
    const { paper } = printers.settings();
    return { ...parts, running: { ...parts.running, config: { ...parts.running.config, paper } } };
  };
  const opened: Opened = {
    parts,
    printers,
    formParts,
    receipts: receiptJobs({ ...parts, formParts }),
    endedSale(receipt) {
      const sale = parts.running.till.find(receipt);
      if (sale.at !== 'ended') throw new Fault('receipt.notYet', { receipt: sale.intent.receipt });
      return sale;
    },
  };
  const { endedSale, receipts } = opened;
  const printReceipt = async (sale: EndedSale, ask: ReceiptAsk): Promise<PrinterState> => {
    const device = printers.defaultPrinter(ask.width);
    return put(device, receipts.requestedJob(device, sale, ask));
  };
  putAgain(opened);
  const hear =
    parts.keeps === false
      ? () => {}
      : printAutomatically({
          wantedCopies: () =>
            printers.all().length === 0 ? 'nothing' : (printers.settings().paper?.print ?? 'nothing'),
          print: (receipt, copy) =>
            printReceipt(endedSale(receipt), { copy, width: printers.defaultPrinter().config.width }),
          isSigned: (receipt) => isSigned(endedSale(receipt)),
          report: parts.report,
        });
  const stopListening = parts.events.listen((event) => {
    // Only an ending has a number; steps have none.
    if (event.on === 'sale' && 'number' in event) hear(event.sale);
  });
  return {
    receipt: async (receipt, form, ask) =>
      printInForm(paperOf(formParts(), endedSale(receipt), ask), form, {
        paper: ask.width,
        merchant: printers.settings().merchant.name,
      }),
    outcome: (receipt, ask) => outcomeOf(parts, endedSale(receipt), ask),
    print: async (receipt, ask) => printReceipt(endedSale(receipt), ask),
    ...pages(opened),
    ...list(opened),
    close() {
      stopListening();
      printers.close();
    },
  };
};

/** Queues the jobs left from the last run. What prevents printing is shown at its printer. */
const putAgain = ({ parts, printers, formParts, endedSale, receipts }: Opened): void => {
  for (const { printer, paper, at, again } of printers.storedJobs()) {
    try {
      const device = printers.findPrinter(printer);
      const job =
        paper.of === 'report'
          ? reportJob({ ...parts, formParts }, { device, at }, paper.lines)
          : receipts.kept({ device, at }, endedSale(paper.receipt), paper);
      put(device, job, { again }).catch(() => {});
    } catch (error) {
      parts.report(error);
    }
  }
};

type Pages = Pick<PaperPort, 'printReport' | 'openDrawer' | 'testPage'>;

const pages = ({ parts, printers, formParts }: Opened): Pages => {
  const jobs = { ...parts, formParts };
  return {
    async printReport(lines) {
      const device = printers.defaultPrinter();
      return put(device, reportJob(jobs, { device, at: parts.clock.now() }, lines));
    },
    async openDrawer(actor) {
      const device = printers.all().find(({ config }) => config.drawer === true);
      if (device === undefined) throw new Fault('printer.noDrawer');
      const state = await put(device, {
        key: toHex(parts.random(8)),
        isDroppedOnFault: true,
        bytes: async () => drawerPulse,
      });
      noteIfActor(parts, { on: 'drawerOpened' }, actor);
      return state;
    },
    async testPage(name) {
      const device = printers.findPrinter(name);
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
    noteIfActor(parts, { on: 'printerAdded', printer: `${fresh.name} at ${fresh.address}` }, actor);
    await Promise.race([device.queue.refresh(), pause(parts.clock, LIST_MS)]);
    return stateOf(device);
  },
  removePrinter(name, actor) {
    printers.remove(name);
    noteIfActor(parts, { on: 'printerRemoved', printer: name }, actor);
  },
});

/** Receipts that are printed automatically when a sale has ended. */
export type SelfPrinting = {
  wantedCopies(): 'nothing' | 'customer' | 'both';
  print(receipt: number, copy: 'customer' | 'merchant'): Promise<unknown>;
  /** Whether the customer signs the merchant's copy, which is then always printed. */
  isSigned(receipt: number): boolean;
  /** Called with the reason when something could not be printed. */
  report(error: unknown): void;
};

/** Sales are remembered so that a repeated event prints nothing twice. */
const REMEMBERED = 1_000;

/** Returns the listener for endings, which prints the sale's receipts and never throws. */
const printAutomatically = ({
  wantedCopies: wanted,
  print,
  isSigned: signed,
  report,
}: SelfPrinting): ((sale: LiveSale) => void) => {
  const doneReceipts = new Set<string>();
  return ({ id, receipt }) => {
    const what = wanted();
    if (what === 'nothing' || doneReceipts.has(id)) return;
    doneReceipts.add(id);
    if (doneReceipts.size > REMEMBERED) doneReceipts.delete([...doneReceipts][0] ?? '');
    const printCopies = async (): Promise<void> => {
      const merchants = what === 'both' || signed(receipt) ? [print(receipt, 'merchant')] : [];
      await Promise.all([...merchants, print(receipt, 'customer')]);
    };
    printCopies().catch(report);
  };
};

// Jobs that are not receipts: the test page, and the pulse that opens the drawer.

/** What a person compares with the printed page: both edges, each size, letters of the store's languages, a code. */
const testRows = (printer: PrinterConfig, { at, logo }: { at: number; logo: boolean }): Row[] => [
  ...(logo ? [{ kind: 'logo' } as const] : []),
  largeRow('TEST PAGE'),
  centreRow(safeText(printer.name)),
  rule,
  pair('ADDRESS', safeText(printer.address)),
  pair('PAPER', `${printer.width} mm`),
  pair('LETTERS', printer.codePage ?? 'cp437'),
  pair('DRAWER', printer.drawer === true ? 'yes' : 'no'),
  pair('PRINTED (UTC)', dateTime(at)),
  rule,
  pair('left edge', 'right edge'),
  { kind: 'pair', left: 'LARGE', right: '1234567.89', large: true },
  centreRow('ÄÖÜ äöü ß éèê ç ñ å ø'),
  centreRow('Žluťoučký kůň  Łódź  Şişli'),
  centreRow('Ωμέγα  Привет  مرحبا  日本  한국'),
  rule,
  centreRow('Each line above must be readable,'),
  centreRow('and both edges must be complete.'),
  blank,
  { kind: 'code', code: 'TEST', caption: 'A scanner reads TEST' },
];

// Makes the jobs of a printer's queue: receipts, reports and pages, each rendered when the printer is ready for it.

type Parts = Pick<PaperParts, 'clock' | 'random'> & { formParts(): PaperFormParts };
type KeptReceipt = Extract<StoredPrintJob, { of: 'receipt' }>;
/** Which printer it is for, and when it was requested, ms. */
export type Put = { device: ConfiguredPrinter; at: number };

/** An original is printed once, by the till that made the sale; every other print says DUPLICATE. */
const receiptJobs = ({ clock, formParts }: Parts) => {
  const openedAt = clock.now();
  const originals = new Set<string>();
  const originalKey = (sale: EndedSale, { copy }: Pick<ReceiptAsk, 'copy'>) => `${sale.intent.sale} ${copy}`;
  const storedJob = ({ device, at }: Put, sale: EndedSale, paper: KeptReceipt): PrintJob => ({
    key: `${originalKey(sale, paper)} ${paper.language ?? ''}`,
    stored: { at, paper },
    async bytes(again) {
      originals.add(originalKey(sale, paper));
      const { copy, language } = paper;
      const duplicate = paper.duplicate || again;
      const ask = { copy, language, duplicate: duplicate || undefined };
      const form = paperOf(formParts(), sale, ask);
      return encodePrint(form, formOf(device.config));
    },
  });
  return {
    /** A job left from the last run. */
    kept: storedJob,
    requestedJob(device: ConfiguredPrinter, sale: EndedSale, ask: ReceiptAsk): PrintJob {
      const isDuplicate = ask.duplicate === true || originals.has(originalKey(sale, ask)) || sale.intent.at < openedAt;
      const paper: KeptReceipt = { ...ask, of: 'receipt', receipt: sale.intent.receipt, duplicate: isDuplicate };
      return storedJob({ device, at: clock.now() }, sale, paper);
    },
  };
};

type Page = { key: string; rows: Row[] };

const pageJob = ({ formParts }: Parts, device: ConfiguredPrinter, { key, rows }: Page): PrintJob => {
  const logo = rows.some(({ kind }) => kind === 'logo') ? storesPicture(formParts()) : undefined;
  const paper = { rows: withMode(rows, formParts()), logo, language: { rtl: false } };
  return { key, bytes: () => encodePrint(paper, formOf(device.config)) };
};

/** Marked in the shop's language, unless the rows begin and end with a mark already. */
const withMode = (rows: Row[], { mode, running: { config } }: PaperFormParts): Row[] =>
  rows.length > 1 && rows[0]?.kind === 'mark' && rows.at(-1)?.kind === 'mark'
    ? rows
    : withModeMark(rows, mode, receiptLanguage(config.paper?.language).words);

/** Prints `lines` as they were laid out for this width. */
const reportJob = (parts: Parts, { device, at }: Put, lines: readonly string[]): PrintJob => ({
  ...pageJob(parts, device, { key: toHex(parts.random(8)), rows: lines.map(lineRow) }),
  stored: { at, paper: { of: 'report', lines: [...lines] } },
});

/** A mark is as large here as on every other print. */
const lineRow = (line: string): Row => {
  const mark = markIn(line);
  return mark === undefined ? { kind: 'plain', text: layOutLine(line) } : { kind: 'mark', text: mark };
};

const formOf = ({ width, columns, codePage }: PrinterConfig) => ({
  width: width === 80 ? (columns ?? 42) : usualColumns(58),
  codePage,
});
