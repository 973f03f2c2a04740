/** The shape of every refusal and failure of the local API. */
import * as z from 'zod';
import { saleRow } from './sales.ts';
import { localizedMessage, said } from './wire.ts';

export const problem = said
  .extend({
    code: z.string().describe('For programs: the texts may change, the code does not.'),
    says: z.string().describe('What happened.'),
    money: z.string().describe('What it means for the money.'),
    next: z.string().describe('What to do now.'),
    remedy: z.enum(['retry', 'inquire', 'queue', 'halt', 'refuse']),
    fields: z
      .array(z.strictObject({ name: z.string(), says: z.string(), told: localizedMessage.optional() }))
      .optional()
      .describe('For a malformed request: the name of each wrong field, and what it must be.'),
    sales: z
      .array(saleRow)
      .optional()
      .describe(
        'For `sale.likely`: the sales that may have been charged. To confirm, name the receipt of each in `again`.',
      ),
  })
  .meta({
    id: 'Problem',
    description: 'A refusal or failure: what happened, what it means for the money, what to do next.',
  });
export type Problem = z.infer<typeof problem>;

export const problemAnswer = z.strictObject({ problem });
