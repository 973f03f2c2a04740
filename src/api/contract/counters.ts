/** The terminals at the counters, and the connection to the gateway. */
import * as z from 'zod';
import { followOperation } from './sales.ts';
import { amount, inMode, said } from './wire.ts';

export const waitingTurn = z
  .strictObject({ operation: followOperation, receipt: z.number(), behind: z.number() })
  .describe(
    'An action on an earlier payment that waits for a terminal that contacts its bank itself. `behind`: the receipt ' +
      'of the sale in progress.',
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
      .describe('No terminal is paired; a simulated one is used once someone requests it.'),
    integrated: z.boolean().describe('The terminal contacts its bank itself: no pre-authorisations, no credits.'),
    sale: z.string().optional().describe('The sale in progress on it.'),
    waiting: z.array(waitingTurn).optional().describe('Requests that wait for the terminal, after that sale.'),
    problem: said.optional(),
  })
  .meta({ id: 'Counter' });
export type Counter = z.infer<typeof counter>;

export const lineState = z
  .strictObject({
    online: z.boolean(),
    since: z.number(),
    waiting: z.strictObject({ count: z.number(), total: amount }),
    unknown: z.number().describe('The number of sales and reversals with an unknown result.'),
    forPerson: z.number().describe('The number that need a person.'),
    offline: z.strictObject({
      ready: z.boolean().describe('A card within the limits would be taken.'),
      why: said.optional().describe('Why no card would be taken.'),
      used: amount.optional().describe('How much of the amount that may wait at the store’s risk is used.'),
      most: amount.optional(),
      left: amount.optional(),
      count: z.number().optional(),
    }),
  })
  .meta({ id: 'LineState', description: 'The connection to the gateway, and what can be sold without it.' });
export type LineState = z.infer<typeof lineState>;

export const counterInMode = inMode(counter, 'CounterInMode');
export const lineStateInMode = inMode(lineState, 'LineStateInMode');
