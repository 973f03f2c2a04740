/** Unfinished work: the queue, unresolved sales, the comparison with the gateway, and unsent sales of other tills. */
import * as z from 'zod';
import { ending, operation, saleFacts, unpaidView } from './sales.ts';
import { amount, inMode, localizedMessage } from './wire.ts';

export const queueItem = z
  .strictObject({
    state: z
      .enum(['waiting', 'overdue', 'behind', 'parked', 'terminal', 'person', 'task'])
      .describe(
        '`waiting`: sent automatically. `overdue`: the same, but it should have ended long ago. `behind`: sent ' +
          'after what it follows. `parked`: refused until someone fixes the cause. `terminal`: the terminal is asked. ' +
          '`person`: only a person can decide. `task`: the goods have left, but they were not paid.',
      ),
    kind: z
      .string()
      .describe(
        'The message’s kind: reversal, forward, repeat, follow; inquiry at a terminal or by a person; loss of a task.',
      ),
    sale: z.string().describe('The sale’s merchantTransactionId.'),
    receipt: z.number(),
    operation,
    amount: amount.describe('For a task: the amount that is still missing.'),
    since: z.number().describe('When the sale was made.'),
    tries: z.number(),
    nextAt: z.number().optional().describe('The time of the next automatic attempt.'),
    why: z.string(),
    toDo: z.string(),
    told: z.strictObject({ why: localizedMessage.optional(), toDo: localizedMessage.optional() }),
    unpaid: unpaidView.optional().describe('For a task.'),
  })
  .meta({
    id: 'QueueItem',
    description: 'One message in the outbox, question for a terminal, or task for a person.',
  });
export type QueueItem = z.infer<typeof queueItem>;

export const overRefundedSale = z
  .strictObject({ sale: z.string(), receipt: z.number(), amount: amount.describe('The excess amount.') })
  .describe('A sale that was refunded by more than its amount, by an older program or an error.');
export type OverRefundedSale = z.infer<typeof overRefundedSale>;

export const queueView = z.strictObject({
  items: z.array(queueItem),
  totals: z.array(amount).describe('By currency, for everything that is still sent or asked; tasks are not included.'),
  overRefunded: z.array(overRefundedSale),
});
export type QueueView = z.infer<typeof queueView>;
export const queueViewInMode = inMode(queueView);

export const comparisonStep = z
  .strictObject({ receipt: z.number(), last: z.number() })
  .describe('The progress of the comparison: the current receipt, and the last one.');
export type ComparisonStep = z.infer<typeof comparisonStep>;

const bookedPayment = z
  .strictObject({
    payment: z.string(),
    paymentType: z.string(),
    code: z.string(),
    moved: z.boolean().describe('An approval that counts as money: one from a test system counts at a test till only.'),
    amount: amount.optional(),
  })
  .describe('One line of the gateway’s books for a sale’s merchantTransactionId.');
export type BookedPayment = z.infer<typeof bookedPayment>;

export const saleDifference = z
  .strictObject({
    receipt: z.number(),
    sale: z.string(),
    till: amount.describe('The amount that moved according to the till; negative for returns.'),
    gateway: amount.optional().describe('The amount that moved according to the gateway; absent without an answer.'),
    heldBy: z
      .enum(['gateway', 'terminal'])
      .describe('`terminal`: it contacts its bank itself, so the gateway is not asked about its sales.'),
    why: z.string(),
    booked: z.array(bookedPayment),
  })
  .meta({ id: 'SaleDifference' });
export type SaleDifference = z.infer<typeof saleDifference>;

export const salesComparison = z.strictObject({
  asked: z.number().describe('The number of sales.'),
  differences: z.array(saleDifference),
});
export type SalesComparison = z.infer<typeof salesComparison>;
export const salesComparisonInMode = inMode(salesComparison);

export const unresolvedSale = z
  .strictObject({
    receipt: z.number(),
    sale: z.string(),
    operation,
    amount,
    at: z.number(),
    state: z
      .enum(['unfinished', 'waiting', 'overdue', 'parked', 'person', 'differs', 'closed'])
      .describe(
        '`unfinished`: the next start ends it. `waiting`: the till asks about it again automatically. `overdue`: ' +
          'the same, but it should have ended long ago. `parked`: the till asks again only when a person requests it. ' +
          '`person`: only a person can decide. `differs`: a later answer contradicts what people were told.',
      ),
    known: z.string().describe('What is known, in English.'),
    next: z.string().describe('What happens automatically, in English.'),
    person: z.string().describe('What a person can do, in English.'),
    told: z.strictObject({ known: localizedMessage, next: localizedMessage }),
    evidence: z
      .array(
        z.strictObject({
          at: z.number(),
          entry: z.number(),
          words: z.string(),
          told: localizedMessage,
          event: z.looseObject({ on: z.string() }).describe('As it was recorded.'),
        }),
      )
      .describe('What was asked and answered.'),
    outcome: saleFacts.optional().describe('For a sale that has ended.'),
  })
  .meta({ id: 'UnresolvedSale' });
export type UnresolvedSale = z.infer<typeof unresolvedSale>;
export const unresolvedSaleInMode = inMode(unresolvedSale, 'UnresolvedSaleInMode');

export const retriedAnswer = inMode(
  z.strictObject({ takenUp: z.number().describe('The number of messages that will be retried.') }),
);
export const lateApprovals = inMode(
  z.strictObject({ receipts: z.array(z.number()).describe('Receipts of the sales that the bank had approved.') }),
);

export const secondCopyState = z
  .strictObject({
    folder: z.string(),
    entries: z.number().describe('Entries in the copy.'),
    behind: z.number().describe('The number of entries that are missing in it.'),
    fault: z.string().optional().describe('Why nothing can be written there; absent if it works.'),
  })
  .meta({ id: 'SecondCopyState', description: 'The second copy of journal and queue, on another disk.' });
export type SecondCopyState = z.infer<typeof secondCopyState>;
export const secondCopyAnswer = inMode(
  z.strictObject({
    secondCopy: secondCopyState.optional().describe('Absent if the configuration names no folder for one.'),
  }),
);

export const journalEntry = z
  .strictObject({
    entry: z.number().describe('1, 2, 3 … without a gap.'),
    at: z.number().describe('Wall time, ms.'),
    subject: z.string().describe('What it is about: a sale’s id, for example.'),
    kind: z.string(),
    body: z.string().describe('JSON text.'),
    hash: z.string().describe('Hex: over the previous hash and these fields.'),
    check: z.enum(['good', 'unproven']).describe('`unproven`: it, or an entry before it, does not match the chain.'),
  })
  .meta({ id: 'JournalEntry' });
export type JournalEntry = z.infer<typeof journalEntry>;

export const exportedJournal = z.strictObject({ entries: z.number(), unproven: z.number() });
export type ExportedJournal = z.infer<typeof exportedJournal>;

export const sealedAnswer = inMode(
  z.strictObject({ entries: z.number().describe('The number of newly sealed entries.') }),
);

export const takenOverRow = z
  .strictObject({
    till: z.string().describe('The public key of the other till.'),
    sale: z.string().describe('The sale’s merchantTransactionId.'),
    receipt: z.number(),
    amount,
    waiting: z.boolean().describe('Part of it is still to be sent.'),
    ending: z.union([ending, z.literal('open')]),
    says: z.string().describe('In English: what happened, and what it means for the money.'),
  })
  .meta({ id: 'TakenOverRow', description: 'A sale of another till that was taken over here.' });
export type TakenOverRow = z.infer<typeof takenOverRow>;
export const takenOverRowInMode = inMode(takenOverRow);

export const sentTakenOver = inMode(z.strictObject({ done: z.number(), later: z.number(), parked: z.number() }));

export const takeBackRequest = z.strictObject({ exportId: z.string().max(64).optional() });
export const takenBackAnswer = inMode(
  z.strictObject({ takenBack: z.number().describe('The number of messages that this till now sends again.') }),
);

const passphrase = z.string().max(1_000);
const passphrases = z.tuple([passphrase, passphrase]).describe('Of two people, each of whom knows one of them.');

export const exportRequest = z.strictObject({ passphrases });
export const unsentExport = z
  .strictObject({
    export: z.string().describe('Identifies it at both tills.'),
    messages: z.number().describe('The number of messages in it.'),
    key: z.string().describe('The public key of this till.'),
    sealed: z.string().describe('The content of the file.'),
  })
  .meta({ id: 'UnsentExport', description: 'The unsent sales of this till, for another one to send.' });
export type UnsentExport = z.infer<typeof unsentExport>;
export const unsentExportInMode = inMode(unsentExport);

export const importRequest = z.strictObject({
  sealed: z.string().describe('The content of the file.'),
  passphrases,
  key: z.string().max(200).optional().describe('The other till’s public key, as noted by a person, for comparison.'),
});
export type ImportRequest = z.infer<typeof importRequest>;
export const importedUnsent = z.strictObject({
  till: z.string().describe('The public key of the other till.'),
  sales: z.number(),
  messages: z.number(),
});
export type ImportedUnsent = z.infer<typeof importedUnsent>;
export const importedUnsentInMode = inMode(importedUnsent);
