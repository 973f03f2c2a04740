/** What is stored of the observed dialects, and when it is reported. */
import { expect, test } from 'vitest';
import { mms } from '../../drivers/mms/driver/driver.ts';
import { detectDialects } from '../../src/terminals/detected-dialects.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';

/** `steps`: what the observer has found after each further portion of bytes. */
const detectedIn = async (known: readonly string[], steps: readonly (readonly string[])[]) => {
  const messages: string[] = [];
  const before: unknown[] = [];
  const detected = detectDialects(known, (names) => messages.push(names.join(' ')));
  const dialects = new Set(known);
  let index = 0;
  const push = () => {
    dialects.clear();
    for (const name of steps[index] ?? []) dialects.add(name);
    index += 1;
  };
  const detector = (input: unknown) => {
    before.push(input);
    return { dialects, push };
  };
  const [, link] = memoryLinks('reports');
  const wrapped = detected.wrap(link, { ...mms, detector });
  for (const _ of steps) await wrapped.write(new Uint8Array(64));
  return { messages, before, names: detected.names() };
};

test('an observer gets its link’s kind and what was observed before', async () => {
  expect((await detectedIn(['b'], [])).before).toEqual([{ carries: 'reports', line: 'memory', known: ['b'] }]);
});

test.each<[says: string, known: string[], steps: string[][], told: string[]]>([
  ['the same dialect is reported once', [], [['b'], ['b'], ['a', 'b'], ['a', 'b']], ['b', 'a b']],
  ['a dialect that turns out to be another replaces it', [], [['a'], ['b']], ['a', 'b']],
  ['a dialect known before', ['a', 'c'], [['c', 'b']], ['b c']],
  ['a dialect that turns out wrong is withdrawn', ['a'], [[]], ['']],
])('%s', async (_, known, steps, messages) => {
  const received = await detectedIn(known, steps);
  expect(received.messages).toEqual(messages);
  expect(received.names).toEqual(
    messages
      .at(-1)
      ?.split(' ')
      .filter((name) => name !== ''),
  );
});
