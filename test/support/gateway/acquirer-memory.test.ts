/** The in-process memory is as strict as a store's: turns by name, all or nothing, and a failure blocks nobody. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acquirerMemory } from './acquirer-memory.ts';

test('never runs two at once on one name, and no two wait for each other', async () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, fc.nat(4), fc.boolean())), async (works) => {
      const memory = acquirerMemory();
      const busy = new Map<string, number>();
      const results = works.map(([taken, steps, fails], index) =>
        memory.withLocks(taken, async ({ get, set }) => {
          const ownNames = new Set(taken);
          for (const name of ownNames) expect(busy.get(name) ?? 0).toBe(0);
          for (const name of ownNames) busy.set(name, 1);
          for (const name of ownNames) await set([{ key: name, value: `${(await get(name)) ?? ''}${index} ` }]);
          for (let step = 0; step < steps; step += 1) await Promise.resolve();
          for (const name of ownNames) busy.set(name, 0);
          if (fails) throw new Error(`work ${index}`);
          return index;
        }),
      );
      const settled = await Promise.allSettled(results);
      expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual(
        works.map(([, , fails], index) => (fails ? `work ${index}` : index)),
      );
      for (const name of ['a', 'b', 'c', 'd'] as const) {
        const stored = works.flatMap(([taken, , fails], index) =>
          taken.includes(name) && !fails ? [`${index} `] : [],
        );
        expect((await memory.get(name)) ?? '').toBe(stored.join(''));
      }
    }),
  );
});

test('another name does not wait, and unfinished work is not visible', async () => {
  const memory = acquirerMemory();
  const gate = Promise.withResolvers<void>();
  const slowWork = memory.withLocks(['a'], async ({ get, set }) => {
    await set([{ key: 'x', value: '1' }]);
    await gate.promise;
    return get('x');
  });
  await expect(memory.withLocks(['b'], async ({ get }) => (await get('x')) ?? 'nothing')).resolves.toBe('nothing');
  expect(await memory.get('x')).toBeUndefined();
  gate.resolve();
  await expect(slowWork).resolves.toBe('1');
  expect(await memory.get('x')).toBe('1');
});
