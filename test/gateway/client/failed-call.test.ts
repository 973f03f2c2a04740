/** What a failed call proves: that no byte of the request was sent, or nothing. */
import { expect, test } from 'vitest';
import { gatewayClient } from '../../../src/gateway/client/client.ts';
import { entityId, token } from '../../support/gateway/gateway.ts';
import { connecting, systemError } from '../../support/gateway/system-error.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const outcomeAfter = (cause: unknown) => {
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const clientOptions = { baseUrl: 'http://gateway.test/', entityId, token, clock: virtualClock(), timeoutMs: 1000 };
  return gatewayClient({ fetch, ...clientOptions }).post('x', {});
};

test.each<[string, Error, string | RegExp]>([
  ['a closed port', connecting('ECONNREFUSED'), 'nothing listens there'],
  ['a firewall', connecting('EACCES'), 'a firewall does not let this program connect'],
  ['a firewall of Linux', connecting('EPERM'), 'a firewall does not let this program connect'],
  ['a network that is down', connecting('ENETDOWN'), 'the network of this machine is down'],
  ['no free local port', connecting('EADDRNOTAVAIL'), 'this machine has no address or port to connect from'],
  // A driver's error without a name in libuv, as Node reports it on Windows.
  ['an error that Windows has no name for', connecting('UNKNOWN'), 'the connection could not be made (UNKNOWN)'],
  [
    'an error without a code',
    Object.assign(new Error(''), { syscall: 'connect' }),
    /^the connection could not be made/,
  ],
  ['a connection reset while connecting', connecting('ECONNRESET'), 'the other end cut it'],
  ['too many open files', connecting('EMFILE'), 'the connection could not be made (EMFILE)'],
  ['an unknown name', systemError('ENOTFOUND', 'getaddrinfo'), 'the name is not known'],
  ['a broken name server', systemError('EAI_FAIL', 'getaddrinfo'), 'the name server could not answer'],
  ['a failing name lookup', systemError('EAI_MEMORY', 'getaddrinfo'), 'its name could not be looked up (EAI_MEMORY)'],
  [
    'undici’s timeout with several addresses',
    Object.assign(systemError('UND_ERR_CONNECT_TIMEOUT'), {
      cause: new AggregateError([connecting('ETIMEDOUT'), connecting('EACCES')]),
    }),
    'it did not answer the connection, a firewall does not let this program connect',
  ],
  ['an unreachable name server', systemError('EAI_AGAIN', 'getaddrinfo'), 'the name is not known'],
  ['an unreachable address', connecting('EHOSTUNREACH'), 'no route to it'],
  ['an unreachable network', connecting('ENETUNREACH'), 'no route to it'],
  ['a handshake without an answer', connecting('ETIMEDOUT'), 'it did not answer the connection'],
  ['undici’s connect timeout', systemError('UND_ERR_CONNECT_TIMEOUT'), 'it did not answer the connection'],
  ['a forbidden port', new Error('bad port'), 'requests to this port are not allowed (bad port)'],
  [
    'every address of a name',
    new AggregateError([connecting('ENETUNREACH'), connecting('ECONNREFUSED'), connecting('ECONNREFUSED')], ''),
    'no route to it, nothing listens there',
  ],
])('%s proves that nothing was sent', async (_, cause, reason) => {
  const outcome = await outcomeAfter(cause);
  const output = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  expect(outcome).toMatchObject({ kind: 'notSent', fault: { code: 'host.unreachable', facts: { why: output } } });
});

const codesOfLines = [
  ...['EACCES', 'EPERM', 'ENETDOWN', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ECONNREFUSED', 'ECONNRESET'],
  ...['ETIMEDOUT', 'ENOTCONN', 'ECONNABORTED', 'EPIPE', 'ENOBUFS', 'UNKNOWN'],
];

test.each<[string, string | undefined]>(
  codesOfLines.flatMap((code) => (['read', 'write', undefined] as const).map((call) => [code, call])),
)('%s of %s proves nothing, alone or beside an unreachable address', async (code, syscall) => {
  const cause = systemError(code, syscall);
  for (const systemError of [cause, new AggregateError([connecting('EACCES'), cause])]) {
    expect(await outcomeAfter(systemError)).toMatchObject({ kind: 'silent', fault: { code: 'host.silent' } });
  }
});

test.each<[string, unknown, string]>([
  ['read ECONNREFUSED', systemError('ECONNREFUSED', 'read'), 'read ECONNREFUSED'],
  ['read EHOSTUNREACH', systemError('EHOSTUNREACH', 'read'), 'read EHOSTUNREACH'],
  ['write ENETUNREACH', systemError('ENETUNREACH', 'write'), 'write ENETUNREACH'],
  ['read ETIMEDOUT', systemError('ETIMEDOUT', 'read'), 'read ETIMEDOUT'],
  ['a code of unknown origin', systemError('ECONNREFUSED'), 'ECONNREFUSED'],
  [
    'one address of two',
    new AggregateError([connecting('ECONNREFUSED'), systemError('EHOSTUNREACH', 'read')]),
    'connect ECONNREFUSED, read EHOSTUNREACH',
  ],
  ['no address at all', new AggregateError([]), 'no reason was given'],
  ['nothing', undefined, 'no reason was given'],
  ['an error without a message', new Error(''), 'no reason was given'],
  ['an error that only has a code', Object.assign(new Error(''), { code: 'EPIPE' }), 'EPIPE'],
  ['a message with a card number', new Error('at 4200000000000000'), 'at 420000******0000'],
])('%s proves nothing', async (_, cause, reason) => {
  expect(await outcomeAfter(cause)).toMatchObject({
    kind: 'silent',
    fault: { code: 'host.silent', facts: { why: reason } },
  });
});
