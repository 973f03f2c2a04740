/** The addresses of a name are checked before each connection, and a refused one proves that no byte was sent. */
import type { LookupAddress, lookup } from 'node:dns';
import { expect, test } from 'vitest';
import { createRestrictedLookup, unsentReason } from '../../../src/gateway/client/failed-call.ts';

const finding = (addresses: readonly string[], error: Error | null = null) =>
  ((_name: string, _options: object, done: (error: Error | null, found: LookupAddress[]) => void) =>
    done(
      error,
      addresses.map((address) => ({ address, family: 4 })),
    )) as unknown as typeof lookup;

const lookUp = (find: typeof lookup, all: boolean) =>
  new Promise<unknown>((resolve) => {
    createRestrictedLookup((address) => address.startsWith('10.'), find)('gw.lan', { all }, (error, found, family) =>
      resolve(error ?? [found, family]),
    );
  });

test('a name with allowed addresses is resolved as by the platform', async () => {
  const bothAddresses = ['10.0.0.5', '10.0.0.6'].map((address) => ({ address, family: 4 }));
  expect(await lookUp(finding(['10.0.0.5', '10.0.0.6']), true)).toEqual([bothAddresses, undefined]);
  expect(await lookUp(finding(['10.0.0.5', '10.0.0.6']), false)).toEqual(['10.0.0.5', 4]);
});

test('one forbidden address is enough, and proves that nothing was sent', async () => {
  const error = await lookUp(finding(['10.0.0.5', '8.8.8.8']), true);
  expect(unsentReason(new TypeError('fetch failed', { cause: error }))).toBe(
    'gw.lan is at 8.8.8.8 now, where plain http is not allowed',
  );
});

test('an unknown name stays unknown', async () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
  expect(await lookUp(finding([], unknown), true)).toBe(unknown);
});
