/** The contract, second part: what customers and cashiers do at the wrong moment, and which interface may follow. */
import assert from 'node:assert/strict';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import type { ReadOutcome, TerminalEvent } from '../../drivers/terminal.ts';
import { pause } from '../../src/base/clock.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import {
  AMOUNT,
  type Case,
  Counter,
  type DriverUnderTest,
  endOf,
  isObservable,
  type Setup,
  visa,
  type Wanted,
  whatOf,
} from './terminal.ts';
import { sell } from './terminal-issuer.ts';
import { chooseSteps, everyStep } from './terminal-steps.ts';

/** `anew`: sells again on a new connection, because the simulated customer can still be at the terminal. */
type Play = { setup: Setup; expected?: Wanted; patience?: 'same' | 'anew' };

/** Reads one card to whatever end, checks the outcome, and sells again on the same terminal. */
const reading = async (
  subject: DriverUnderTest,
  { setup, expected, patience = 'same' }: Play,
  check: (outcome: ReadOutcome, counter: Counter) => void,
): Promise<string> => {
  const counter = await new Counter(subject, setup).open();
  const outcome = await counter.read(expected);
  check(outcome, counter);
  await counter.sellsAgain(patience);
  await counter.close();
  return whatOf(outcome);
};

type Row = readonly [says: string, name: TestCardName, acts: Omit<Presentation, 'card'>, whys: readonly string[]];

const customers: readonly Row[] = [
  ['presses cancel', 'visa-credit', { by: 'chip', cancels: true }, ['cancelledByCustomer']],
  ['does nothing', 'visa-credit', { by: 'chip', never: true }, ['timedOut']],
  ['pulls the chip while it is read', 'visa-credit', { by: 'chip', pullsCardAt: 'read' }, ['cardRemoved']],
  ['cancels the online PIN of a chip', 'visa-credit', { by: 'chip', pin: 'cancel' }, ['pinCancelled']],
  ['cancels the online PIN of a tap', 'visa-credit', { by: 'tap', pin: 'cancel' }, ['pinCancelled']],
  // Not every protocol reports what was being asked when the key was pressed.
  [
    'cancels the offline PIN',
    'visa-offline-pin',
    { by: 'chip', pin: 'cancel' },
    ['pinCancelled', 'cancelledByCustomer'],
  ],
];

const leaving: Case[] = customers.map(([text, name, acts, reasons]) => ({
  says: `the customer ${text}`,
  run: (subject) =>
    reading(subject, { setup: { customer: { card: testCard(name), ...acts } } }, (outcome, counter) => {
      assert(
        reasons.includes(whatOf(outcome)) ||
          (reasons[0] === 'pinCancelled' && whatOf(outcome) === 'cancelledByCustomer'),
      );
      assert(!counter.events.includes('useStripe'), 'the stripe was requested');
    }),
}));

const pulledLate: Case = {
  says: 'the customer pulls the chip before it receives the host’s answer: gone',
  async run(subject) {
    const counter = await new Counter(subject, { customer: { ...visa, pullsCardAt: 'complete' } }).open();
    assert.equal(whatOf(await counter.read()), 'goOnline');
    const { kind } = await counter.wait(counter.complete({ kind: 'approved' }));
    assert.equal(kind, 'gone');
    await counter.sellsAgain('same');
    await counter.close();
    return kind;
  },
};

const fallbacks: Case[] = [
  {
    says: 'a chip that answers nothing: the stripe, as a fallback',
    run: (subject) =>
      reading(subject, { setup: { customer: { card: testCard('visa-broken-chip'), by: 'chip' } } }, (outcome) => {
        assert.equal(whatOf(outcome), 'goOnline');
        assert(outcome.kind === 'goOnline' && outcome.card.entryMode === 'MAGSTRIPE_AS_FALLBACK');
      }),
  },
  {
    says: 'a chip that answers nothing, and no stripe is accepted: not read',
    run: (subject) =>
      reading(
        subject,
        {
          setup: { customer: { card: testCard('visa-broken-chip'), by: 'chip' } },
          expected: { accept: ['chip'] },
          patience: 'anew',
        },
        (outcome) => assert(outcome.kind === 'notRead', whatOf(outcome)),
      ),
  },
  {
    says: 'a swiped chip card is sent to its chip',
    run: (subject) =>
      reading(subject, { setup: { customer: { ...visa, by: 'swipe' } } }, (outcome, counter) => {
        // If nothing shows that the card has a chip, it counts as a stripe card.
        const mode = isObservable(subject, 'serviceCode') ? 'ICC' : 'MAGSTRIPE';
        assert(outcome.kind === 'goOnline' && outcome.card.entryMode === mode, whatOf(outcome));
        if (mode === 'MAGSTRIPE') return;
        assert(counter.events.includes('useChip') || !isObservable(subject, 'useChip'), 'the chip was not requested');
      }),
  },
  {
    says: 'a swipe when only chips are accepted is not a sale by stripe',
    run: (subject) =>
      reading(
        subject,
        { setup: { customer: { card: testCard('visa-stripe'), by: 'swipe' } }, expected: { accept: ['chip', 'tap'] } },
        (outcome) => assert(outcome.kind === 'notRead', whatOf(outcome)),
      ),
  },
  {
    says: 'a stripe is read at once when only stripes are accepted',
    run: (subject) =>
      reading(
        subject,
        { setup: { customer: { card: testCard('visa-stripe'), by: 'swipe' } }, expected: { accept: ['swipe'] } },
        (outcome) => assert(outcome.kind === 'goOnline' && outcome.card.entryMode === 'MAGSTRIPE', whatOf(outcome)),
      ),
  },
];

/** Cancels as soon as the event is reported. If the protocol never reports the event, the table says so. */
const cancelAt = async (subject: DriverUnderTest, moment: TerminalEvent, setup: Setup): Promise<string> => {
  const counter = await new Counter(subject, setup).open();
  let cancelled: Promise<void> | undefined;
  const ending = counter.start({}, (event) => {
    if (event === moment) cancelled ??= counter.terminal.cancel();
  });
  const outcome = await counter.wait(ending);
  if (cancelled !== undefined) {
    await counter.wait(cancelled);
    assert.equal(whatOf(outcome), 'cancelledByTill');
  }
  await counter.sellsAgain('same');
  await counter.close();
  return cancelled === undefined ? 'not told' : whatOf(outcome);
};

const moments: readonly (readonly [says: string, at: TerminalEvent, setup: Setup])[] = [
  ['when a card is requested', 'presentCard', { customer: { ...visa, never: true } }],
  ['when the chip is in', 'cardInserted', {}],
  ['while it is read', 'reading', {}],
  ['at the PIN of a chip', 'enterPin', {}],
  ['at the PIN of a tap', 'enterPin', { customer: { ...visa, by: 'tap' } }],
  ['at the offline PIN', 'enterPin', { customer: { card: testCard('visa-offline-pin'), by: 'chip' } }],
  ['when the PIN is in', 'pinEntered', {}],
  ['when the stripe is requested', 'useStripe', { customer: { card: testCard('visa-broken-chip'), by: 'chip' } }],
];

const cancels: Case[] = moments.map(([text, moment, setup]) => ({
  says: `the till cancels ${text}`,
  run: (subject) => cancelAt(subject, moment, setup),
}));

const cancelSteps = Array.from({ length: 40 }, (_, index) => 20 + index * 110);

/** A cancel at any moment ends the read, or comes after it; in both cases the terminal sells again. */
const anyMoment: Case = {
  says: 'the till cancels, every 110 ms of a sale',
  async run(subject, steps = everyStep) {
    const seenEvents = new Set<string>();
    for (const ms of chooseSteps(cancelSteps, steps)) {
      const counter = await new Counter(subject, { seed: ms }).open();
      const ending = counter.start();
      const cancelled = pause(counter.clock, ms).then(() => counter.terminal.cancel());
      const outcome = await counter.wait(ending);
      await counter.wait(cancelled);
      seenEvents.add(whatOf(outcome));
      await counter.sellsAgain('same');
      await counter.close();
    }
    assert(seenEvents.has('cancelledByTill'));
    assert(
      [...seenEvents].every((what) => what === 'cancelledByTill' || what === 'goOnline'),
      [...seenEvents].join(),
    );
    return 'every moment';
  },
};

const completeSteps = Array.from({ length: 15 }, (_, index) => index * 40);

const afterwards: Case[] = [
  {
    says: 'the till cancels while the host is asked: the card is dropped',
    async run(subject) {
      const counter = await new Counter(subject).open();
      assert.equal(whatOf(await counter.read()), 'goOnline');
      await counter.wait(counter.terminal.cancel());
      const { code } = await endOf(counter.wait(counter.complete({ kind: 'approved' })));
      assert.equal(code, 'terminal.refused', 'a dropped card takes no part');
      await counter.sellsAgain('same');
      await counter.close();
      return 'dropped';
    },
  },
  {
    says: 'the till cancels while the chip receives the host’s answer, every 40 ms',
    async run(subject, steps = everyStep) {
      const seenEvents = new Set<string>();
      for (const ms of chooseSteps(completeSteps, steps)) {
        const counter = await new Counter(subject, { seed: ms + 1 }).open();
        await counter.read();
        const ending = counter.complete({ kind: 'approved' });
        const cancelled = pause(counter.clock, ms).then(() => counter.terminal.cancel());
        seenEvents.add((await counter.wait(ending)).kind);
        await counter.wait(cancelled);
        await counter.sellsAgain('same');
        await counter.close();
      }
      assert(
        [...seenEvents].every((kind) => ['approved', 'declined', 'gone'].includes(kind)),
        [...seenEvents].join(),
      );
      return [...seenEvents].sort().join(', ');
    },
  },
  {
    says: 'a cancel when nothing runs does nothing',
    async run(subject) {
      const counter = await new Counter(subject).open();
      await counter.wait(counter.terminal.cancel());
      await counter.sellsAgain('same');
      await counter.wait(counter.terminal.cancel());
      await counter.sellsAgain('same');
      await counter.close();
      return 'nothing';
    },
  },
];

const cardLeftIn: Case = {
  says: 'the card is left in: reported, and noticed when it is removed',
  async run(subject) {
    const counter = await new Counter(subject).open();
    assert.equal(whatOf(await counter.read()), 'goOnline');
    const { kind } = await counter.wait(counter.complete({ kind: 'approved' }));
    assert.equal(kind, 'approved');
    const isRemoved = await counter.wait(counter.terminal.waitForRemoval(1));
    if (isObservable(subject, 'removal')) assert.equal(isRemoved, false, 'reported as out while it is in');
    assert.equal(await counter.wait(counter.terminal.waitForRemoval(60_000)), true);
    await counter.sellsAgain('same');
    await counter.close();
    return isRemoved ? 'out at once' : 'left, then out';
  },
};

/** All amounts that the display or the wire shows. */
const amountsIn = (lines: readonly string[]): Set<string> =>
  new Set(lines.flatMap((line) => line.match(/\b\d+[.,]\d\d\b(?=\s*(?:EUR|€))|(?<=(?:EUR|€)\s*)\d+[.,]\d\d\b/g) ?? []));

const amountShown: Case = {
  says: 'only the right amount is shown, sale after sale',
  async run(subject) {
    const counter = await new Counter(subject).open();
    for (const minor of [AMOUNT, 123n, 1_000_050n]) {
      counter.lines.length = 0;
      const { code } = await sell(counter, { minor });
      const [whole, cents] = [minor / 100n, String(minor % 100n).padStart(2, '0')];
      assert.deepEqual([...amountsIn(counter.lines)], [`${whole}.${cents}`], `issuer ${code}`);
    }
    await counter.sellsAgain('same');
    await counter.close();
    return 'right';
  },
};

export const customerCases: readonly Case[] = [
  ...leaving,
  pulledLate,
  ...fallbacks,
  ...cancels,
  anyMoment,
  ...afterwards,
  cardLeftIn,
  amountShown,
];
