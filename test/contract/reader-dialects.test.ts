/**
 * The card reader drivers on every dialect of their devices: all cards and customers of the contract, on one kind of
 * link by day and on all of them by night; and the dialects on which no sale is possible, with their reasons.
 */
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../drivers/simulation/simulator.ts';
import { byNight } from '../support/night/night.ts';
import { type DriverUnderTest, driversUnderTest } from './terminal.ts';
import { casesInTurn, refusals, withDialects } from './terminal-dialects.ts';

/** `number`: the index of the row in its protocol’s table. */
type Spoken = DriverUnderTest & { row: Dialect; number: number };

const spoken: readonly Spoken[] = driversUnderTest.flatMap((subject) =>
  Object.entries(subject.model.dialects ?? {}).map(([dialect, row], number) => ({
    ...withDialects(subject, [dialect]),
    ...{ row, number },
  })),
);

/** By day the rows take turns on the kinds of link. */
const isTried = byNight({
  day: ({ driver, carries, number }: Spoken) =>
    driver.hid === undefined || (carries === 'stream') === (number % 2 === 0),
  night: () => true,
});

const every = byNight({ day: 10, night: 1 });

const selling = spoken.filter((subject) => subject.row.isRefused !== true && isTried(subject));
const refusing = spoken.filter(({ row }) => row.isRefused);

test('there are some', () => {
  expect(selling.length).toBeGreaterThan(1);
  expect(refusing.length).toBeGreaterThan(1);
});

describe.each(selling.map((subject) => [subject.name, subject] as const))('%s', (_, subject) => {
  test.each(casesInTurn(subject, { number: subject.number, every }).map((one) => [one.says, one] as const))(
    '%s',
    async (_says, { run }) => {
      expect(await run(subject)).not.toBe('');
    },
  );
});

describe.each(refusing.map((subject) => [subject.name, subject] as const))('%s', (_, subject) => {
  test.each(refusals(subject.row).map((one) => [one.says, one] as const))('%s', (_says, { run }) => run(subject));
});
