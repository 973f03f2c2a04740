/** All card reader drivers keep one contract: the cases down, the drivers and links across. */
import { describe, expect, test } from 'vitest';
import { subjects } from './terminal.ts';
import { rooms } from './terminal-rooms.ts';

for (const [room, cases] of Object.entries(rooms)) {
  describe(room, () => {
    for (const subject of subjects) {
      test.each(cases.map((one) => [one.says, one] as const))(`${subject.name}: %s`, async (_, { run }) => {
        expect(await run(subject)).not.toBe('');
      });
    }
  });
}

test('there is somebody to try, and no case stands twice', () => {
  expect(subjects.map(({ name }) => name)).toContain('mpi stream');
  const says = Object.values(rooms).flatMap((cases) => cases.map((one) => one.says));
  expect(new Set(says).size).toBe(says.length);
});
