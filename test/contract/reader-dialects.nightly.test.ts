/**
 * The contract of NEO 2 and MMS readers in trouble on each of their dialects: faults at every other step of a sale,
 * other programs on the line, and the device's health. By day: `test/contract/reader-dialects.test.ts` notices a
 * dialect on which a driver does not sell.
 */
import { describe, expect, test } from 'vitest';
import { type Case, type DriverUnderTest, driversUnderTest } from './terminal.ts';
import { withDialects } from './terminal-dialects.ts';
import { stepsAt } from './terminal-steps.ts';
import { topics } from './terminal-topics.ts';

/** What a device with this dialect does not report, so that no driver can. */
const unsupported: Readonly<Record<string, RegExp>> = {
  'neo2 key-state-unknown': /key/,
  'neo2 boot-notice-unknown': /restarts/,
  'mms shows-at-till': /keys ready|closing in the middle/,
};

type Spoken = {
  name: string;
  subject: DriverUnderTest;
  cases: readonly (readonly [says: string, one: Case, at: number])[];
};

const spoken: readonly Spoken[] = driversUnderTest
  .filter(({ driver, carries }) => driver.name !== 'mpi' && carries === 'stream')
  .flatMap((subject) =>
    Object.entries(subject.model.dialects ?? {}).flatMap(([dialect, { isRefused }]): Spoken[] => {
      if (isRefused) return [];
      const name = `${subject.driver.name} ${dialect}`;
      const cases = [...topics.trouble, ...topics.strangers, ...topics.health]
        .filter(({ says }) => unsupported[name]?.test(says) !== true)
        .map((one, index) => [one.says, one, index] as const);
      return [{ name, subject: withDialects(subject, [dialect]), cases }];
    }),
  );

describe.each(spoken.map((row, driverAt) => [row.name, row, driverAt] as const))('%s', (_, row, driverAt) => {
  test.each(row.cases)('%s', async (_says, { run }, caseAt) => {
    expect(await run(row.subject, stepsAt({ caseAt, driverAt }, { every: 2, links: 'all' }))).not.toBe('');
  });
});
