import { expect, test } from 'vitest';
import { systemWords } from '../../src/base/system-words.ts';

const failed = (code: string, message = `connect ${code} 127.0.0.1:7000`) =>
  Object.assign(new Error(message), { code });

test.each([
  [failed('ECONNREFUSED'), 'nothing listens there'],
  [failed('ECONNRESET', 'read ECONNRESET'), 'the other end cut it'],
  [failed('EWHATEVER', 'something new'), 'something new'],
  [new Error('the cable burnt'), 'the cable burnt'],
  ['a text', 'a text'],
  // A name with two addresses: the platform gives both, under no message at all.
  [new AggregateError([failed('ECONNREFUSED'), failed('ECONNREFUSED')], ''), 'nothing listens there'],
  [new AggregateError([failed('ECONNREFUSED'), failed('EHOSTUNREACH')], ''), 'nothing listens there, no route to it'],
])('%s is said as %s', (error, words) => {
  expect(systemWords(error)).toBe(words);
});
