/** Frequent checks cost one write a second; the problem is named, and a queue never makes a working store unready. */
import { expect, test } from 'vitest';
import { Fault } from '../../../../src/base/fault.ts';
import { openSqliteStore } from '../../../../src/gateway/database/open.ts';
import { storeReadiness } from '../../../../src/gateway/server/http/readiness.ts';
import { add, processing } from '../../../contract/store-samples.ts';
import { virtualClock } from '../../../support/time/virtual-clock.ts';

const state = (facts: Record<string, string>) => new Fault('gateway.state', facts);

test.each([
  [state({ why: 'database or disk is full', trouble: 'diskFull' }), 'The store accepts no writes: the disk is full.'],
  [state({ why: 'PostgreSQL: … (25006)', trouble: 'readOnly' }), 'The store accepts no writes: it is read-only.'],
  [state({ why: 'disk I/O error', trouble: 'diskFails' }), 'The store accepts no writes: its disk fails.'],
  [state({ why: 'no route to database.example, user shop' }), 'The store does not answer.'],
  [state({ why: 'x', trouble: 'host database.example' }), 'The store does not answer.'],
  [new TypeError('user shop'), 'The store does not answer.'],
])('%s: reports only known problems', async (storeError, reason) => {
  const tryWrite = () => Promise.reject(storeError);
  expect(await storeReadiness({ clock: virtualClock(), tryWrite })()).toBe(reason);
});

test('shares a result for a second, and becomes ready again when the store does', async () => {
  const clock = virtualClock();
  let tryCount = 0;
  let isFull = false;
  const ready = storeReadiness({
    clock,
    async tryWrite() {
      tryCount += 1;
      if (isFull) throw state({ why: 'full', trouble: 'diskFull' });
    },
  });
  expect(await Promise.all([ready(), ready(), ready()])).toEqual([undefined, undefined, undefined]);
  isFull = true;
  await clock.advance(999);
  expect([await ready(), tryCount]).toEqual([undefined, 1]);
  await clock.advance(1);
  expect([await ready(), tryCount]).toEqual(['The store accepts no writes: the disk is full.', 2]);
  isFull = false;
  await clock.advance(999);
  expect([await ready(), tryCount]).toEqual(['The store accepts no writes: the disk is full.', 2]);
  await clock.advance(1);
  expect([await ready(), tryCount]).toEqual([undefined, 3]);
});

test('asks a hanging store once, however often it is checked, and again after its answer', async () => {
  const clock = virtualClock();
  let tryCount = 0;
  let answer = () => {};
  const tryWrite = () => {
    tryCount += 1;
    return new Promise<void>((resolve) => {
      answer = resolve;
    });
  };
  const ready = storeReadiness({ clock, tryWrite, patienceMs: 2_000 });
  const first = [ready(), ready()];
  await clock.advance(1_999);
  const laterAnswer = ready();
  await clock.advance(2_000);
  const silentMessage = 'The store does not answer.';
  expect(await Promise.all([...first, laterAnswer])).toEqual([silentMessage, silentMessage, silentMessage]);
  expect(tryCount).toBe(1);
  answer();
  await clock.settle();
  expect([await ready(), tryCount]).toEqual([undefined, 1]);
  await clock.advance(1_000);
  const repeatedAnswer = ready();
  await clock.settle();
  answer();
  expect([await repeatedAnswer, tryCount]).toEqual([undefined, 2]);
  expect(clock.waiting()).toBe(0);
});

test('a trial write that waits behind other transactions succeeds once one of them is durable', async () => {
  const store = await openSqliteStore(':memory:', { group: 1 });
  const order: string[] = [];
  const checks = Array.from({ length: 50 }, (_, index) =>
    add(store, processing({ id: `p${index}` })).then(() => order.push(`p${index}`)),
  );
  await store.tryWrite().then(() => order.push('ready'));
  expect(order.length).toBeLessThan(5);
  expect(order).toContain('ready');
  await Promise.all(checks);
  await store.close();
});
