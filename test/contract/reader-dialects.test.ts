/**
 * The card reader drivers on every dialect of their devices: all cards and customers of the contract, on one kind of
 * link by day and on all of them by night; and those on which nothing can be sold, each of which says why.
 */
import assert from 'node:assert/strict';
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../drivers/simulation/dialect.ts';
import type { Model } from '../../drivers/simulation/station.ts';
import type { CardInterface } from '../../drivers/terminal.ts';
import type { Fault } from '../../src/base/fault.ts';
import { faults } from '../../src/base/faults.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { byNight } from '../support/night/night.ts';
import { Counter, type Subject, subjects, tells, whatOf } from './terminal.ts';
import { rooms } from './terminal-rooms.ts';

/** `number`: which of its protocol’s rows. */
type Spoken = Subject & { row: Dialect; number: number };

const spoken: readonly Spoken[] = subjects.flatMap((subject) =>
  Object.entries(subject.model.dialects ?? {}).map(([dialect, row], number) => {
    const model: Model = (link, options) => subject.model(link, { ...options, dialects: [dialect] });
    return { ...subject, name: `${subject.name}, ${dialect}`, model, dialect, row, number };
  }),
);

/** By day the rows take turns on the kinds of link. */
const isTried = byNight({
  day: ({ driver, carries, number }: Spoken) =>
    driver.hid === undefined || (carries === 'stream') === (number % 2 === 0),
  night: () => true,
});

/** By day the cases that differ most between devices, and of the others every tenth, other ones for each row. */
const always = /visa-credit by (chip|tap, 5001)|visa-stripe by swipe|typed in|answers nothing: the stripe/;
const cases = [...rooms.cards, ...rooms.customers];
const casesOf = (subject: Spoken) =>
  cases.filter(({ says }, at) => {
    if (!tells(subject, 'pin') && /PIN/i.test(says)) return false;
    return byNight({ day: always.test(says) || at % 10 === subject.number % 10, night: true });
  });

const selling = spoken.filter((subject) => subject.row.isRefused !== true && isTried(subject));
const refusing = spoken.filter(({ row }) => row.isRefused);

test('there are some', () => {
  expect(selling.length).toBeGreaterThan(1);
  expect(refusing.length).toBeGreaterThan(1);
});

describe.each(selling.map((subject) => [subject.name, subject] as const))('%s', (_, subject) => {
  test.each(casesOf(subject).map((one) => [one.says, one] as const))('%s', async (_says, { run }) => {
    expect(await run(subject)).not.toBe('');
  });
});

/** How a card comes, in four ways; typing needs no card to be waited for. */
const ways: readonly (readonly [by: CardInterface, card: Parameters<typeof testCard>[0]])[] = [
  ['chip', 'visa-credit'],
  ['tap', 'visa-credit'],
  ['swipe', 'visa-stripe'],
  ['manual', 'visa-credit'],
];

describe.each(refusing.map((subject) => [subject.name, subject] as const))('%s', (_, subject) => {
  const tried = ways.filter(([by]) => by !== 'manual' || subject.row.about !== 'activation');
  test.each(tried)('a sale by %s is refused in words, and nothing of the card leaves', async (by, name) => {
    const card = testCard(name);
    const counter = await new Counter(subject, { customer: { card, by } }).open();
    const accept: readonly CardInterface[] = by === 'manual' ? ['manual'] : ['chip', 'tap', 'swipe'];
    const fault = await counter.read({ accept }).then(
      (outcome) => assert.fail(`it gave ${whatOf(outcome)}`),
      (error: Fault) => error,
    );
    expect(fault).toMatchObject({ code: 'terminal.unready', money: faults['terminal.unready'].money });
    expect(JSON.stringify([fault.message, counter.lines, counter.strays.map(String)])).not.toContain(card.pan);
    const { ok, problems } = await counter.wait(counter.terminal.health());
    expect(ok, problems.join()).toBe(false);
    await counter.close();
  });
});
