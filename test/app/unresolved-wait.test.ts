/** A customer does not wait for the queue: unresolved sales get a moment, then the card is asked for. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pause } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { openShop, type Shop } from './shop.ts';

let clock: VirtualClock;
let shop: Shop;
beforeEach(() => {
  clock = virtualClock();
  shop = openShop(clock);
});
afterEach(() => shop.remove());

test('while a pass over stored sales hangs, the card is read at once', async () => {
  let hangs = false;
  let readAt = 0;
  const running = await shop.start({
    host: () => ({
      ...shop.host,
      async pay(parameters, key) {
        if (!hangs) return shop.host.pay(parameters, key);
        await pause(clock, 15_000);
        return { kind: 'silent', fault: new Fault('host.silent', { why: 'as told' }) };
      },
    }),
    terminals: () => ({
      get: async () => ({
        ...shop.terminal,
        read: (request, notify) => {
          readAt = clock.monotonic();
          return shop.terminal.read(request, notify);
        },
      }),
      drop: async () => {},
    }),
  });
  shop.line.up = false;
  for (let n = 0; n < 8; n++) {
    const stored = await clock.until(shop.sell(running, 100n));
    expect(stored.offline).toBe('chip');
  }
  shop.line.up = true;
  hangs = true;
  readAt = 0;
  await clock.advance(3_600_000);
  const pass = running.forwarder.drain();
  await clock.settle();
  const start = clock.monotonic();
  const sale = shop.sell(running, 100n);
  await clock.until(Promise.all([sale, pass]));
  expect(readAt - start).toBe(0);
  await clock.until(running.close());
});

test('with an unresolved sale and a silent gateway the card is read after three seconds', async () => {
  let hangs = false;
  let readAt = 0;
  const silent = { kind: 'silent', fault: new Fault('host.silent', { why: 'as told' }) } as const;
  const running = await shop.start({
    host: () => ({
      ...shop.host,
      pay: async (parameters, key) => (hangs ? silent : shop.host.pay(parameters, key)),
      async find(reference) {
        if (!hangs) return shop.host.find(reference);
        await pause(clock, 15_000);
        return silent;
      },
    }),
    terminals: () => ({
      get: async () => ({
        ...shop.terminal,
        read: (request, notify) => {
          readAt = clock.monotonic();
          return shop.terminal.read(request, notify);
        },
      }),
      drop: async () => {},
    }),
  });
  hangs = true;
  expect((await clock.until(shop.sell(running, 100n))).ending).toBe('unknown');
  const start = clock.monotonic();
  await clock.until(shop.sell(running, 100n));
  expect(readAt - start).toBe(3_000);
  await clock.until(running.close());
});
