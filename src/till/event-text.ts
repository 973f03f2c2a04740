/** An event as the journal keeps it. Every version that was ever written can be read. */
import type { SaleEvent } from './events.ts';

/** Minor units are bigints in memory and digits in JSON. */
export const textOf = (event: SaleEvent): string =>
  JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

export const eventIn = (text: string): SaleEvent =>
  asOfToday(
    JSON.parse(text, (name, value: unknown) =>
      name === 'minor' && typeof value === 'string' ? BigInt(value) : value,
    ) as SaleEvent,
  );

/** The chain forbids changing what was written: older names are read as today's. */
const asOfToday = (event: SaleEvent): SaleEvent => {
  if (event.on !== 'intended' || !('refunds' in event.intent)) return event;
  const { refunds, ...intent } = event.intent as typeof event.intent & { refunds: typeof event.intent.follows };
  return { ...event, intent: { ...intent, ...(refunds && { follows: refunds }) } };
};
