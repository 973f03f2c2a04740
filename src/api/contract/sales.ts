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
    'On the wire to the gateway: sale DB, preauthorisation PA, credit CD (without an earlier payment), which begin with a ' +
    'card; refund RF, void and release RV, increment PA, completion CP, which follow an earlier payment.',
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
      'What is waited for. `terminalPays`: a terminal that authorises by itself takes the payment. `askingTerminal`: it ' +
      'is asked what became of the payment. `terminalFinishing`: the result is known, and the terminal is not yet free. ' +
      '`ended`: the terminal takes the next sale.',
  });
export type Phase = z.infer<typeof phase>;

export const state = z
  .enum(['idle', 'busy', 'approved', 'declined', 'unknown', 'offline', 'person'])
  .meta({ id: 'State', description: 'The one state that everything shows with one colour, icon and word.' });
export type State = z.infer<typeof state>;

export const otherCard = z.strictObject({ receipt: z.number(), before: z.string(), now: z.string() }).meta({
  id: 'OtherCard',
  description:
    'A sale asks for the money of an unpaid one with another card: the receipt of the other of the two sales, and the ' +
    'last four digits of the unpaid sale’s card and of the card that was brought for it.',
});
export type OtherCard = z.infer<typeof otherCard>;

export const unpaidView = z
  .strictObject({
    state: z
      .enum(['open', 'charging', 'chargedAgain', 'settledOtherwise', 'writtenOff'])
      .describe(
        '`open`: somebody has to see to it. `charging`: a new sale asks for the money and has no ending yet. In the other ' +
          'states nothing is left to do.',
      ),
    missing: amount.describe('What has not been paid.'),
    again: z.array(z.number()).optional().describe('Receipts of the sales that asked for it once more.'),
    otherCards: z.array(otherCard).optional().describe('Which of those sales were made with another card.'),
    mayCharge: z.literal(true).optional().describe('The scheme lets the card be asked again now.'),
    by: z
      .strictObject({ name: z.string(), role: z.string(), reason: z.string() })
      .optional()
      .describe('Who settled it otherwise or wrote it off, and why.'),
  })
  .meta({
    id: 'UnpaidView',
    description: 'What became of the money of a sale that was taken offline and whose money did not come.',
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
      .describe('Of a sale that was taken offline: whether the bank has approved it since.'),
    forced: z
      .looseObject({ who: z.string().optional(), role: z.string().optional(), awaited: z.boolean().optional() })
      .optional()
      .describe('Who said how it ended. `awaited`: the gateway is still asked.'),
    differs: z.string().optional().describe('What does not fit what was said of it.'),
  })
  .meta({
    id: 'SaleFacts',
    description:
      'Everything a script needs of a finished sale, as the commands print it: under the names of the host API where it ' +
      'has one, and with amounts as the host API writes them. The facts of card, terminal and gateway stand among the others.',
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
    why: z.string().optional().describe('Facts that the reason’s words are filled with.'),
    decline: z
      .strictObject({ group: z.enum(declineGroups), code: z.string().optional(), means: z.string().optional() })
      .optional()
      .describe('Of a decline: what the cashier does, and the code with its meaning.'),
    statusText: z.string().optional().describe('`pos.statusText` of the gateway.'),
    unpaid: unpaidView.optional().describe('Of a sale that was taken offline and whose money did not come.'),
    otherCard: otherCard.optional(),
    approved: amount.optional().describe('Of an approval for a part: what was approved.'),
    left: amount.optional().describe('Of an approval for a part: what is left to be paid.'),
    signature: z.literal(true).optional().describe('The customer has to sign the merchant’s copy.'),
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
    counter: z.string().describe('Which terminal: `T1`.'),
    amount,
    tip: amount.optional(),
    asTip: z
      .literal(true)
      .optional()
      .describe('It was asked for as a tip: a completion, or the increment that had to come before it.'),
    cashier: z.string().optional(),
    accept: z.array(entryWays).readonly().describe('How the card may be presented.'),
    phase,
    startedAt: z.number().describe('When the sale began.'),
    phaseAt: z.number().describe('When this phase of it began.'),
    usualMs: z
      .strictObject({ from: z.number(), to: z.number() })
      .optional()
      .describe(
        'How long this phase took in the last sales at this terminal, without the fastest and the slowest tenth.',
      ),
    ahead: z.array(phase).readonly().describe('The phases that usually come yet, in order.'),
    cancelling: z.boolean(),
    terminalFree: z
      .boolean()
      .describe(
        'Whether its terminal can take the next sale. A `result` can come before that, with the card still in the ' +
          'terminal: a sale that is begun then waits.',
      ),
    beside: z
      .literal(true)
      .optional()
      .describe('The gateway alone does it, whatever the counter’s terminal is doing: the terminal stays free.'),
    card: z
      .strictObject({ last4: z.string(), brand: z.string().optional(), entryMode: z.string() })
      .optional()
      .describe('Last four digits and brand, once a card was read.'),
    steps: z
      .array(saleStep)
      .readonly()
      .optional()
      .describe('Its latest steps, oldest first. Absent for a sale that no longer runs at this till.'),
    result: result.optional(),
    problem: said
      .optional()
      .describe('Why its end could not be written down: nobody knows then how it ended, and `result` says so.'),
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
    approved: amount.optional().describe('Less than the amount, where the bank approved a part of it.'),
    billTotal: amount.optional().describe('Of a payment that pays a part of a bill.'),
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
    waiting: z.literal(true).optional().describe('Taken offline, and not sent yet.'),
    unpaid: unpaidView.optional().describe('Of a sale that was taken offline and whose money did not come.'),
    chargesAgain: z.number().optional().describe('The receipt of the unpaid sale whose money this asks for once more.'),
    learned: z
      .literal(true)
      .optional()
      .describe('Taken over from the gateway: the till’s own record of it was lost with another copy of its folder.'),
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
  registrationId: z.string().optional().describe('Under which the gateway stored the card, after `storeCard`.'),
  terminalId: z.string(),
  sequence: z.number(),
  followers: z.array(saleRow).describe('What followed it, oldest first.'),
  bill: z
    .strictObject({ total: amount, paid: amount, left: amount, unknown: amount, receipts: z.array(z.number()) })
    .optional(),
  hold: z.strictObject(held).optional(),
  may: z
    .array(z.strictObject({ operation: followOperation, most: amount.optional() }))
    .describe(
      'What may follow it now; of a refund the most that can be given back. Nothing that would be refused is offered.',
    ),
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
