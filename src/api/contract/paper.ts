/** Receipts and reports on paper, and the printers. */
import * as z from 'zod';
import { saleFacts } from './sales.ts';
import { displayMode, name, said } from './wire.ts';

const paperWidth = z.literal([58, 80]);

export const printerState = z
  .strictObject({
    name: z.string(),
    address: z.string(),
    width: paperWidth,
    state: z.enum(['ready', 'away', 'paperOut', 'paperLow', 'coverOpen', 'error', 'unknown']),
    problem: said.optional(),
    drawer: z.boolean(),
    waiting: z.number().describe('Jobs that are waiting for it.'),
  })
  .meta({ id: 'PrinterState' });
export type PrinterState = z.infer<typeof printerState>;

const ask = {
  copy: z.enum(['customer', 'merchant']).default('customer'),
  width: z.coerce.number().pipe(paperWidth).default(80).describe('Paper width, mm.'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/)
    .optional()
    .describe('BCP 47; the store’s language by default.'),
};

export const receiptQuery = z.object({
  ...ask,
  form: z.enum(['text', 'svg', 'pdf', 'escpos', 'receiptline', 'email']).default('text'),
  duplicate: z.enum(['true', 'false']).optional(),
});
export type ReceiptForm = z.output<typeof receiptQuery>['form'];

export const outcomeQuery = z.object({
  copy: z
    .enum(['customer', 'merchant'])
    .optional()
    .describe('Only this copy, instead of the papers that are handed out.'),
  width: ask.width,
  duplicate: z.enum(['true', 'false']).optional(),
});

export const printRequest = z.strictObject({
  ...ask,
  duplicate: z.boolean().optional().describe('Marked DUPLICATE.'),
});
export type ReceiptAsk = z.output<typeof printRequest>;

/** A report's lines as the till returned them, at most as wide as 80 mm paper. */
export const reportRequest = z.strictObject({ lines: z.array(z.string().max(64)).min(1).max(2_000) });

export const printerRequest = z.strictObject({
  name,
  address: z.string().min(1).max(200),
  width: paperWidth,
  codePage: z.string().max(20).optional(),
  drawer: z.boolean().optional(),
});
export type PrinterRequest = z.infer<typeof printerRequest>;

const billFacts = z
  .strictObject({
    id: z.string(),
    total: z.string(),
    paid: z.string(),
    unknown: z.string().describe('Payments whose result is not known yet.'),
    left: z.string(),
    currency: z.string(),
    receipts: z.array(z.strictObject({ receipt: z.number(), state: z.string(), amount: z.string() })),
  })
  .meta({ id: 'BillFacts', description: 'The current state of a bill, with amounts in the host API’s format.' });
export type BillFacts = z.infer<typeof billFacts>;

const lines = z.array(z.string()).optional();

export const finishedSale = saleFacts.extend({
  bill: billFacts.optional(),
  receiptText: z
    .strictObject({ merchant: lines, customer: lines })
    .describe('The lines of each paper that is handed out or kept.'),
});
export type FinishedSale = z.infer<typeof finishedSale>;

export const finishedSaleInMode = finishedSale.extend({ mode: displayMode }).meta({
  id: 'FinishedSale',
  description: 'All facts of a finished sale, with the current state of its bill and its papers.',
});
