/**
 * The contract of NEO 2 and MMS readers on any two dialects of one protocol: cards and customers where both sell, a
 * third of the cases in turn, and refusals with a reason where one does not. The kinds of link take turns too. By day:
 * `test/contract/reader-dialects.test.ts` notices a dialect on which a driver does not sell.
 */
import { describe, expect, test } from 'vitest';
import { type Dialect, dialectPairs } from '../../drivers/simulation/simulator.ts';
import { type DriverUnderTest, driversUnderTest } from './terminal.ts';
import { casesInTurn, refusals, withDialects } from './terminal-dialects.ts';

type Pair = readonly [name: string, pair: { subject: DriverUnderTest; number: number; refuses: Dialect | undefined }];

const pairs = driversUnderTest
  .filter(({ driver }) => driver.name !== 'mpi')
  .flatMap((subject) => {
    const table = subject.model.dialects ?? {};
    return dialectPairs(table)
      .filter(({ length }) => length > 1)
      .flatMap((dialects, index): Pair[] => {
        if ((subject.carries === 'stream') !== (index % 2 === 0)) return [];
        const refuses = dialects.map((name) => table[name]).find((row) => row?.isRefused);
        const spoken = withDialects(subject, dialects);
        return [[spoken.name, { subject: spoken, number: index >> 1, refuses }]];
      });
  });

const selling = pairs.filter(([, { refuses }]) => refuses === undefined);
const refusing = pairs.flatMap(([name, { subject, refuses }]) => (refuses ? [[name, subject, refuses] as const] : []));
const every = 3;

test('there are some', () => {
  expect(selling.length).toBeGreaterThan(300);
  expect(refusing.length).toBeGreaterThan(50);
});

describe.each(selling)('%s', (_, { subject, number }) => {
  test.each(casesInTurn(subject, { number, every }).map((one) => [one.says, one] as const))(
    '%s',
    async (_says, { run }) => {
      expect(await run(subject)).not.toBe('');
    },
  );
});

describe.each(refusing)('%s', (_, subject, refuses) => {
  test.each(refusals(refuses).map((one) => [one.says, one] as const))('%s', (_says, { run }) => run(subject));
});
