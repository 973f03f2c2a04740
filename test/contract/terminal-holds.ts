/** Tests all card reader drivers against parts of the contract: the cases down, the drivers and links across. */
import { describe, expect, test } from 'vitest';
import { type Subject, subjects } from './terminal.ts';
import { type Room, rooms } from './terminal-rooms.ts';
import { linksAt, stepsAt } from './terminal-steps.ts';

/** The drivers, each on every link that it has. */
export const driversTried: readonly (readonly Subject[])[] = [...new Set(subjects.map(({ driver }) => driver))].map(
  (one) => subjects.filter(({ driver }) => driver === one),
);

export const holdDriversTo = (...names: readonly Room[]): void => {
  describe.each(names)('%s', (room) => {
    const tries = driversTried.flatMap((links, driverAt) =>
      rooms[room].flatMap((one, caseAt) =>
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
