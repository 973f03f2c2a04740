/** The limits of what is sold while the line is down, and what the last sales would have been under others. */
import * as z from 'zod';
import { amount, inMode, localizedMessage } from './wire.ts';

export const limitSetting = z
  .strictObject({
    key: z.string().describe('Its dotted name, as in `limits set`.'),
    kind: z.enum(['amount', 'count', 'hours', 'list', 'switch']),
    value: z.string(),
    used: z.string().optional(),
    left: z.string().optional(),
  })
  .meta({ id: 'LimitSetting', description: 'One limit: its name, what is set, and how its slider runs.' });
export type LimitSetting = z.infer<typeof limitSetting>;

export const limitsState = z.strictObject({
  settings: z.array(limitSetting),
  written: z.record(z.string(), z.unknown()).readonly().describe('The limits as they are written in till.json.'),
  ready: z.boolean().describe('A card like those of the last weeks would be taken.'),
  why: localizedMessage.optional(),
  cards: z
    .strictObject({
      seen: z.number(),
      taken: z.number(),
      why: localizedMessage.optional(),
      cure: z.strictObject({ key: z.string(), value: z.string(), taken: z.number() }).optional(),
    })
    .optional()
    .describe('Cards that this till’s readers read in the last weeks, and how many of them would be taken now.'),
});
export type LimitsState = z.infer<typeof limitsState>;
export const limitsStateInMode = inMode(limitsState, 'LimitsState');

const counted = z.strictObject({ count: z.number(), total: amount });

export const limitsReplay = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    moreTaken: counted.describe('Sales that were refused because the line was down, and would have been taken.'),
    fewerTaken: counted.describe('Of those taken offline: what would have been refused.'),
    wouldHaveFailed: counted.describe(
      'Of all that would have been taken: what the bank declined afterwards, or declined the same card for then.',
    ),
    asked: z.number().optional().describe('How many sales met a line that was down.'),
    notKnown: counted
      .optional()
      .describe('Of all that would have been taken: nobody knows what the bank, or the chip, would have said.'),
    says: z.array(z.string()).optional().describe('What this rests on, and what it cannot tell, in English.'),
    told: z.array(localizedMessage).optional().describe('The same, in the reader’s language.'),
  })
  .describe('What the sales of a span would have been under other limits.');
export type LimitsReplay = z.infer<typeof limitsReplay>;
export const limitsReplayInMode = inMode(limitsReplay, 'LimitsReplay');

const limitRow = z
  .strictObject({
    of: z.string(),
    limit: z.string(),
    most: z.string(),
    used: z.string().optional(),
    left: z.string().optional(),
  })
  .describe('In English. `used` and `left` are left out where they differ from card to card.');
export type LimitRow = z.infer<typeof limitRow>;

export const limitsReport = z
  .strictObject({
    online: z.boolean().describe('Whether the gateway answered just now.'),
    ready: z
      .boolean()
      .describe('A card that fits would be taken now, and the limits fit cards that were read at this till.'),
    code: z.string().optional(),
    why: z.string().optional(),
    cards: z
      .strictObject({
        seen: z.number(),
        taken: z.number(),
        why: z.strictObject({ code: z.string(), why: z.string() }).optional(),
        cure: z.strictObject({ key: z.string(), value: z.string(), taken: z.number() }).optional(),
      })
      .optional()
      .describe('How many of the last weeks’ cards would be taken, and what would change it.'),
    rows: z.array(limitRow),
  })
  .describe('The limits as a table for people, and whether a card would be taken without the gateway.');
export type LimitsReport = z.infer<typeof limitsReport>;
export const limitsReportInMode = inMode(limitsReport);

export const limitChanges = z.strictObject({ changes: z.record(z.string().max(60), z.string().max(120)) });
