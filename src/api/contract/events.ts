/** The one stream that tells screens and programs what has changed. */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { closingWait } from './books.ts';
import { counter, lineState } from './counters.ts';
import { traceRow } from './diagnosis.ts';
import { liveSale } from './sales.ts';
import { inMode } from './wire.ts';

const position = {
  number: z.number().describe('Grows from one event to the next, with gaps. A start of the till changes none.'),
  id: z.string().describe('The number, and a mark of the till that gave it: what `Last-Event-ID` and `after` take.'),
};
const positionShape = z.strictObject(position);
/** A place in the order of events. */
export type Position = z.infer<typeof positionShape>;

const ended = z.strictObject({
  ...position,
  on: z
    .literal('sale')
    .describe('It ended: `sale.result` says how. Once for each ending: what was unknown ends again when it is known.'),
  sale: liveSale,
});
const amended = z.strictObject({
  ...position,
  on: z
    .literal('amended')
    .describe('Its ending is as it was told, and something else of its result changed: it was sent, its money came.'),
  sale: liveSale,
});
const step = z.strictObject({
  on: z
    .literal('sale')
    .describe(
      'A step of a sale, the last one in phase `ended`, when its terminal takes the next one. It tells no result, unless ' +
        'the journal could not be written to the sale’s end.',
    ),
  sale: liveSale,
});
const here = z.strictObject({
  on: z.literal('here').describe('All events up to here were told to this listener.'),
  ...position,
});
const counters = z.strictObject({ on: z.literal('counters'), counters: z.array(counter) });
const line = z.strictObject({ on: z.literal('line'), line: lineState });
const closing = z.strictObject({
  on: z
    .literal('closing')
    .describe('What a close waits for has changed; without `waits` it waits for nothing any more.'),
  waits: closingWait.optional(),
});
const changed = z.strictObject({
  on: z.literal('changed').describe('Lists that show these are to be read again.'),
  what: z.enum(['sales', 'openItems', 'batches', 'closing', 'staff', 'limits', 'devices', 'printers', 'machine']),
});
const locked = z.strictObject({
  on: z.literal('locked').describe('The session of whoever listens has ended, by time or by hand.'),
});
export type Locked = z.infer<typeof locked>;

/** What the journal has of a sale that ended. It is told again to whoever asks for what came after an earlier one. */
const saleNews = z.union([ended, amended]);
export type SaleNews = z.infer<typeof saleNews>;

const apiEvent = z.union([ended, amended, step, here, counters, line, closing, changed, locked]);
/** As the till tells it. Each listener gets it with the mode, and with whether it is told again. */
export type ApiEvent = z.infer<typeof apiEvent>;

const replays = z
  .boolean()
  .describe('Whether it is told again: without that it is told to those alone who listen as it happens.');
const sent = <Shape extends z.core.$ZodShape>(event: z.ZodObject<Shape, z.core.$strict>) =>
  inMode(event).extend({ replays });
/** The last of a session: the stream ends behind it. */
const sessionEnd = inMode(locked).extend({ replays: replays.optional() });
export type SessionEnd = z.infer<typeof sessionEnd>;

export const sentEvent = z
  .union([
    sent(ended),
    sent(amended),
    sent(step),
    sent(here),
    sent(counters),
    sent(line),
    sent(closing),
    sent(changed),
    sessionEnd,
  ])
  .meta({ id: 'ApiEvent' });
export type SentEvent = z.infer<typeof sentEvent>;

export const sentTraceRow = z.union([traceRow, sessionEnd]);

export const eventsQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,15}-[0-9a-f]{8}$/, wantWords.event)
    .optional()
    .describe('The id of the last event that was heard.'),
});
