/** The notation of the sale machine's table: what an event does in a state, or why it has no meaning there. */
import { next, type Sale } from '../../../src/till/machine/sale.ts';
import { type EventName, shapesOf } from './events.ts';
import type { states } from './states.ts';

/** The event changes nothing, but is recorded. */
export type Never = { readonly because: string };

/**
 * `ending reason {facts} > messages to send > effects`; for a sale that continues, the state replaces ending and
 * reason. One outcome for all variants of the event, or one for each.
 */
export type Cell = string | Never | Readonly<Record<string, string | Never>>;

export type Row = Readonly<Record<EventName, Cell>>;

/** The rows of every variant of one state. */
export type Rows<S extends Sale['at']> = Readonly<Record<keyof (typeof states)[S], Row>>;

/** The same reason for several events. */
export const never = <E extends EventName>(because: string, ...events: readonly E[]): Record<E, Never> =>
  Object.fromEntries(events.map((event) => [event, { because }])) as Record<E, Never>;

const factsOf = (sale: Sale): string => {
  const messages = Object.entries(sale).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (['presented', 'cancelled', 'tries', 'reversal', 'offline', 'forPerson', 'confirm', 'deferred'].includes(name))
      return value === false || value === 1 ? [] : [value === true ? name : `${name} ${String(value)}`];
    if (name === 'forwarded') return [`forwarded ${sale.at === 'ended' && sale.forwarded?.approved ? 'yes' : 'no'}`];
    return name === 'differs' ? ['differs'] : [];
  });
  return messages.length === 0 ? '' : ` {${messages.join(', ')}}`;
};

/** What the machine does with the event, in the table's notation; undefined when the event has no meaning. */
export const outcomeOf = (sale: Sale, event: EventName, shape: string): string | undefined => {
  const reported = shapesOf(event)[shape];
  const step = reported && next(sale, reported);
  if (step === undefined) return undefined;
  const { sale: after, outgoing, effects = [] } = step;
  const named = after.at === 'ended' ? `${after.ending} ${after.reason}` : after.at;
  const done = effects.map((effect) => ('verdict' in effect ? `${effect.do} ${effect.verdict}` : effect.do));
  return `${named}${factsOf(after)} > ${outgoing ?? ''} > ${done.join(', ')}`.replace(/[ >]+$/, '');
};
