/** Tests all card reader drivers, on each of their links, against parts of the contract. */
import { describe, expect, test } from 'vitest';
import { type DriverUnderTest, driversUnderTest } from './terminal.ts';
import { linksAt, stepsAt } from './terminal-steps.ts';
import { type Topic, topics } from './terminal-topics.ts';

/** The drivers, each on every link that it has. */
export const linksByDriver: readonly (readonly DriverUnderTest[])[] = [
  ...new Set(driversUnderTest.map(({ driver }) => driver)),
].map((one) => driversUnderTest.filter(({ driver }) => driver === one));

export const testDriversOn = (...names: readonly Topic[]): void => {
  describe.each(names)('%s', (topic) => {
    const tries = linksByDriver.flatMap((links, driverAt) =>
      topics[topic].flatMap((one, caseAt) =>
        linksAt(links, { caseAt, driverAt }).map((subject) => ({
          title: `${subject.name}: ${one.says}`,
          run: () => one.run(subject, stepsAt({ caseAt, driverAt })),
        })),
      ),
    );
    test.each(tries)('$title', async ({ run }) => {
      expect(await run()).not.toBe('');
    });
  });
};
