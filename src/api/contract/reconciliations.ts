/** Settlement files compared with till and gateway, and the decisions about the differences. */
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
    n: z.number().describe('Its number within the reconciliation.'),
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
      .describe('The simplest explanation first.'),
    resolution: z
      .strictObject({ choice: z.string(), note: z.string(), by: z.string().optional(), at: z.number() })
      .optional(),
  })
  .meta({ id: 'DifferenceRow' });
export type DifferenceRow = z.infer<typeof differenceRow>;

const statuses = z.strictObject({ MATCHED: z.number(), MULTIPLE_MATCHES: z.number(), NOT_MATCHED: z.number() });
const atTerminals = z
  .array(z.strictObject({ terminalId: z.string(), count: z.number(), amount }))
  .describe(
    'Sales of terminals that contact their banks themselves: their own acquirers settle them, so they are not in ' +
      'the file.',
  );
const refusedLines = z
  .array(z.strictObject({ line: z.number(), why: z.string(), says: z.string().optional() }))
  .describe('Lines that could not be read, by their number in the file.');

export const reconciliationDetail = reconciliationRow
  .extend({
    statuses,
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
      .describe('What explains the payout and needs no action, such as fees and rates, by reason and currency.'),
    atTerminals: atTerminals.optional(),
    more: z.number().optional().describe('The number of differences that are not listed.'),
    times: z
      .number()
      .optional()
      .describe('How often this file has been reconciled, from 1. Resolutions of unchanged differences are kept.'),
    refused: refusedLines,
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

// A comparison that is not stored: the whole result, and the file with the match of each record.

const comparedFinding = z.strictObject({
  receipt: z.number().optional(),
  sale: z.string().optional(),
  payment: z.string().optional(),
  lines: z.array(z.number()),
  till: amount,
  gateway: amount.optional(),
  settled: amount,
  reasons: z.array(z.strictObject({ name: z.string(), says: z.string(), toDo: z.string(), amount })),
  isOff: z.literal(true).optional().describe('A person has to check it; absent if the reason explains the amount.'),
});
export type ComparedFinding = z.infer<typeof comparedFinding>;

export const settlementComparison = z.strictObject({
  records: z.number(),
  agreeing: z.number().describe('The number of sales that agree to the cent.'),
  statuses,
  payout: z.array(amount),
  findings: z.array(comparedFinding),
  more: z.array(z.strictObject({ name: z.string(), count: z.number() })).describe('Findings that are only counted.'),
  refused: refusedLines,
  refusedCount: z.number(),
  atTerminals,
  told: z.array(z.number()).describe('Receipts that the file covers.'),
  putOff: z.array(z.number()).describe('Receipts that the next file may still contain.'),
  days: z.strictObject({ first: z.string(), last: z.string() }).optional().describe('Absent for a single batch.'),
});
export type SettlementComparison = z.infer<typeof settlementComparison>;
export const settlementComparisonInMode = inMode(settlementComparison);

export const comparedPortion = z
  .strictObject({ matched: z.string() })
  .describe('The next part of the file as CSV, each record with its match.');
export type ComparedPortion = z.infer<typeof comparedPortion>;

export const comparisonQuery = z.object({
  batch: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional()
    .describe('Only the sales of this batch; by default those of the file’s days.'),
  matched: z.enum(['true', 'false']).optional().describe('Also return the file, with the match of each record.'),
});
export type ComparisonRequest = z.infer<typeof comparisonQuery>;
