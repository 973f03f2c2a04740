/** Receipts of a sale: as text, and on the printer. */
import type { PrinterState } from '../../api/ports/paper.ts';
import { api, got, Refused } from '../api.ts';

export type PrintedCopy = 'customer' | 'merchant';

/** The receipt as lines of text. Throws `Refused`. */
export const receiptText = async (receipt: number, copy: PrintedCopy = 'customer'): Promise<string> => {
  const response = await api.sales[':receipt{[0-9]{1,9}}'].receipt.$get({
    param: { receipt: String(receipt) },
    query: { form: 'text', copy, width: '80' },
  });
  if (response.ok) return response.text();
  const { problem } = (await response.json()) as { problem: ConstructorParameters<typeof Refused>[0] };
  throw new Refused(problem, response.status);
};

/** Prints; a second print of the same copy is marked as one. Throws `Refused` of a printer's trouble. */
export const printReceipt = async (receipt: number, copy: PrintedCopy, duplicate: boolean): Promise<PrinterState> =>
  (await got(
    api.sales[':receipt{[0-9]{1,9}}'].print.$post({
      param: { receipt: String(receipt) },
      json: { copy, width: 80, ...(duplicate && { duplicate: true }) },
    }),
  )) as PrinterState;
