/** The rule about nightly tests can fail. */
import { expect, test } from 'vitest';
import { unlistedNightTests } from './night.ts';

const day = { path: 'test/a/kill.test.ts', text: "test('', () => {});" };
const night = {
  path: 'test/a/kill.nightly.test.ts',
  text: '/**\n * Long. By day:\n * `test/a/kill.test.ts` notices. */',
};
const widerTest = { path: 'test/b/cut.ts', text: 'const every = byNight({ day: 9, night: 1 });' };

test('accepts a nightly test that is in the list and has an existing daytime test', () => {
  expect(unlistedNightTests([day, night, widerTest], 'in `test/a/kill.nightly.test.ts` and below `test/b/`')).toEqual(
    [],
  );
});

test.each([
  ['without a row in the list', [day, night], 'in `test/b`', ['test/a/kill.nightly.test.ts: name it']],
  ['wider without a row', [widerTest], '', ['test/b/cut.ts: name it']],
  ['noticed by a test that was removed', [night], '`test/a`', ['test/a/kill.nightly.test.ts:1: say "By day']],
  ['noticed by no test', [day, { ...night, text: '/** Long. */' }], '`test/a`', ['test/a/kill.nightly.test.ts:1: say']],
])('%s', (_, texts, list, complaints) => {
  expect(unlistedNightTests(texts, list)).toEqual(complaints.map((text) => expect.stringContaining(text)));
});
