import { expect, test } from 'vitest';
import { systemErrorText } from '../../src/base/system-error-text.ts';

const failed = (code: string, message = `connect ${code} 127.0.0.1:7000`) =>
  Object.assign(new Error(message), { code });

const called = (syscall: string, code: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

test.each([
  [failed('ECONNREFUSED'), 'nothing listens there'],
  [failed('ECONNRESET', 'read ECONNRESET'), 'the other end cut it'],
  [failed('EWHATEVER', 'something new'), 'something new'],
  [new Error('the cable burnt'), 'the cable burnt'],
  ['a text', 'a text'],
  [called('connect', 'EACCES'), 'a firewall does not let this program connect'],
  [Object.assign(called('connect', 'EPERM'), { address: '10.0.0.5' }), 'a firewall does not let this program connect'],
  // A local socket has no port, and no firewall affects it.
  [
    Object.assign(called('connect', 'EPERM'), { address: '\\\\.\\pipe\\tillgate-1' }),
    'another user of this machine has it',
  ],
  [
    Object.assign(called('connect', 'EACCES'), { address: '/data/owner/till.sock' }),
    'another user of this machine has it',
  ],
  [called('connect', 'UNKNOWN'), 'the connection could not be made (UNKNOWN)'],
  [called('open', 'EACCES'), 'this user may not use it'],
  [called('listen', 'EACCES'), 'this user may not use it'],
  [called('listen', 'EADDRINUSE'), 'another program has it'],
  [called('read', 'UNKNOWN'), 'read UNKNOWN'],
  // A name with two addresses: the platform reports both, without a message.
  [new AggregateError([failed('ECONNREFUSED'), failed('ECONNREFUSED')], ''), 'nothing listens there'],
  [new AggregateError([failed('ECONNREFUSED'), failed('EHOSTUNREACH')], ''), 'nothing listens there, no route to it'],
])('%s reads: %s', (error, text) => {
  expect(systemErrorText(error)).toBe(text);
});

test('a port that the user may not listen at comes with this platform’s remedy', () => {
  const refused = Object.assign(called('listen', 'EACCES'), { port: 8443 });
  expect(systemErrorText(refused, 'win32')).toMatch(
    /Windows has reserved this port.*netsh interface ipv4 show.* 0 for/,
  );
  expect(systemErrorText(refused, 'linux')).toBe(
    'this user may not listen at this port: give one from 1024 up, or 0 for a free one',
  );
  expect(systemErrorText(new AggregateError([refused]), 'win32')).toMatch(/excludedportrange/);
});
