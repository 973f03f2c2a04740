/** Receipts in every form, and the store's printers. Whatever a printer does, no sale ever waits for it or fails. */
import { printerAt } from '../../../drivers/printers/printer.ts';
import type { PaperDesk, PrinterState, ReceiptAsk } from '../../api/ports/paper.ts';
import type { Actor } from '../../api/ports/session.ts';
import { pause } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { toHex } from '../../base/hex.ts';
import type { Row } from '../../receipt/rows.ts';
import { laidLine } from '../../receipt/safe-text.ts';
import type { EndedSale } from '../../till/sale.ts';
import { isSigned } from '../outcome.ts';
import type { PrinterConfig } from '../paper-config.ts';
import { noteOn } from './noted.ts';
import { inForm, paperOf, printed, type Shop, storesPicture, usualColumns } from './paper-forms.ts';
import { drawerBytes, testRows } from './paper-pages.ts';
import { type Device, openPrinters, type PrinterOf, type Printers, put, stateOf } from './paper-printers.ts';
import { selfPrinting } from './paper-self.ts';
import type { DeskNote, DeskParts } from './parts.ts';

export type { PaperDesk, PrinterState } from '../../api/ports/paper.ts';

export type PaperParts = Pick<
  DeskParts,
  'running' | 'dataDir' | 'clock' | 'ids' | 'random' | 'events' | 'training' | 'report'
> &
  /** Left out by a command: who may give it may do anything here. */
  Partial<Pick<DeskParts, 'note'>>;

/** Notes who did it. Where nobody is told of, nobody is noted. */
const noted = ({ note, report }: PaperParts, what: DeskNote, by: Actor | undefined): void => {
  if (note !== undefined && by !== undefined) noteOn({ note, report })(what, by);
};

type Opened = { parts: PaperParts; printers: Printers; shop(): Shop; ended(receipt: number): EndedSale };

/** How long a list of printers waits for those that do not answer; what was known last is shown then. */
const LIST_MS = 1_500;

/** Prints by itself what till.json asks for. `close` lets go of printers and events; what waits is forgotten then. */
export const openPaperDesk = (parts: PaperParts, printerOf: PrinterOf = printerAt): PaperDesk & { close(): void } => {
  const printers = openPrinters(parts, printerOf);
  const opened: Opened = {
    parts,
    printers,
    shop() {
      const { paper } = printers.settings();
      return { ...parts, running: { ...parts.running, config: { ...parts.running.config, paper } } };
    },
    ended(receipt) {
      const sale = parts.running.till.find(receipt);
      if (sale.at !== 'ended') throw new Fault('till.unresolved', { sale: sale.intent.sale });
      return sale;
    },
  };
  const { shop, ended } = opened;
  const printReceipt = receiptPrinting(opened);
  const hear = selfPrinting({
    wanted: () => (printers.all().length === 0 ? 'nothing' : (printers.settings().paper?.print ?? 'nothing')),
    print: (receipt, copy) => printReceipt(ended(receipt), { copy, width: printers.usual().config.width }),
    signed: (receipt) => isSigned(ended(receipt)),
    report: parts.report,
  });
  const stopListening = parts.events.listen((event) => {
    if (event.on === 'sale') hear(event.sale);
  });
  return {
    receipt: async (receipt, form, ask) =>
      inForm(paperOf(shop(), ended(receipt), ask), form, {
        paper: ask.width,
        merchant: printers.settings().merchant.name,
      }),
    print: async (receipt, ask) => printReceipt(ended(receipt), ask),
    ...pages(opened),
    ...list(opened),
    close() {
      stopListening();
      printers.close();
    },
  };
};

/** An original is printed once, and by the till that made the sale; every other paper says DUPLICATE. */
const receiptPrinting = ({ parts, printers, shop }: Opened) => {
  const openedAt = parts.clock.now();
  const originals = new Set<string>();
  return async (sale: EndedSale, ask: ReceiptAsk): Promise<PrinterState> => {
    const device = printers.usual(ask.width);
    const original = `${sale.intent.sale} ${ask.copy}`;
    const second = ask.duplicate === true || originals.has(original) || sale.intent.at < openedAt;
    return put(device, {
      key: `${original} ${ask.language ?? ''}`,
      async bytes(again) {
        originals.add(original);
        const duplicate = second || again;
        const paper = paperOf(shop(), sale, { ...ask, ...(duplicate && { duplicate }) });
        return printed(paper, formOf(device.config));
      },
    });
  };
};

type Pages = Pick<PaperDesk, 'printReport' | 'openDrawer' | 'testPage'>;

const pages = ({ parts, printers, shop }: Opened): Pages => {
  const fresh = () => toHex(parts.random(8));
  const printRows = (device: Device, { key, rows }: { key: string; rows: Row[] }): Promise<PrinterState> => {
    const logo = rows.some(({ kind }) => kind === 'logo') ? storesPicture(shop()) : undefined;
    const paper = { rows, logo, language: { rtl: false } };
    return put(device, { key, bytes: () => printed(paper, formOf(device.config)) });
  };
  return {
    async printReport(lines) {
      const rows = lines.map((line): Row => ({ kind: 'plain', text: laidLine(line) }));
      return printRows(printers.usual(), { key: fresh(), rows });
    },
    async openDrawer(by) {
      const device = printers.all().find(({ config }) => config.drawer === true);
      if (device === undefined) throw new Fault('printer.noDrawer');
      const state = await put(device, { key: fresh(), once: true, bytes: async () => drawerBytes });
      noted(parts, { on: 'drawerOpened' }, by);
      return state;
    },
    async testPage(name) {
      const device = printers.named(name);
      const logo = printers.settings().paper?.logo !== undefined;
      return printRows(device, { key: 'test page', rows: testRows(device.config, { at: parts.clock.now(), logo }) });
    },
  };
};

type List = Pick<PaperDesk, 'printers' | 'addPrinter' | 'removePrinter'>;

const list = ({ parts, printers }: Opened): List => ({
  async printers() {
    const asked = Promise.all(printers.all().map(({ queue }) => queue.refresh()));
    await Promise.race([asked, pause(parts.clock, LIST_MS)]);
    return printers.all().map(stateOf);
  },
  async addPrinter(fresh, by) {
    const device = printers.add(fresh);
    noted(parts, { on: 'printerAdded', printer: `${fresh.name} at ${fresh.address}` }, by);
    await Promise.race([device.queue.refresh(), pause(parts.clock, LIST_MS)]);
    return stateOf(device);
  },
  removePrinter(name, by) {
    printers.remove(name);
    noted(parts, { on: 'printerRemoved', printer: name }, by);
  },
});

const formOf = ({ width, columns, codePage }: PrinterConfig) => ({
  width: width === 80 ? (columns ?? 42) : usualColumns(58),
  codePage,
});
