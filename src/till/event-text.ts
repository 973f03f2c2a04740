/** An event as the journal keeps it. Every version that was ever written can be read. */
import type { SaleEvent } from './events.ts';

/** Minor units are bigints in memory and digits in JSON. */
export const textOf = (event: SaleEvent): string =>
  JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

export const eventIn = (text: string): SaleEvent => {
  const event: unknown = JSON.parse(text);
  // A reviver would be asked about each value: a start of the till reads every event that there is.
  if (text.includes('"minor"')) minorsInMemory(event);
  return asOfToday(event as SaleEvent);
};

const minorsInMemory = (value: unknown): void => {
  if (!isRecord(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'minor' && typeof inner === 'string') value[name] = BigInt(inner);
    else minorsInMemory(inner);
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The chain forbids changing what was written: older names are read as today's. */
const asOfToday = (event: SaleEvent): SaleEvent => {
  if (event.on !== 'intended' || !('refunds' in event.intent)) return event;
  const { refunds, ...intent } = event.intent as typeof event.intent & { refunds: typeof event.intent.follows };
  return { ...event, intent: { ...intent, ...(refunds && { follows: refunds }) } };
};
