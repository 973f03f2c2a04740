/** The journal's records of batches and their reports. */
import * as z from 'zod';
import { accounts } from '../../reconciliation/whereabouts.ts';
import { operation } from './sales.ts';
import { amount } from './wire.ts';

const line = { name: z.string(), count: z.number(), sum: z.string() };
const reportLine = z.strictObject(line).meta({ id: 'ReportLine' });
const reportLines = z.array(reportLine).readonly();

const cashierReport = z
  .strictObject({
    ...line,
    program: z
      .strictObject({ madeBy: z.string().optional(), approvedBy: z.string().optional() })
      .optional()
      .describe('Who created a program’s key, and which manager had approved it, at the time of the sales.'),
  })
  .meta({
    id: 'CashierReport',
    description: 'A program has one row for each person responsible for its key.',
  });

const placeReport = z
  .strictObject({
    account: z.enum(accounts),
    intended: z.string(),
    beyond: z.string(),
    buckets: z.record(z.string(), z.string()).readonly(),
  })
  .meta({ id: 'PlaceReport' });

export const currencyReport = z
  .strictObject({
    currency: z.string(),
    net: z.string().describe('The moved amount: charges minus returns.'),
    operations: reportLines,
    brands: reportLines,
    entryModes: reportLines,
    cashiers: z.array(cashierReport).readonly(),
    tips: reportLine,
    refunds: reportLine,
    voids: reportLine,
    offline: reportLine,
    declined: reportLine,
    unknown: reportLine,
    notSent: reportLine,
    places: z
      .array(placeReport)
      .readonly()
      .describe('Where the money of every intent is: the places of an account add up to the intended amount.'),
  })
  .meta({ id: 'CurrencyReport' });

const businessDay = z
  .strictObject({ date: z.string(), trusted: z.boolean() })
  .describe('A business day, and whether a trusted clock decided it.');

const report = z.strictObject({
  sales: z.number(),
  receipts: z.strictObject({ first: z.number(), last: z.number() }).optional(),
  currencies: z.array(currencyReport).readonly(),
});

const open = {
  amount: z.string().describe('Formatted for people: `12.50 EUR`.'),
  place: z.enum(['unknown', 'notSent']),
  why: z.string(),
  next: z.string(),
};
const openMoney = z.array(z.strictObject({ sale: z.string(), receipt: z.number(), ...open })).readonly();

const unpaid = z
  .array(
    z.strictObject({
      sale: z.string(),
      receipt: z.number(),
      batch: z.number().describe('The batch of the sale.'),
      amount: z.string().describe('The missing amount, formatted for people: `12.50 EUR`.'),
      why: z
        .enum(['declined', 'part', 'expired', 'givenUp'])
        .describe(
          '`declined`: when it was sent. `part`: approved for less. `expired`: not sent in time. `givenUp`: by a ' +
            'person.',
        ),
    }),
  )
  .readonly();

const unpaidOver = z.strictObject({
  receipt: z.number(),
  batch: z.number(),
  amount: z.string().describe('The amount that was missing at first.'),
  how: z.enum(['chargedAgain', 'settledOtherwise', 'writtenOff']),
  again: z.array(z.number()).readonly().optional().describe('Receipts of the sales that paid it, or part of it.'),
  by: z.string().optional().describe('Who is responsible for the rest.'),
  reason: z.string().optional().describe('Why it was settled in another way or written off.'),
});

const learned = z
  .number()
  .optional()
  .describe('How many of its sales were learned from the gateway: reports missing from this journal may contain them.');
const notCompared = z
  .literal(true)
  .optional()
  .describe(
    'Since the last start the gateway has not been asked whether it knows more about this till than the journal.',
  );

const zRecord = z.strictObject({
  unpaid: unpaid.optional(),
  unpaidOver: z.array(unpaidOver).readonly().optional(),
  mode: z.enum(['test', 'live']).optional().describe('Whether these sums were real money. Absent in old reports.'),
  number: z.number(),
  terminalId: z.string(),
  batch: z.number(),
  day: businessDay,
  openedAt: z.string().describe('`yyyy-MM-dd HH:mm:ss`, UTC, by the till’s clock.'),
  closedAt: z.string(),
  report,
  brands: z
    .array(
      z.strictObject({
        brand: z.string(),
        currency: z.string(),
        till: z.string(),
        gateway: z.string(),
        differing: z.number().describe('The number of sales on which the two differ.'),
      }),
    )
    .readonly(),
  differences: z
    .array(z.strictObject({ receipt: z.number(), till: z.string(), gateway: z.string(), why: z.string() }))
    .readonly(),
  unknownHere: z
    .array(
      z.strictObject({
        payment: z.string().describe('The gateway’s id for it.'),
        paymentType: z.string(),
        amount: z.string().describe('Empty when the gateway gives none.'),
        at: z.string().describe('`yyyy-MM-dd HH:mm:ss+0000`, as the gateway gives it.'),
      }),
    )
    .readonly()
    .optional()
    .describe('Not part of any sum in this report.'),
  open: openMoney.describe('Left open by an override.'),
  override: z.strictObject({ by: z.string(), reason: z.string(), signature: z.string() }).optional(),
  settled: z
    .array(z.strictObject({ receipt: z.number(), batch: z.number(), amount: z.string(), place: z.string() }))
    .readonly(),
  terminal: z
    .strictObject({
      lines: z.array(z.string()).readonly(),
      till: z.string(),
      agrees: z.boolean(),
      askedAgain: z
        .literal(true)
        .optional()
        .describe('The first answer never came, so it was asked again: this may be the report of an empty day.'),
    })
    .optional()
    .describe('What the terminal’s own end of day printed, and whether it contains the till’s sum of its sales.'),
  unbalanced: z
    .array(z.strictObject({ receipt: z.number(), amount: z.string() }))
    .readonly()
    .optional(),
  skipped: z
    .number()
    .optional()
    .describe('How many numbers before its own are skipped: a copy of this till’s journal may have used them.'),
  learned,
  notCompared,
  previous: z.string().describe('The hash of the previous Z report, or 64 zeros.'),
  hash: z.string(),
});

export const batchRecord = z.strictObject({
  terminalId: z.string(),
  batch: z.number(),
  state: z.enum(['open', 'closing', 'closed']),
  openedAt: z.number(),
  day: businessDay,
  from: z.number().describe('The batch has the sales that began after this journal entry, up to `until` if set.'),
  until: z.number().optional(),
  override: z
    .strictObject({
      by: z.string(),
      reason: z.string(),
      amounts: openMoney,
      signature: z
        .string()
        .describe('Made with the till’s key, base64url, over the batch, the person, the reason and the amounts.'),
      publicKey: z.string(),
    })
    .optional()
    .describe('A signed decision to close a batch although these amounts are open.'),
  terminalDay: z.strictObject({ asked: z.number(), lines: z.array(z.string()).readonly().optional() }).optional(),
  xReports: z.number(),
  z: zRecord.optional(),
  newer: z
    .string()
    .optional()
    .describe(
      'A newer version has written something about it that this one does not know: it is neither counted nor closed ' +
        'here.',
    ),
  skipped: z
    .strictObject({ batches: z.number(), zs: z.number() })
    .optional()
    .describe('Numbers skipped after this batch, and before its own Z report or the next one.'),
});

export const xRecord = z.strictObject({
  mode: z.enum(['test', 'live']).describe('Whether real money was moved.'),
  number: z.number(),
  terminalId: z.string(),
  batch: z.number(),
  day: businessDay,
  openedAt: z.string(),
  at: z.string(),
  report,
  unpaid: unpaid.optional().describe('Sales of any batch that were taken offline and are unpaid at this time.'),
  learned,
  notCompared,
  hash: z.string(),
});

export const batchLine = z
  .strictObject({
    sale: z.string(),
    receipt: z.number(),
    operation,
    amount: amount.describe('The requested amount.'),
    ending: z.enum(['approved', 'declined', 'notSent', 'unknown', 'underWay']),
    brand: z.string(),
    open: z.strictObject(open).optional().describe('What a close waits for.'),
  })
  .describe('One sale of a batch.');
export type BatchLine = z.infer<typeof batchLine>;
