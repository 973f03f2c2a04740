/** Receipts and reports on paper, screen and in files, and the printers. */
import type { Actor } from './session.ts';
import type { Said } from './wire.ts';

export type ReceiptForm = 'text' | 'svg' | 'pdf' | 'escpos' | 'receiptline' | 'email';
export type ReceiptAsk = {
  copy: 'customer' | 'merchant';
  /** Of the paper, mm. */
  width: 58 | 80;
  /** Marked DUPLICATE. */
  duplicate?: boolean;
  /** BCP 47; the store's own if left out. */
  language?: string;
};

export type PrinterState = {
  name: string;
  address: string;
  width: 58 | 80;
  state: 'ready' | 'away' | 'paperOut' | 'paperLow' | 'coverOpen' | 'error' | 'unknown';
  problem?: Said;
  drawer: boolean;
  /** Jobs that wait for it. */
  waiting: number;
};

export interface PaperPort {
  /** Throws `till.notFound`. */
  receipt(
    receipt: number,
    form: ReceiptForm,
    ask: ReceiptAsk,
  ): Promise<{ type: string; name: string; body: string | Uint8Array }>;
  printers(): Promise<PrinterState[]>;
  /** Resolves when the printer has taken it. Throws `printer.none`, `printer.away`, `printer.paperOut` … */
  print(receipt: number, ask: ReceiptAsk): Promise<PrinterState>;
  printReport(lines: readonly string[]): Promise<PrinterState>;
  /** `by`: who is noted for it; nobody is where it is left out. */
  openDrawer(by?: Actor): Promise<PrinterState>;
  addPrinter(
    printer: { name: string; address: string; width: 58 | 80; codePage?: string; drawer?: boolean },
    by?: Actor,
  ): Promise<PrinterState>;
  removePrinter(name: string, by?: Actor): void;
  testPage(name: string): Promise<PrinterState>;
}
