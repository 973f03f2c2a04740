/** Sales as screens and programs see them: in progress, in lists and in detail. */
import * as z from 'zod';
import { declineGroups } from '../../base/result-codes.ts';
import { type Reason, reasons } from '../../locales/messages/en/reasons.ts';
import type { Operation } from '../../till/machine/facts.ts';
import { operations } from '../../till/machine/operations.ts';
import { endings } from '../../till/machine/states.ts';
import { saleStep } from './sale-steps.ts';
import { amount, displayMode, inMode, localizedMessage, said } from './wire.ts';

export const operation = z.enum(Object.keys(operations) as Operation[]).meta({
  id: 'Operation',
  description:
    'On the wire to the gateway: sale DB, preauthorisation PA, credit CD (without an earlier payment), which begin ' +
    'with a card; refund RF, void and release RV, increment PA, completion CP, which follow an earlier payment.',
});
export const reason = z.enum(Object.keys(reasons) as Reason[]).meta({ id: 'Reason' });
export const ending = z.enum(endings);

export const phase = z
  .enum([
    'starting',
    'waitingForAmount',
    'presentCard',
    'reading',
    'useChip',
    'useStripe',
    'enterPin',
    'askingBank',
    'askingBankAgain',
    'goingOffline',
    'cardFinishing',
    'terminalPays',
    'askingTerminal',
    'removeCard',
    'terminalFinishing',
    'ended',
  ])
  .meta({
    id: 'Phase',
    description:
      'The current phase. `terminalPays`: a terminal that contacts its bank itself takes the payment. ' +
      '`askingTerminal`: it is asked for the result. `terminalFinishing`: the result is known, but the terminal is ' +
      'not yet free. `ended`: the terminal is free for the next sale.',
  });
export type Phase = z.infer<typeof phase>;

export const state = z
  .enum(['idle', 'busy', 'approved', 'declined', 'unknown', 'offline', 'person'])
  .meta({ id: 'State', description: 'The state, which all screens show with the same colour, icon and text.' });
export type State = z.infer<typeof state>;

export const otherCard = z.strictObject({ receipt: z.number(), before: z.string(), now: z.string() }).meta({
  id: 'OtherCard',
  description:
    'An unpaid sale was charged again with another card: the receipt of the other sale, and the ' +
    'last four digits of the unpaid sale’s card and of the new card.',
});
export type OtherCard = z.infer<typeof otherCard>;

export const unpaidView = z
  .strictObject({
    state: z
      .enum(['open', 'charging', 'chargedAgain', 'settledOtherwise', 'writtenOff'])
      .describe(
        '`open`: someone has to deal with it. `charging`: a new sale charges it again and has not ended yet. In the ' +
          'other states there is nothing left to do.',
      ),
    missing: amount.describe('The amount that has not been paid.'),
    again: z.array(z.number()).optional().describe('Receipts of the sales that tried to charge it again.'),
    otherCards: z.array(otherCard).optional().describe('Which of those sales were made with another card.'),
    mayCharge: z.literal(true).optional().describe('The card scheme allows another attempt now.'),
    by: z
      .strictObject({ name: z.string(), role: z.string(), reason: z.string() })
      .optional()
      .describe('Who settled it in another way or wrote it off, and why.'),
  })
  .meta({
    id: 'UnpaidView',
    description: 'The state of a sale that was taken offline and was not paid.',
  });
export type UnpaidView = z.infer<typeof unpaidView>;

export const saleFacts = z
  .looseObject({
    ending,
    reason,
    says: z.string(),
    money: z.string(),
    next: z.string(),
    again: z.boolean(),
    operation,
    receipt: z.number(),
    merchantTransactionId: z.string(),
    amount: z.string(),
    currency: z.string(),
    approvedAmount: z.string().optional(),
    tip: z.string().optional(),
    bill: z.strictObject({ id: z.string(), total: z.string() }).optional(),
    card: z.looseObject({ maskedPan: z.string() }).optional(),
    giftCard: z.looseObject({ maskedNumber: z.string() }).optional(),
    terminal: z.looseObject({ maskedPan: z.string().optional() }).optional(),
    decline: z.looseObject({ code: z.string().optional(), means: z.string().optional() }).optional(),
    offline: z.string().optional(),
    forwarded: z
      .union([z.boolean(), z.literal('waiting')])
      .optional()
      .describe('For a sale that was taken offline: whether the bank has approved it since.'),
    forced: z
      .looseObject({ who: z.string().optional(), role: z.string().optional(), awaited: z.boolean().optional() })
      .optional()
      .describe('Who decided how it ended. `awaited`: the gateway is still being asked.'),
    differs: z.string().optional().describe('A later answer that contradicts that decision.'),
  })
  .meta({
    id: 'SaleFacts',
    description:
      'All facts of a finished sale for scripts, as the commands print them: with the host API’s names where it ' +
      'has them, and with amounts in its format, including the facts of card, terminal and gateway.',
  });
export type SaleFacts = z.infer<typeof saleFacts>;

export const result = z
  .strictObject({
    ending,
    state,
    reason,
    says: z.string().describe('What happened, in English.'),
    money: z.string().describe('What it means for the money, in English.'),
    next: z.string().describe('What to do next, in English.'),
    told: z
      .strictObject({ says: localizedMessage, money: localizedMessage, next: localizedMessage })
      .optional()
      .describe('The same three, in the reader’s language.'),
    again: z.boolean().describe('Whether trying again is safe.'),
    why: z.string().optional().describe('The fact for the placeholder in the reason’s text.'),
    decline: z
      .strictObject({ group: z.enum(declineGroups), code: z.string().optional(), means: z.string().optional() })
      .optional()
      .describe('For a decline: its group, and the code with its meaning.'),
    statusText: z.string().optional().describe('The gateway’s `pos.statusText`.'),
    unpaid: unpaidView.optional().describe('Of a sale that was taken offline and whose money did not come.'),
    otherCard: otherCard.optional(),
    approved: amount.optional().describe('For a partial approval: the approved amount.'),
    left: amount.optional().describe('For a partial approval: the amount that is left to pay.'),
    signature: z.literal(true).optional().describe('The customer has to sign the merchant copy.'),
  })
  .meta({ id: 'Result' });
export type Result = z.infer<typeof result>;

export const entryWays = z.enum(['chip', 'tap', 'swipe', 'manual']);

export const liveSale = z
  .strictObject({
    id: z.string().describe('The merchantTransactionId.'),
    receipt: z.number(),
    followsReceipt: z.number().optional().describe('The receipt of the payment that it follows.'),
    operation,
    mode: displayMode.describe('Whether money moves: only with `live`.'),
    counter: z.string().describe('The terminal, such as `T1`.'),
    amount,
    tip: amount.optional(),
    asTip: z.literal(true).optional().describe('Part of a tip: a completion, or the increment that it needed first.'),
    cashier: z.string().optional(),
    accept: z.array(entryWays).readonly().describe('The allowed ways to present the card.'),
    phase,
    startedAt: z.number().describe('When the sale began.'),
    phaseAt: z.number().describe('When this phase began.'),
    usualMs: z
      .strictObject({ from: z.number(), to: z.number() })
      .optional()
      .describe(
        'The duration of this phase in the last sales at this terminal, without the fastest and slowest 10 %, ms.',
      ),
    ahead: z.array(phase).readonly().describe('The phases that usually follow, in order.'),
    cancelling: z.boolean(),
    terminalFree: z
      .boolean()
      .describe(
        'Whether its terminal can take the next sale. The `result` can come earlier, with the card still in the ' +
          'terminal: a sale that is started then waits.',
      ),
    beside: z.literal(true).optional().describe('Only the gateway is involved, so the counter’s terminal stays free.'),
    card: z
      .strictObject({ last4: z.string(), brand: z.string().optional(), entryMode: z.string() })
      .optional()
      .describe('Last four digits and brand, once a card has been read.'),
    steps: z
      .array(saleStep)
      .readonly()
      .optional()
      .describe('Its latest steps, oldest first. Absent for a sale that no longer runs at this till.'),
    result: result.optional(),
    problem: said
      .optional()
      .describe('Why its end could not be recorded: its result is then unknown, and `result` says so.'),
  })
  .meta({ id: 'LiveSale' });
export type LiveSale = z.infer<typeof liveSale>;

export const saleRow = z
  .strictObject({
    id: z.string(),
    receipt: z.number(),
    at: z.number(),
    operation,
    amount,
    approved: amount.optional().describe('The approved amount, if the bank approved less.'),
    billTotal: amount.optional().describe('For a payment that is part of a bill.'),
    tip: amount.optional(),
    asTip: z.literal(true).optional(),
    state,
    ending: z.enum([...endings, 'open']),
    reason: reason.optional(),
    says: z.string().optional(),
    told: localizedMessage.optional(),
    last4: z.string().optional(),
    brand: z.string().optional(),
    entryMode: z.string().optional(),
    cashier: z.string().optional(),
    followsReceipt: z.number().optional(),
    counter: z.string().optional(),
    waiting: z.literal(true).optional().describe('Taken offline and not sent yet.'),
    unpaid: unpaidView.optional().describe('Of a sale that was taken offline and whose money did not come.'),
    chargesAgain: z.number().optional().describe('The receipt of the unpaid sale that this one charges again.'),
    learned: z
      .literal(true)
      .optional()
      .describe('Imported from the gateway: the till’s own record was lost with another copy of its folder.'),
    outcome: saleFacts.optional(),
  })
  .meta({ id: 'SaleRow' });
export type SaleRow = z.infer<typeof saleRow>;

export const followOperation = z.enum(['refund', 'void', 'increment', 'completion', 'release', 'tip']);
export type FollowOperation = z.infer<typeof followOperation>;

const held = { held: amount, completed: amount, left: amount, until: z.number() };

export const saleDetail = saleRow.extend({
  result: result.optional(),
  authorisationCode: z.string().optional(),
  payment: z.string().optional(),
  registrationId: z.string().optional().describe('The gateway’s id for the stored card, after `storeCard`.'),
  terminalId: z.string(),
  sequence: z.number(),
  followers: z.array(saleRow).describe('Its follow-ups, oldest first.'),
  bill: z
    .strictObject({ total: amount, paid: amount, left: amount, unknown: amount, receipts: z.array(z.number()) })
    .optional(),
  hold: z.strictObject(held).optional(),
  may: z
    .array(z.strictObject({ operation: followOperation, most: amount.optional() }))
    .describe('The possible follow-ups; for a refund with its maximum. Nothing that would be refused is listed.'),
});
export type SaleDetail = z.infer<typeof saleDetail>;

export const holdRow = saleRow.extend({
  ...held,
  expired: z.boolean(),
  holdUnknown: z.literal(true).optional().describe('The result of a completion, an increment or a release is missing.'),
  maskedPan: z.string().optional(),
});
export type HoldRow = z.infer<typeof holdRow>;

export const saleRowInMode = inMode(saleRow, 'SaleRowInMode');
export const saleDetailInMode = inMode(saleDetail, 'SaleDetail');
export const holdRowInMode = inMode(holdRow, 'HoldRow');
