/** The manager's day: figures, batches, closing, open items. */
import * as z from 'zod';
import { batchLine, batchRecord, currencyReport, xRecord } from './records.ts';
import { operation, saleRow, state } from './sales.ts';
import { amount, inMode, localizedMessage } from './wire.ts';

export const today = z.strictObject({
  day: z.string(),
  taken: amount,
  refunded: amount,
  offline: z.strictObject({ exposure: amount, most: amount.optional() }),
  openItems: z.number(),
  sales: z.number().describe('Charges that were approved.'),
  begun: z.number().optional().describe('All sales that were started, whatever their result.'),
  byHour: z
    .array(z.strictObject({ hour: z.number(), at: z.number().optional(), taken: z.string(), lastWeek: z.string() }))
    .describe(
      'This business day and the same day a week before, by hours since the cut-off, from 0: 23 or 25 of them ' +
        'when the clock changes. `at` is the start of today’s hour.',
    ),
  byBrand: z.array(z.strictObject({ brand: z.string(), count: z.number(), taken: z.string() })),
  byTerminal: z.array(z.strictObject({ counter: z.string(), count: z.number(), taken: z.string() })),
  byDay: z
    .array(z.strictObject({ day: z.string(), taken: z.string() }))
    .describe('The last business days, oldest first.'),
});
export type Today = z.infer<typeof today>;
export const todayInMode = inMode(today, 'Today');

export const batchRow = z
  .strictObject({
    batch: z.number().describe('Each terminal counts its own batches.'),
    terminalId: z.string(),
    counter: z.string().optional().describe('`T2`; absent for a terminal that is no longer paired.'),
    state: z.enum(['open', 'closing', 'closed']),
    day: z.string(),
    openedAt: z.number(),
    closedAt: z.number().optional(),
    z: z.number().optional(),
    sales: z.number().describe('All sales that were started, whatever their result.'),
    made: z.number().optional().describe('Charges that were approved.'),
    net: z.array(amount),
    override: z.strictObject({ by: z.string(), reason: z.string() }).optional(),
    record: batchRecord.optional().describe('The journal’s full record of it, with its Z report.'),
  })
  .meta({ id: 'BatchRow' });
export type BatchRow = z.infer<typeof batchRow>;

export const batchRowInMode = inMode(batchRow);

export const batchReport = batchRow
  .extend({
    currencies: z.array(currencyReport),
    receipts: z.strictObject({ first: z.number(), last: z.number() }).optional(),
    paper: z.array(z.string()).optional().describe('The Z report as printed, for a closed batch.'),
    lines: z.array(batchLine).optional().describe('For a batch that is not closed, with its record.'),
  })
  .meta({ id: 'BatchReport' });
export type BatchReport = z.infer<typeof batchReport>;
export const batchReportInMode = inMode(batchReport, 'BatchReportInMode');

/** An X report has its own number, and always includes its printed lines. */
export const xReport = batchReport.extend({
  number: z.number(),
  paper: z.array(z.string()).describe('The report as printed.'),
  x: xRecord.optional(),
});
export type NumberedReport = z.infer<typeof xReport>;
export const xReportInMode = inMode(xReport);

export const closingCheck = z
  .strictObject({
    what: z.enum([
      'nothingUnknown',
      'nothingUnsent',
      'nothingUnpaid',
      'gatewayAgrees',
      'sumsAgree',
      'terminalDay',
      'timeTrusted',
    ]),
    ok: z.boolean(),
    open: z
      .array(
        z.strictObject({
          sale: z.string(),
          receipt: z.number(),
          amount: z.string().describe('Formatted for people: `12.50 EUR`.'),
          place: z.enum(['unknown', 'notSent', 'unpaid']),
          why: z.string(),
          next: z.string(),
          told: z.strictObject({ why: localizedMessage, next: localizedMessage }).optional(),
        }),
      )
      .describe('Why not, and what to do; one for each open amount.'),
    why: localizedMessage.optional(),
    asOf: z
      .number()
      .optional()
      .describe(
        'For `gatewayAgrees`: the state at that time; the gateway is still being asked for the rest. The event ' +
          '`changed` `closing` reports that it has answered.',
      ),
  })
  .meta({ id: 'ClosingCheck', description: 'One row of the checklist that has to be green before a batch is closed.' });
export type ClosingCheck = z.infer<typeof closingCheck>;

export const saleInProgress = z
  .strictObject({ receipt: z.number(), operation, amount, counter: z.string().optional(), startedAt: z.number() })
  .meta({ id: 'SaleInProgress', description: 'A sale that a close waits for.' });
export type SaleInProgress = z.infer<typeof saleInProgress>;

export const closingWait = z.strictObject({ terminalId: z.string(), sales: z.array(saleInProgress) }).meta({
  id: 'ClosingWait',
  description: 'A close that waits for sales in progress at its terminal, five minutes at most.',
});
export type ClosingWait = z.infer<typeof closingWait>;
export const closingWaitInMode = inMode(z.strictObject({ waits: closingWait.optional() }));

export const closingState = z.strictObject({
  batch: batchRow.optional(),
  inProgress: z
    .array(saleInProgress)
    .optional()
    .describe('Sales in progress at its terminal: a close waits for them; they do not prevent it.'),
  standing: z.array(batchRow).optional().describe('The open batches, one for each terminal, including this one.'),
  checks: z.array(closingCheck),
  mayClose: z.boolean(),
});
export type ClosingState = z.infer<typeof closingState>;
export const closingStateInMode = inMode(closingState, 'ClosingState');

const action = z.enum([
  'askNow',
  'sendNow',
  'retry',
  'sayCharged',
  'sayNotCharged',
  'chargeAgain',
  'settleOtherwise',
  'writeOff',
]);

export const openItem = z
  .strictObject({
    receipt: z.number(),
    sale: saleRow,
    kind: z
      .enum(['waiting', 'overdue', 'behind', 'parked', 'terminal', 'person', 'task', 'unknown', 'differs'])
      .describe('`task`: unpaid. The sale was taken offline and the goods have left, but it was not paid.'),
    state,
    known: z.string(),
    next: z.string(),
    person: z.string(),
    why: z.string(),
    tries: z.number(),
    nextAt: z.number().optional(),
    evidence: z.array(
      z.strictObject({ at: z.number(), entry: z.number(), words: z.string(), told: localizedMessage.optional() }),
    ),
    told: z
      .strictObject({
        known: localizedMessage,
        next: localizedMessage,
        person: localizedMessage,
        why: localizedMessage.optional(),
      })
      .optional()
      .describe('The same, in the reader’s language.'),
    missing: amount.optional().describe('For an unpaid sale: the amount that has not been paid.'),
    again: z
      .array(z.number())
      .optional()
      .describe('For an unpaid sale: the receipts of the sales that tried to charge it again.'),
    actions: z.array(action).describe('The possible actions. For `chargeAgain`, start a sale with `chargesAgain`.'),
  })
  .meta({ id: 'OpenItem' });
export type OpenItem = z.infer<typeof openItem>;
export const openItemInMode = inMode(openItem, 'OpenItemInMode');
export const openItemAnswer = inMode(z.strictObject({ item: openItem.optional() }));

const sentCounts = z.strictObject({ done: z.number(), later: z.number(), parked: z.number() });
export const sendResult = sentCounts
  .extend({
    ofOtherTills: sentCounts
      .optional()
      .describe('How many of them are messages of other tills whose unsent sales were taken over here.'),
    asked: z
      .array(z.strictObject({ receipt: z.number(), amount, says: z.string(), money: z.string() }))
      .optional()
      .describe('Sales about which their terminal was asked, and its answer.'),
  })
  .describe('How many messages were settled, will be retried, and need a person.');
export type SendResult = z.infer<typeof sendResult>;
export const sendResultInMode = inMode(sendResult);

// Requests.

const words = z.string().trim().min(1).max(500);
const terminalId = z.string().max(32).optional();

export const batchPath = z.object({ batch: z.coerce.number().int().min(1) });
export const openItemPath = z.object({ receipt: z.coerce.number().int().min(1) });
export const ofTerminal = z.object({ terminalId });
export const recordQuery = z.object({ record: z.stringbool().optional() });

/** `paper`: the width of the report's paper, mm; default 80. `record`: include the till's full record. */
export const reportQuery = z.object({
  terminalId,
  paper: z
    .enum(['58', '80'])
    .transform((mm): 58 | 80 => (mm === '58' ? 58 : 80))
    .optional(),
  record: z.stringbool().optional(),
});
/** `languages`: BCP 47; the paper is in the first supported one, or in the shop's language. */
export type ReportOptions = Omit<z.output<typeof reportQuery>, 'terminalId'> & { languages?: readonly string[] };
export const closeRequest = z.strictObject({ override: words.optional(), terminalId });
export const actRequest = z.strictObject({
  action: action.exclude(['chargeAgain']),
  reason: words.optional(),
  evidence: words.optional(),
});
export type ActRequest = z.infer<typeof actRequest>;

const moment = z.coerce.number().int().min(0).optional();

/** In the query, numbers are text. */
export const download = z.union([
  z.object({ of: z.enum(['sales', 'audit']), as: z.literal('csv'), from: moment, to: moment }),
  z.object({ of: z.literal('batch'), batch: z.coerce.number().int().min(1), terminalId, as: z.enum(['csv', 'pdf']) }),
  z.object({ of: z.literal('reconciliation'), id: z.string().max(40), as: z.enum(['csv', 'pdf']) }),
]);
export type Download = z.infer<typeof download>;
