/** Events in the journal: they are read as they were written, and older names as today's. */
import { expect, test } from 'vitest';
import { eventIn, textOf } from '../../../src/till/machine/event-text.ts';
import type { SaleEvent } from '../../../src/till/machine/events.ts';
import { type EventName, events, shapesOf } from './events.ts';
import { atTerminal, following, sale, voidAtTerminal } from './intents.ts';

const all: readonly SaleEvent[] = [
  ...[sale, atTerminal, voidAtTerminal].map((intent) => ({ on: 'intended', intent }) as const),
  ...(Object.keys(events) as EventName[]).flatMap((name) => Object.values(shapesOf(name))),
];

test.each(all)('$on is read as it was written', (event) => {
  expect(eventIn(textOf(event))).toEqual(event);
});

test('minor units are bigints wherever they stand, and no other number or text is', () => {
  const amounts = [{ minor: '7', currency: 'EUR' }, { name: 'minor' }];
  const event = eventIn(JSON.stringify({ on: 'cancelAsked', tip: { minor: '-250' }, amounts, minor: 3, at: '4' }));
  expect(event).toEqual({
    ...{ on: 'cancelAsked', tip: { minor: -250n } },
    ...{ amounts: [{ minor: 7n, currency: 'EUR' }, { name: 'minor' }], minor: 3, at: '4' },
  });
});

test('the older field for a refunded payment is read as `follows`', () => {
  const { follows, ...refund } = following('refund');
  const old = textOf({ on: 'intended', intent: refund }).replace(
    '{"sale"',
    `{"refunds":${JSON.stringify(follows)},"sale"`,
  );
  expect(eventIn(old)).toEqual({ on: 'intended', intent: following('refund') });
});
