/** The card reader drivers on every dialect of their devices: all cards and customers of the contract. */
import { describe, expect, test } from 'vitest';
import type { Model } from '../../drivers/simulation/station.ts';
import { type Subject, subjects } from './terminal.ts';
import { rooms } from './terminal-rooms.ts';

const spoken: readonly Subject[] = subjects.flatMap((subject) =>
  Object.keys(subject.model.dialects ?? {}).map((dialect) => {
    const model: Model = (link, options) => subject.model(link, { ...options, dialects: [dialect] });
    return { ...subject, name: `${subject.name}, ${dialect}`, model };
  }),
);

test('there are some', () => expect(spoken.length).toBeGreaterThan(1));

describe.each(spoken.map((subject) => [subject.name, subject] as const))('%s', (_, subject) => {
  test.each([...rooms.cards, ...rooms.customers].map((one) => [one.says, one] as const))(
    '%s',
    async (_says, { run }) => {
      expect(await run(subject)).not.toBe('');
    },
  );
});
