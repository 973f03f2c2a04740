/** Which sales are asked about before the same money is taken again: every state of a sale, running and not. */
import { expect, test } from 'vitest';
import { isAlike, isInDoubt } from '../../src/selling/likely-sales.ts';
import type { Sale } from '../../src/till/machine/sale.ts';
import { following, sale as intent, withCard } from '../till/sale/intents.ts';
import { states } from '../till/sale/states.ts';

const shapes: [name: string, sale: Sale][] = Object.entries(states).flatMap(([state, ofState]) =>
  Object.entries(ofState).map(([shape, sale]): [string, Sale] => [`${state}: ${shape}`, sale]),
);

test.each(shapes)('%s', (_, sale) => {
  const { at } = sale;
  if (at === 'ended') {
    for (const isRunning of [true, false]) expect(isInDoubt(sale, isRunning)).toBe(sale.ending === 'unknown');
    return;
  }
  // A sale interrupted after it may have charged somebody is in doubt, whatever it was doing.
  expect(isInDoubt(sale, false)).toBe(!['awaitingAmount', 'presenting', 'noting'].includes(at));
  const isTroubled =
    at === 'asking' ||
    (at === 'authorising' && (sale.cancelled || sale.tries > 1)) ||
    (at === 'paying' && sale.cancelled);
  expect(isInDoubt(sale, true)).toBe(isTroubled);
  // A yes is good for one sale: until that sale has ended, the next one asks about it too.
  expect(isInDoubt({ ...sale, intent: { ...sale.intent, again: [3] } }, true)).toBe(true);
});

test('the cases include every kind of state: running normally, in trouble, ended and unknown', () => {
  const messages = shapes.map(([, sale]) => `${isInDoubt(sale, true)} ${isInDoubt(sale, false)}`);
  expect(new Set(messages)).toEqual(new Set(['false false', 'false true', 'true true']));
});

test('alike means the same amount and currency, taken from a card both times', () => {
  const expected = { operation: 'sale', amount: intent.amount } as const;
  for (const similar of [intent, withCard('preauthorisation'), following('completion'), following('increment')])
    expect(isAlike(similar, expected), similar.operation).toBe(true);
  for (const otherIntent of [withCard('credit'), following('refund'), following('void'), following('release')]) {
    expect(isAlike(otherIntent, expected), otherIntent.operation).toBe(false);
    expect(isAlike(intent, { ...expected, operation: otherIntent.operation }), otherIntent.operation).toBe(false);
    expect(isAlike(otherIntent, otherIntent), otherIntent.operation).toBe(false);
  }
  expect(isAlike(intent, { ...expected, amount: { minor: 1250n, currency: 'USD' } })).toBe(false);
  expect(isAlike(intent, { ...expected, amount: { minor: 1251n, currency: 'EUR' } })).toBe(false);
});
