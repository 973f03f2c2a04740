/**
 * Devices that play dialects: the cases tried on each, and the dialects on which no sale is possible, with the reason
 * that the till gives.
 */
import assert from 'node:assert/strict';
import { expect } from 'vitest';
import type { Dialect } from '../../drivers/simulation/simulator.ts';
import type { CardInterface } from '../../drivers/terminal.ts';
import type { Fault } from '../../src/base/fault.ts';
import { faults } from '../../src/base/faults.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { type Case, Counter, type DriverUnderTest, isObservable, whatOf } from './terminal.ts';
import { topics } from './terminal-topics.ts';

/** The same driver at a device that plays these dialects. */
export const withDialects = (subject: DriverUnderTest, dialects: readonly string[]): DriverUnderTest => ({
  ...subject,
  name: `${subject.name}, ${dialects.join(' and ')}`,
  model: (link, options) => subject.model(link, { ...options, dialects }),
  dialects,
});

/** The cases that differ most between devices. */
const alwaysRun = /visa-credit by (chip|tap, 5001)|visa-stripe by swipe|typed in|answers nothing: the stripe/;

/** Cards and customers: the cases that differ most, and every nth of the others, different ones for each number. */
export const casesInTurn = (subject: DriverUnderTest, { number, every }: { number: number; every: number }): Case[] =>
  [...topics.cards, ...topics.customers].filter(({ says }, index) => {
    if (!isObservable(subject, 'pin') && /PIN/i.test(says)) return false;
    return alwaysRun.test(says) || index % every === number % every;
  });

/** How a card is presented, in four ways. */
const ways: readonly (readonly [by: CardInterface, card: Parameters<typeof testCard>[0]])[] = [
  ['chip', 'visa-credit'],
  ['tap', 'visa-credit'],
  ['swipe', 'visa-stripe'],
  ['manual', 'visa-credit'],
];

/** The cases on a dialect on which no sale is possible. Typing does not wait for a card. */
export const refusals = ({ about }: Dialect) =>
  ways
    .filter(([by]) => by !== 'manual' || about !== 'activation')
    .map(([by, name]) => ({
      says: `a sale by ${by} is refused with a reason, and no card data leaves`,
      run: (subject: DriverUnderTest) => refuse(subject, by, name),
    }));

const refuse = async (
  subject: DriverUnderTest,
  by: CardInterface,
  name: Parameters<typeof testCard>[0],
): Promise<void> => {
  const card = testCard(name);
  const counter = await new Counter(subject, { customer: { card, by } }).open();
  const accept: readonly CardInterface[] = by === 'manual' ? ['manual'] : ['chip', 'tap', 'swipe'];
  const fault = await counter.read({ accept }).then(
    (outcome) => assert.fail(`it gave ${whatOf(outcome)}`),
    (error: Fault) => error,
  );
  expect(fault).toMatchObject({ code: 'terminal.unready', money: faults['terminal.unready'].money });
  expect(JSON.stringify([fault.message, counter.lines, counter.unsolicited.map(String)])).not.toContain(card.pan);
  const { ok, problems } = await counter.wait(counter.terminal.health());
  expect(ok, problems.join()).toBe(false);
  await counter.close();
};
