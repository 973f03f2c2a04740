/** Requests of cashiers and programs: sales, follow-ups and searches. */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { entryWays, followOperation, saleRow } from './sales.ts';
import { countInPath, inMode, localizedMessage, name, pageOf, requestAmount, slice } from './wire.ts';

const again = z
  .array(z.int().min(1))
  .max(100)
  .readonly()
  .optional()
  .describe('After `sale.likely`: the receipts of the sales that it named. Confirms that this is another customer.');

const cashier = name
  .optional()
  .describe(
    'The cashier’s name on the receipt, instead of the requester’s. Any name while there are no staff; then the ' +
      'name of a person of the till, and another person’s only with the permission seeAll.',
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
  partial: z.boolean().optional().describe('Accept less if the card’s balance is too low.'),
  storeCard: z
    .boolean()
    .optional()
    .describe(
      'The gateway stores the card; the sale’s `registrationId` can charge it again. A gateway that cannot decrypt ' +
        'the terminal’s card data refuses the payment and says why. An offline sale stores no card.',
    ),
  bill: z.int().min(1).optional().describe('Any receipt of the bill that this payment is part of.'),
  billTotal: requestAmount.optional().describe('The total of a new bill, of which this is the first payment.'),
  chargesAgain: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The receipt of an unpaid sale. This sale charges it again with the customer’s card: the whole missing amount ' +
        'or part of it.',
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
/** The parsed request; `BeginSent` is the type for clients. */
export type BeginRequest = z.output<typeof beginRequest>;
export type BeginSent = z.input<typeof beginRequest>;

export const followBody = z.strictObject({
  amount: requestAmount.optional(),
  tip: requestAmount.optional(),
  keepRest: z
    .boolean()
    .optional()
    .describe('For a completion: more will be charged on the hold. Without it, the rest of the hold is released.'),
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
  .meta({ id: 'Claim', description: 'The search for sales when a customer says that they were charged.' });
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
  says: z.string().describe('What to tell the customer, in English; screens have their own text for the verdict.'),
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
