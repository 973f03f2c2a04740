/** What is kept of the journal beside it, and unsent sales that one till hands over to another. */
import * as z from 'zod';
import { ending } from './sales.ts';
import { amount, inMode } from './wire.ts';

export const secondCopyState = z
  .strictObject({
    folder: z.string(),
    entries: z.number().describe('Entries in the copy.'),
    behind: z.number().describe('How many entries it is behind.'),
    fault: z.string().optional().describe('Why nothing is written there; absent while all is well.'),
  })
  .meta({ id: 'SecondCopyState', description: 'The second copy of journal and queue, on another disk.' });
export type SecondCopyState = z.infer<typeof secondCopyState>;
export const secondCopyAnswer = inMode(
  z.strictObject({
    secondCopy: secondCopyState.optional().describe('Absent when the configuration names no place for one.'),
  }),
);

export const sealedAnswer = inMode(
  z.strictObject({ entries: z.number().describe('How many entries were not sealed before.') }),
);

export const takenOverRow = z
  .strictObject({
    till: z.string().describe('The public key of the other till.'),
    sale: z.string().describe('The sale’s merchantTransactionId.'),
    receipt: z.number(),
    amount,
    waiting: z.boolean().describe('Something of it is still to be sent.'),
    ending: z.union([ending, z.literal('open')]),
    says: z.string().describe('In English: what happened, and what it means for the money.'),
  })
  .meta({ id: 'TakenOverRow', description: 'A sale of another till that was taken over here.' });
export type TakenOverRow = z.infer<typeof takenOverRow>;
export const takenOverRowInMode = inMode(takenOverRow);

export const sentTakenOver = inMode(z.strictObject({ done: z.number(), later: z.number(), parked: z.number() }));

export const takeBackRequest = z.strictObject({ exportId: z.string().max(64).optional() });
export const takenBackAnswer = inMode(
  z.strictObject({ takenBack: z.number().describe('How many messages this till sends again.') }),
);
