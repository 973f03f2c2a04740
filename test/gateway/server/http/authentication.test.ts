import { expect, test } from 'vitest';
import type { Channel } from '../../../../src/gateway/channel.ts';
import { endpoints } from '../../../../src/gateway/server/all-endpoints.ts';
import { type Admission, createAuthenticator } from '../../../../src/gateway/server/http/authentication.ts';
import { receiveFromShopper } from '../../../../src/gateway/server/http/shopper.ts';

const entityOf = (number: number): string => number.toString(16).padStart(32, '0');
const channelOf = (number: number, extra: Partial<Channel> = {}): Channel => ({
  entityId: entityOf(number),
  token: `token-${number}`,
  ...extra,
});
const entitiesOf = (admission: Admission): string[] =>
  admission.kind === 'admitted' ? [...admission.channels.byEntityId.keys()] : [admission.kind];

test('each of 20,000 tokens, and of as many passwords, gives access to its own channel and no other', () => {
  // Comparing each with all in constant time would take 800 million comparisons, far beyond the test's time limit.
  const numbers = Array.from({ length: 20_000 }, (_, number) => number);
  const legacyOf = (number: number) => ({ userId: `user-${number % 7}`, password: `password-${number}` });
  const door = createAuthenticator(numbers.map((number) => channelOf(number, { legacy: legacyOf(number) })));
  const wrongNumbers = numbers.filter((number) => {
    const { userId, password } = legacyOf(number);
    const openedEntities = [
      ...entitiesOf(door.admit(`Bearer token-${number}`)),
      ...entitiesOf(door.admitLegacy(userId, password)),
    ];
    return openedEntities.length !== 2 || openedEntities.some((entityId) => entityId !== entityOf(number));
  });
  expect(wrongNumbers).toEqual([]);
});

test('a token shared by several channels gives access to all, the first configured one first', () => {
  const sharedToken = { token: 'shared' };
  const channels = [
    channelOf(1),
    channelOf(2, sharedToken),
    channelOf(3, sharedToken),
    channelOf(2, { token: 'newer' }),
  ];
  const door = createAuthenticator(channels);
  expect(entitiesOf(door.admit('Bearer shared'))).toEqual([entityOf(2), entityOf(3)]);
  expect(door.admit('Bearer shared')).toMatchObject({ channels: { first: channels[1] } });
  // A channel may change its token while the old one is still in use.
  expect(entitiesOf(door.admit('Bearer newer'))).toEqual([entityOf(2)]);
});

test('a token gives no access as a password, nor the other way round', () => {
  const legacy = { userId: 'user', password: 'password' };
  const door = createAuthenticator([channelOf(1, { legacy }), channelOf(2, { token: '["user","password"]' })]);
  expect(entitiesOf(door.admit('Bearer ["user","password"]'))).toEqual([entityOf(2)]);
  expect(entitiesOf(door.admitLegacy('user', 'password'))).toEqual([entityOf(1)]);
  expect(entitiesOf(door.admitLegacy('user","', 'password'))).toEqual(['unknown']);
});

test.each<[string, string | null, Admission['kind']]>([
  ['no header', null, 'malformed'],
  ['another scheme', 'Basic dXNlcjpwYXNzd29yZA==', 'malformed'],
  ['no token', 'Bearer ', 'malformed'],
  ['blanks around the token', 'bearer   token-1  ', 'admitted'],
  ['a part of a token', 'Bearer token-', 'unknown'],
  ['a token in capitals', 'Bearer TOKEN-1', 'unknown'],
])('%s', (_, header, kind) => {
  expect(createAuthenticator([channelOf(1)]).admit(header).kind).toBe(kind);
});

test('user and password must both be sent, and a gateway without any ignores them', () => {
  const legacy = { userId: 'user', password: 'password' };
  const door = createAuthenticator([channelOf(1, { legacy })]);
  expect(door.takesLegacy).toBe(true);
  expect(door.admitLegacy('user', undefined).kind).toBe('malformed');
  expect(createAuthenticator([channelOf(1)])).toMatchObject({ takesLegacy: false });
});

test('a shopper’s request may have either token of the checkout’s channel while it changes', async () => {
  const channels = [channelOf(1), channelOf(1, { token: 'newer' }), channelOf(2)];
  const endpoint = endpoints.find(({ operation }) => operation.access === 'checkout' && operation.method === 'POST');
  if (endpoint === undefined) throw new Error('no endpoint is open to shoppers');
  const channelWithToken = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const request = new Request('http://gateway.test/', { method: 'POST', headers, body: 'a=b' });
    const received = await receiveFromShopper(createAuthenticator(channels), { endpoint, request, owner: channels[0] });
    return received.channel?.token;
  };
  expect(await channelWithToken('token-1')).toBe('token-1');
  expect(await channelWithToken('newer')).toBe('token-1');
  expect(await channelWithToken('token-2')).toBeUndefined();
});
