/** What cashiers and programs ask for: sales, what follows them, and sales that are looked for. */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { entryWays, followOperation, saleRow } from './sales.ts';
import { countInPath, inMode, localizedMessage, name, pageOf, requestAmount, slice } from './wire.ts';

const again = z
  .array(z.int().min(1))
  .max(100)
  .readonly()
  .optional()
  .describe('After `sale.likely`: the receipts of the sales that it named. It says that the customer is another one.');

const cashier = name
  .optional()
  .describe(
    'Whose name stands on the receipt, instead of the name of whoever asks. Any name while no people are known; then ' +
      'one of theirs, and another person’s only for whoever may see the sales of others.',
  );

export const beginRequest = z.strictObject({
  operation: z.enum(['sale', 'preauthorisation', 'credit', 'giftCard']).default('sale'),
  amount: requestAmount,
  tip: requestAmount.optional(),
  counter: z
    .string()
    .regex(/^T\d{1,2}$/, wantWords.counter)
    .optional(),
  cashier,
  accept: z.array(entryWays).min(1).readonly().optional(),
  partial: z.boolean().optional().describe('Take less when the card has too little.'),
  storeCard: z
    .boolean()
    .optional()
    .describe(
      'The gateway stores the card, and the sale’s `registrationId` charges it again. A gateway that cannot open the ' +
        'terminal’s encrypted card refuses the payment, and says so. A sale that is made offline stores none.',
    ),
  bill: z.int().min(1).optional().describe('A receipt of the bill that this pays a part of.'),
  billTotal: requestAmount.optional().describe('The total of a bill that is begun by this payment.'),
  chargesAgain: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The receipt of an unpaid sale. This asks for its money once more, with the customer’s card: for all that is ' +
        'missing, or a part of it.',
    ),
  again,
  giftCard: z
    .strictObject({
      number: z.string().regex(/^\d{8,32}$/, wantWords.giftNumber),
      pin: z
        .string()
        .regex(/^\d{3,12}$/, wantWords.giftPin)
        .optional(),
    })
    .optional(),
});
/** As the till reads it. `BeginSent` is what a client writes. */
export type BeginRequest = z.output<typeof beginRequest>;
export type BeginSent = z.input<typeof beginRequest>;

export const followBody = z.strictObject({
  amount: requestAmount.optional(),
  tip: requestAmount.optional(),
  keepRest: z
    .boolean()
    .optional()
    .describe(
      'Of a completion: more will be charged on the hold. Without it what a completion leaves over is released.',
    ),
  counter: z.string().optional(),
  cashier,
  again,
});
export const followPath = z.object({ receipt: countInPath, operation: followOperation });
export type FollowUpRequest = z.output<typeof followPath> & z.output<typeof followBody>;

export const claim = z
  .strictObject({
    amount: requestAmount.optional(),
    last4: z
      .string()
      .regex(/^\d{4}$/, wantWords.fourDigits)
      .optional(),
    from: z.number().int().optional(),
    to: z.number().int().optional(),
    text: z.string().max(100).optional(),
  })
  .meta({ id: 'Claim', description: 'What the till looks for when a customer says that they were charged.' });
export type Claim = z.infer<typeof claim>;

export const salesPage = inMode(pageOf(saleRow));
export const codeAnswer = z.strictObject({ receipt: z.number() });

export const likelyRequest = z.strictObject({ amount: requestAmount, last4: z.string().optional() });
export const trainingRequest = z.strictObject({ on: z.boolean() });
export const trainingAnswer = z.strictObject({ training: z.boolean() });

export const salesQuery = z.object({
  ...slice,
  search: z.string().max(100).optional(),
  cashier: z.string().max(40).optional(),
  outcomes: z.stringbool().optional(),
});

export const claimAnswer = z.strictObject({
  verdict: z.enum(['chargedOnce', 'chargedTwice', 'notCharged', 'unknown', 'notFound']),
  says: z.string().describe('What to tell the customer, in English; the screen has its own words for the verdict.'),
  told: localizedMessage.optional(),
  sales: z.array(
    saleRow.extend({
      evidence: z.array(z.strictObject({ at: z.number(), words: z.string(), told: localizedMessage.optional() })),
      next: z.string(),
      person: z.string(),
      toldNext: localizedMessage.optional(),
      toldPerson: localizedMessage.optional(),
    }),
  ),
});
export type ClaimAnswer = z.infer<typeof claimAnswer>;

export const claimAnswerInMode = inMode(claimAnswer, 'ClaimAnswer');
