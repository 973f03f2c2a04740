/** What is kept of the dialects that ears hear, and when it is told. */
import { expect, test } from 'vitest';
import { mms } from '../../drivers/mms/driver/driver.ts';
import { detectDialects } from '../../src/terminals/detected-dialects.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';

/** Each step: what an ear has when the next bytes are through. */
const heardIn = async (known: readonly string[], steps: readonly (readonly string[])[]) => {
  const told: string[] = [];
  const before: unknown[] = [];
  const heard = detectDialects(known, (names) => told.push(names.join(' ')));
  const dialects = new Set(known);
  let at = 0;
  const push = () => {
    dialects.clear();
    for (const name of steps[at] ?? []) dialects.add(name);
    at += 1;
  };
  const ear = (given: unknown) => {
    before.push(given);
    return { dialects, push };
  };
  const [, link] = memoryLinks('reports');
  const wrapped = heard.wrap(link, { ...mms, ear });
  for (const _ of steps) await wrapped.write(new Uint8Array(64));
  return { told, before, names: heard.names() };
};

test('an ear is told what its link is and carries, and what was heard before', async () => {
  expect((await heardIn(['b'], [])).before).toEqual([{ carries: 'reports', line: 'memory', known: ['b'] }]);
});

test.each<[says: string, known: string[], steps: string[][], told: string[]]>([
  ['the same is told once', [], [['b'], ['b'], ['a', 'b'], ['a', 'b']], ['b', 'a b']],
  ['one that turns out to be another is that one alone', [], [['a'], ['b']], ['a', 'b']],
  ['one that was known before too', ['a', 'c'], [['c', 'b']], ['b c']],
  ['one that was not so is taken back', ['a'], [[]], ['']],
])('%s', async (_, known, steps, told) => {
  const heard = await heardIn(known, steps);
  expect(heard.told).toEqual(told);
  expect(heard.names).toEqual(
    told
      .at(-1)
      ?.split(' ')
      .filter((name) => name !== ''),
  );
});
