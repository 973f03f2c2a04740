/** Every code of the document has a text here, and host codes are read in binary. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { knownResultCodes, resultOf, statusOf } from '../../../drivers/zvt/protocol/codes.ts';
import { problemsOf } from '../../../drivers/zvt/protocol/health.ts';

type Code = { code: string; means: string };
const file = new URL('../../vectors/zvt-codes.json', import.meta.url);
const document = JSON.parse(readFileSync(file, 'utf8')) as Record<'results' | 'intermediate' | 'status', Code[]>;

test.each(document.results)('result $code, $means, has its own text', ({ code }) => {
  expect(knownResultCodes()).toContain(code);
  expect(resultOf(code).says).not.toBe('unknown code');
});

test('no other result has the text of a documented one', () => {
  const codes = document.results.map(({ code }) => code);
  expect(knownResultCodes().filter((code) => !codes.includes(code))).toEqual([]);
});

test.each(document.intermediate)('status $code, $means, has its own text', ({ code }) => {
  expect(statusOf(code).says).not.toMatch(/^status /);
});

test.each(document.status)('state $code, $means, is a sentence', ({ code }) => {
  const says = problemsOf({ state: code });
  if (code === '00') expect(says).toEqual([]);
  else expect(says.join()).not.toContain('unknown code');
});

test.each([
  ['33', 51, 'not enough money'],
  ['36', 54, 'card expired'],
  ['37', 55, 'wrong PIN'],
  ['2B', 43, 'card stolen'],
  ['41', 65, 'PIN required or limit exceeded'],
  ['63', 99, 'by the host (99)'],
  ['51', 81, 'by the host (81)'],
])('%s in hex is the host’s %d: %s', (code, _, text) => {
  expect(resultOf(code)).toEqual({ says: expect.stringContaining(text), worth: 'declined' });
});
