/** An event as the journal stores it. Every version that was ever written can be read. */
import type { ReadEvent, SaleEvent } from './events.ts';
import type { Intent } from './facts.ts';
import { operations } from './operations.ts';
import { marksOf, unreadIn } from './unread.ts';

/** An event's entry, with the marks that tell an older version whether it can skip what it does not know. */
export const entryOf = (event: SaleEvent): { kind: string; body: string } => ({
  kind: event.on,
  body: textOf({ ...event, ...marksOf(event) }),
});

/** Minor units are bigints in memory and digits in JSON. */
export const textOf = (event: ReadEvent): string =>
  JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

export const eventIn = (text: string): ReadEvent => {
  const event = JSON.parse(text) as WrittenEvent;
  const unread = unreadIn(event);
  if ('ignorable' in event) delete event.ignorable;
  if ('critical' in event) delete event.critical;
  // Not with a JSON reviver, which would be called for each value: a start of the till reads every event.
  if (text.includes('"minor"')) parseMinors(event);
  if (unread === undefined) return upgradeEvent(event);
  // With its receipt and its amount, such a sale can be shown and counted as money with an unknown outcome.
  if (event.on === 'intended')
    return upgradeEvent({ ...event, intent: { ...event.intent, ...readable(event.intent), unread: unread.what } });
  return { on: 'unread', ...unread };
};

type WrittenEvent = SaleEvent & { ignorable?: unknown; critical?: unknown };

/** The kind of sale, as far as this version knows it. */
const readable = ({ operation }: Intent): Pick<Intent, 'operation'> => ({
  operation: Object.hasOwn(operations, operation) ? operation : 'sale',
});

const parseMinors = (value: unknown): void => {
  if (!isRecord(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'minor' && typeof inner === 'string') value[name] = BigInt(inner);
    else parseMinors(inner);
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The chain forbids changing what was written: older names are read as today's. */
const upgradeEvent = (event: SaleEvent): SaleEvent => {
  if (event.on !== 'intended' || !('refunds' in event.intent)) return event;
  const { refunds, ...intent } = event.intent as typeof event.intent & { refunds: typeof event.intent.follows };
  return { ...event, intent: { ...intent, ...(refunds && { follows: refunds }) } };
};
