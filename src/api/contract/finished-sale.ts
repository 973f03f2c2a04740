/** A finished sale as the commands print it. */
import * as z from 'zod';
import { saleFacts } from './sales.ts';
import { displayMode } from './wire.ts';

const billFacts = z
  .strictObject({
    id: z.string(),
    total: z.string(),
    paid: z.string(),
    unknown: z.string().describe('Of payments whose result is not known yet.'),
    left: z.string(),
    currency: z.string(),
    receipts: z.array(z.strictObject({ receipt: z.number(), state: z.string(), amount: z.string() })),
  })
  .meta({ id: 'BillFacts', description: 'A bill as it stands now, with amounts as the host API writes them.' });
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
  description: 'All that is known of a finished sale, with its bill as it stands now and its papers.',
});
