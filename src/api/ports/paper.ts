/** Receipts and reports on paper, screen and in files, and the printers. */
import type { FinishedSale, PrinterRequest, PrinterState, ReceiptAsk, ReceiptForm } from '../contract/paper.ts';
import type { Actor } from './session.ts';

export interface PaperPort {
  /** Throws `till.notFound`. */
  receipt(
    receipt: number,
    form: ReceiptForm,
    ask: ReceiptAsk,
  ): Promise<{ type: string; name: string; body: string | Uint8Array }>;
  /** `ask`: only this paper, instead of those that are handed out. Throws `till.notFound`, `receipt.notYet`. */
  outcome(receipt: number, ask?: Omit<ReceiptAsk, 'language'>): FinishedSale;
  printers(): Promise<PrinterState[]>;
  /** Resolves when the printer has accepted it. Throws `printer.none`, `printer.away`, `printer.paperOut` … */
  print(receipt: number, ask: ReceiptAsk): Promise<PrinterState>;
  printReport(lines: readonly string[]): Promise<PrinterState>;
  /** `by`: the person for the audit list; without it nothing is recorded. */
  openDrawer(actor?: Actor): Promise<PrinterState>;
  addPrinter(printer: PrinterRequest, actor?: Actor): Promise<PrinterState>;
  removePrinter(name: string, actor?: Actor): void;
  testPage(name: string): Promise<PrinterState>;
}
