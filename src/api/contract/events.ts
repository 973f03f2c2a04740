/** The event stream for screens and programs. */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { closingWait } from './books.ts';
import { counter, lineState } from './counters.ts';
import { traceRow } from './diagnosis.ts';
import { liveSale } from './sales.ts';
import { inMode } from './wire.ts';

const position = {
  number: z.number().describe('Increases from event to event, with gaps. Restarts of the till do not change it.'),
  id: z.string().describe('The number with an identifier of the till: the value for `Last-Event-ID` and `after`.'),
};
const positionShape = z.strictObject(position);
/** A place in the order of events. */
export type Position = z.infer<typeof positionShape>;

const ended = z.strictObject({
  ...position,
  on: z
    .literal('sale')
    .describe(
      'It ended: `sale.result` says how. Sent once for each ending: an unknown sale ends again once its result is ' +
        'known.',
    ),
  sale: liveSale,
});
const amended = z.strictObject({
  ...position,
  on: z
    .literal('amended')
    .describe('Its ending is unchanged, but another part of its result changed: it was sent, or it was paid.'),
  sale: liveSale,
});
const step = z.strictObject({
  on: z
    .literal('sale')
    .describe(
      'A step of a sale; the last one has the phase `ended`, when its terminal is free. It has no result, unless ' +
        'the journal could not record the end of the sale.',
    ),
  sale: liveSale,
});
const here = z.strictObject({
  on: z.literal('here').describe('This listener has received all events up to here.'),
  ...position,
});
const counters = z.strictObject({ on: z.literal('counters'), counters: z.array(counter) });
const line = z.strictObject({ on: z.literal('line'), line: lineState });
const closing = z.strictObject({
  on: z.literal('closing').describe('A close now waits for something else; without `waits` it no longer waits.'),
  waits: closingWait.optional(),
});
const changed = z.strictObject({
  on: z.literal('changed').describe('Clients should reload the lists that show these.'),
  what: z.enum(['sales', 'openItems', 'batches', 'closing', 'staff', 'limits', 'devices', 'printers', 'machine']),
});
const locked = z.strictObject({
  on: z.literal('locked').describe('The listener’s session has ended, by timeout or sign-out.'),
});
export type Locked = z.infer<typeof locked>;

/**
 * News of an ended sale, which the journal keeps: it is repeated to clients that ask for the events after an earlier
 * one.
 */
const saleNews = z.union([ended, amended]);
export type SaleNews = z.infer<typeof saleNews>;

const apiEvent = z.union([ended, amended, step, here, counters, line, closing, changed, locked]);
/** As the till sends it. Each listener gets it with the mode, and with whether it is repeated later. */
export type ApiEvent = z.infer<typeof apiEvent>;

const replays = z.boolean().describe('Whether it is repeated later: without this only current listeners get it.');
const sent = <Shape extends z.core.$ZodShape>(event: z.ZodObject<Shape, z.core.$strict>) =>
  inMode(event).extend({ replays });
/** The last event of a session: the stream ends after it. */
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
    .describe('The id of the last event that was received.'),
});
