/** Work on the same name runs one after the other; other work does not wait; a failure blocks nobody. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exclusive } from '../../../src/gateway/acquirers/simulator/exclusive.ts';

test('never two at once on one name, and no two waiting for each other', async () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, fc.nat(4), fc.boolean())), async (works) => {
      const inTurn = exclusive();
      const busy = new Map<string, number>();
      const results = works.map(([on, steps, fails], index) =>
        inTurn(on, async () => {
          const own = new Set(on);
          for (const name of own) expect(busy.get(name) ?? 0).toBe(0);
          for (const name of own) busy.set(name, 1);
          for (let step = 0; step < steps; step += 1) await Promise.resolve();
          for (const name of own) busy.set(name, 0);
          if (fails) throw new Error(`work ${index}`);
          return index;
        }),
      );
      const settled = await Promise.allSettled(results);
      expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual(
        works.map(([, , fails], index) => (fails ? `work ${index}` : index)),
      );
    }),
  );
});

test('another name does not wait', async () => {
  const inTurn = exclusive();
  let finish: () => void = () => undefined;
  const slow = inTurn(['a'], () => new Promise<void>((resolve) => (finish = resolve)));
  await expect(inTurn(['b'], async () => 'done')).resolves.toBe('done');
  finish();
  await slow;
});
