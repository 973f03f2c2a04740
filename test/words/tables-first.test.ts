/** A language's table may be the first thing that is loaded: nothing of it needs the page's other words before. */
import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
});

test.each([
  ['de', () => import('../../src/words/de/table.ts')],
  ['fr', () => import('../../src/words/fr/table.ts')],
  ['es', () => import('../../src/words/es/table.ts')],
  ['ar', () => import('../../src/words/ar/table.ts')],
] as const)('%s is loaded before English', async (_, load) => {
  const { table } = await load();
  expect(table.said.faults['till.away']?.says).not.toBe('');
});

test('the words are loaded before what is said', async () => {
  const { fill } = await import('../../src/words/fill.ts');
  expect(fill('{left} left', { left: 2 })).toBe('2 left');
});
