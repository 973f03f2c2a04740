/** What a running till starts by itself, depending on where its folder belongs. */
import { expect, test } from 'vitest';
import { startBackground } from '../../src/app/sending.ts';
import type { Binding } from '../../src/folder/till-machine.ts';

const begunBy = (binding: Binding): string[] => {
  const begun: string[] = [];
  const note = (what: string) => () => void begun.push(what);
  const comparison = {
    state: () => ({ state: 'compared' as const }),
    async look() {
      begun.push('compared');
      return { state: 'compared' as const };
    },
    find: async () => undefined,
    changed: () => {},
  };
  startBackground({
    sender: { start: note('sender'), wake: note('woken') },
    takenOver: { start: note('foreign') },
    resolver: { wake: note('resolver') },
    agreement: { runInBackground: note('agreement') },
    line: {
      onChange(listener) {
        listener({ online: true, since: 0 });
        return () => {};
      },
    },
    place: { binding, comparison },
  });
  return begun;
};

test.each(['here', 'unbound'] as const)('%s: the till is compared first, and when the line is back', (binding) => {
  expect(begunBy(binding)).toEqual(['compared', 'sender', 'foreign', 'resolver', 'agreement', 'compared', 'woken']);
});

test('a till that is elsewhere asks nobody and sends nothing', () => expect(begunBy('elsewhere')).toEqual([]));
