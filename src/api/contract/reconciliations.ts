/** Settlement files against till and gateway, and what is done about the differences. */
import * as z from 'zod';
import { amount, inMode, localizedMessage } from './wire.ts';

export const reconciliationRow = z
  .strictObject({
    id: z.string(),
    file: z.string(),
    at: z.number(),
    by: z.string().optional(),
    days: z.strictObject({ first: z.string(), last: z.string() }),
    records: z.number(),
    agreeing: z.number(),
    differences: z.number(),
    resolved: z.number(),
  })
  .meta({ id: 'ReconciliationRow' });
export type ReconciliationRow = z.infer<typeof reconciliationRow>;

export const differenceRow = z
  .strictObject({
    n: z.number().describe('Its place in the reconciliation.'),
    receipt: z.number().optional(),
    sale: z.string().optional(),
    payment: z.string().optional(),
    lines: z.array(z.number()),
    till: amount,
    gateway: amount.optional(),
    settled: amount,
    reasons: z
      .array(
        z.strictObject({
          name: z.string(),
          says: z.string(),
          told: localizedMessage.optional(),
          toDo: z.string().optional(),
          toldToDo: localizedMessage.optional(),
          amount: amount.optional(),
        }),
      )
      .describe('The smallest explanation first.'),
    resolution: z
      .strictObject({ choice: z.string(), note: z.string(), by: z.string().optional(), at: z.number() })
      .optional(),
  })
  .meta({ id: 'DifferenceRow' });
export type DifferenceRow = z.infer<typeof differenceRow>;

export const reconciliationDetail = reconciliationRow
  .extend({
    statuses: z.strictObject({ MATCHED: z.number(), MULTIPLE_MATCHES: z.number(), NOT_MATCHED: z.number() }),
    payout: z.array(amount),
    findings: z.array(differenceRow),
    fine: z
      .array(
        z.strictObject({
          name: z.string(),
          says: z.string(),
          told: localizedMessage.optional(),
          count: z.number(),
          amount,
        }),
      )
      .optional()
      .describe('What explains the payout and needs nobody: fees, rates. By reason and currency.'),
    atTerminals: z
      .array(z.strictObject({ terminalId: z.string(), count: z.number(), amount }))
      .optional()
      .describe(
        'Sales of terminals that authorise by themselves: their own acquirers settle them, and the file names none.',
      ),
    more: z.number().optional().describe('How many differences there are beyond those that are listed.'),
    times: z
      .number()
      .optional()
      .describe(
        'How often this very file was reconciled: 1 the first time. Resolutions stay with what did not change since.',
      ),
    refused: z
      .array(z.strictObject({ line: z.number(), why: z.string(), says: z.string().optional() }))
      .describe('Lines that could not be taken, by their number in the file.'),
    refusedCount: z.number(),
  })
  .meta({ id: 'ReconciliationDetail' });
export type ReconciliationDetail = z.infer<typeof reconciliationDetail>;

export const reconciliationRowInMode = inMode(reconciliationRow, 'ReconciliationRowInMode');
export const reconciliationDetailInMode = inMode(reconciliationDetail, 'ReconciliationDetailInMode');

export const resolutionRequest = z.strictObject({
  choice: z.string().trim().min(1).max(500),
  note: z.string().max(500),
});
