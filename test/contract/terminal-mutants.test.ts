/** The contract can fail: drivers with one defect each, and the part that detects it. */
import { expect, test } from 'vitest';
import type { ReaderDriver } from '../../drivers/driver.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import type { CardData, Terminal } from '../../drivers/terminal.ts';
import { type DriverUnderTest, driversUnderTest } from './terminal.ts';
import { stepsAt } from './terminal-steps.ts';
import { runCases } from './terminal-table.ts';
import { type Topic, topics } from './terminal-topics.ts';

/** The driver with some of its methods replaced. */
const withDefect =
  (defect: (terminal: Terminal) => Partial<Terminal>): ((driver: ReaderDriver) => ReaderDriver) =>
  (driver) => ({
    ...driver,
    async open(link, tools) {
      const terminal = await driver.open(link, tools);
      const own: Terminal = {
        info: () => terminal.info(),
        keys: () => terminal.keys(),
        health: () => terminal.health(),
        echo: () => terminal.echo(),
        read: (request, notify) => terminal.read(request, notify),
        complete: (verdict) => terminal.complete(verdict),
        cancel: () => terminal.cancel(),
        show: (prompt) => terminal.show(prompt),
        waitForRemoval: (withinMs) => terminal.waitForRemoval(withinMs),
        close: () => terminal.close(),
      };
      return { ...own, ...defect(terminal) };
    },
  });

/** Changes the card that a read returns. */
const withChangedCard = (change: (card: CardData) => CardData) =>
  withDefect((terminal) => ({
    async read(request, notify) {
      const outcome = await terminal.read(request, notify);
      return outcome.kind === 'notRead' ? outcome : { ...outcome, card: change(outcome.card) };
    },
  }));

const mutants: readonly (readonly [says: string, room: Topic, break_: (driver: ReaderDriver) => ReaderDriver])[] = [
  ['does nothing', 'cards', withDefect(() => ({ read: async () => ({ kind: 'notRead', why: 'timedOut' }) }))],
  ['calls every card a chip', 'cards', withChangedCard((card) => ({ ...card, entryMode: 'ICC' }))],
  ['shows the whole number', 'cards', withChangedCard((card) => ({ ...card, maskedPan: '4761739001010010' }))],
  ['drops the PIN', 'cards', withChangedCard(({ pin: _, ...card }) => card)],
  ['spoils the card data', 'cards', withChangedCard((card) => ({ ...card, sred: [] }))],
  [
    'takes the host’s approval for the chip’s',
    'cards',
    withDefect((terminal) => ({
      async complete(verdict) {
        await terminal.complete(verdict);
        return { kind: 'approved', icc: '' };
      },
    })),
  ],
  [
    'forgets the issuer’s data',
    'cards',
    withDefect((terminal) => ({ complete: ({ kind }) => terminal.complete({ kind } as { kind: 'approved' }) })),
  ],
  ['ignores a cancel', 'customers', withDefect(() => ({ cancel: async () => undefined }))],
  ['says that the card is out while it is in', 'customers', withDefect(() => ({ waitForRemoval: async () => true }))],
  [
    'asks for another amount',
    'customers',
    withDefect((terminal) => ({
      read: (request, notify) => terminal.read({ ...request, amount: { minor: 1n, currency: 'EUR' } }, notify),
    })),
  ],
  [
    'never reports that a key is exhausted',
    'health',
    withDefect(() => ({ keys: async () => [{ use: 'sred', ready: true }] })),
  ],
  [
    'requests a card without a key',
    'health',
    withDefect((terminal) => ({
      read(request, notify) {
        notify('presentCard');
        return terminal.read(request, notify);
      },
    })),
  ],
];

test.each(mutants)('a driver that %s is detected in the part %s', async (_, topic, broken) => {
  const [model] = driversUnderTest.filter(({ name }) => name === 'mpi stream');
  if (model === undefined) throw new Error('the driver that is broken here is gone');
  const subject: DriverUnderTest = { ...model, driver: broken(mpi) };
  const results: string[] = [];
  for (const one of topics[topic]) {
    if (!results.includes('FAILS')) results.push((await runCases(one, subject)).mark);
  }
  expect(results).toContain('FAILS');
});

test('the same driver without a defect passes', async () => {
  const [model] = driversUnderTest.filter(({ name }) => name === 'mpi stream');
  if (model === undefined) throw new Error('the driver that is broken here is gone');
  const subject: DriverUnderTest = { ...model, driver: withDefect(() => ({}))(mpi) };
  for (const topic of ['cards', 'customers'] as const) {
    for (const [caseAt, one] of topics[topic].entries()) {
      expect(await runCases(one, subject, stepsAt({ caseAt, driverAt: 0 }))).not.toHaveProperty('why');
    }
  }
});
