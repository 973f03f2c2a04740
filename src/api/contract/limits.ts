/** The limits for selling without the gateway, and replays of past sales under other limits. */
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
  .meta({ id: 'LimitSetting', description: 'One limit: its name, its value, and the range of its slider.' });
export type LimitSetting = z.infer<typeof limitSetting>;

export const limitsState = z.strictObject({
  settings: z.array(limitSetting),
  written: z.record(z.string(), z.unknown()).readonly().describe('The limits as written in till.json.'),
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
    .describe('Cards read at this till in the last weeks, and how many of them would be taken now.'),
});
export type LimitsState = z.infer<typeof limitsState>;
export const limitsStateInMode = inMode(limitsState, 'LimitsState');

const counted = z.strictObject({ count: z.number(), total: amount });

export const limitsReplay = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    moreTaken: counted.describe('Sales that were refused without the gateway, but would have been taken.'),
    fewerTaken: counted.describe('Sales that were taken offline, but would have been refused.'),
    wouldHaveFailed: counted.describe(
      'Sales that would have been taken, but that the bank later declined, or whose card it declined at the time.',
    ),
    asked: z.number().optional().describe('The number of sales without a connection to the gateway.'),
    notKnown: counted
      .optional()
      .describe('Sales that would have been taken, for which the answer of bank or chip is unknown.'),
    says: z.array(z.string()).optional().describe('The basis and the limits of this replay, in English.'),
    told: z.array(localizedMessage).optional().describe('The same, in the reader’s language.'),
  })
  .describe('The sales of a period under other limits.');
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
  .describe('In English. `used` and `left` are absent if they differ from card to card.');
export type LimitRow = z.infer<typeof limitRow>;

export const limitsReport = z
  .strictObject({
    online: z.boolean().describe('Whether the gateway answered just now.'),
    ready: z
      .boolean()
      .describe('A card within the limits would be taken now, and the limits suit cards that were read at this till.'),
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
      .describe('How many of the last weeks’ cards would be taken, and what would change that.'),
    rows: z.array(limitRow),
  })
  .describe('The limits as a table for people, and whether a card would be taken without the gateway.');
export type LimitsReport = z.infer<typeof limitsReport>;
export const limitsReportInMode = inMode(limitsReport);

export const limitChanges = z.strictObject({ changes: z.record(z.string().max(60), z.string().max(120)) });
