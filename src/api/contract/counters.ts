/** The terminals at the counters, and the line to the gateway. */
import * as z from 'zod';
import { followOperation } from './sales.ts';
import { amount, inMode, said } from './wire.ts';

export const waitingTurn = z
  .strictObject({ operation: followOperation, receipt: z.number(), behind: z.number() })
  .describe(
    'What a terminal that authorises by itself is to do to a payment. `behind`: the receipt of the sale in progress.',
  );
export type WaitingTurn = z.infer<typeof waitingTurn>;

export const counter = z
  .strictObject({
    name: z.string().describe('`T1`, `T2` … in the order in which they were paired.'),
    state: z.enum(['ready', 'busy', 'away', 'unpaired']),
    model: z.string().optional(),
    serial: z.string().optional(),
    simulated: z
      .literal(true)
      .optional()
      .describe('A simulated terminal, used while none is paired: no real card can be read. `model` says so too.'),
    offersSimulated: z
      .literal(true)
      .optional()
      .describe('None is paired, and a simulated one would be used once somebody asked for it.'),
    integrated: z.boolean().describe('The terminal authorises by itself: no pre-authorisations, no credits.'),
    sale: z.string().optional().describe('The sale that is in progress on it.'),
    waiting: z.array(waitingTurn).optional().describe('What waits for its turn at the terminal, behind that sale.'),
    problem: said.optional(),
  })
  .meta({ id: 'Counter' });
export type Counter = z.infer<typeof counter>;

export const lineState = z
  .strictObject({
    online: z.boolean(),
    since: z.number(),
    waiting: z.strictObject({ count: z.number(), total: amount }),
    unknown: z.number().describe('How many sales and reversals have an unknown end.'),
    forPerson: z.number().describe('How many need a person.'),
    offline: z.strictObject({
      ready: z.boolean().describe('A card that fits the limits would be taken.'),
      why: said.optional().describe('Why no card would be taken.'),
      used: amount.optional().describe('How much of what may wait at the store’s risk is used.'),
      most: amount.optional(),
      left: amount.optional(),
      count: z.number().optional(),
    }),
  })
  .meta({ id: 'LineState', description: 'The line to the gateway, and what may be sold without it.' });
export type LineState = z.infer<typeof lineState>;

export const counterInMode = inMode(counter, 'CounterInMode');
export const lineStateInMode = inMode(lineState, 'LineStateInMode');
