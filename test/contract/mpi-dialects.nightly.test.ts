/**
 * The contract of card readers on each dialect of MPI devices and on any two: all cards and customers, and on each one
 * the sweep of faults. By day: `test/contract/reader-dialects.test.ts` notices a dialect on which the driver does not
 * sell.
 */
import { describe, expect, test } from 'vitest';
import { dialectPairs, type Model } from '../../drivers/simulation/simulator.ts';
import { type DriverUnderTest, driversUnderTest } from './terminal.ts';
import { topics } from './terminal-topics.ts';

const readers = driversUnderTest.filter(({ driver }) => driver.name === 'mpi');

const spoken = readers.flatMap((subject) =>
  dialectPairs(subject.model.dialects ?? {}).map((dialects): [string, DriverUnderTest, boolean] => {
    const model: Model = (link, options) => subject.model(link, { ...options, dialects });
    // A device that reports its power can lose that first message without harm, so its faults come in no order.
    const isSwept = dialects.length === 1 && !dialects.includes('powered-on-told');
    return [`${subject.name}, ${dialects.join(' and ')}`, { ...subject, model }, isSwept];
  }),
);

test('there are some', () => expect(spoken.length).toBeGreaterThan(50));

describe.each(spoken)('%s', (_, subject, isSwept) => {
  const cases = [...topics.cards, ...topics.customers, ...(isSwept ? topics.trouble : [])];
  test.each(cases.map((one) => [one.says, one] as const))('%s', async (_says, { run }) => {
    expect(await run(subject)).not.toBe('');
  });
});
