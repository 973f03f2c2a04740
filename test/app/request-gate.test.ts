/** Requests in progress, new requests, and a till that must be reopened: nobody waits longer than a few seconds. */
import { expect, test } from 'vitest';
import { openRequestGate } from '../../src/app/request-gate.ts';
import { isFault } from '../../src/base/fault.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const GET = new Request('http://till/api/today');
const POST = new Request('http://till/api/sales', { method: 'POST' });

const rig = () => {
  const clock = virtualClock();
  const gate = openRequestGate(clock);
  const log: string[] = [];
  const answered = (name: string) => gate.run(GET, () => new Response(name)).then((one) => one.text());
  /** A request that ends when told to, as uploads do, or never. */
  const startLongRequest = (isPolite: boolean) => {
    const done = Promise.withResolvers<Response>();
    const answer = gate.run(POST, (ends) => {
      if (isPolite) ends.addEventListener('abort', () => done.reject(ends.reason));
      return done.promise;
    });
    const code = answer.then(
      () => 'done',
      (error: unknown) => (isFault(error) ? error.code : 'other'),
    );
    return { code, finish: () => done.resolve(new Response()) };
  };
  const reopen = (check = (): void => {}) =>
    gate
      .whenIdle({
        check,
        async work() {
          log.push('opened anew');
        },
      })
      .then(
        () => 'done',
        (error: unknown) => (isFault(error) ? error.code : 'other'),
      );
  return { clock, gate, log, answered, long: startLongRequest, reopen };
};

test('screens are answered while an upload delays a restart; told to end, it lets the restart begin', async () => {
  const { clock, log, answered, long: startLongRequest, reopen } = rig();
  const upload = startLongRequest(true);
  const restart = reopen();
  await clock.settle();
  expect(await answered('today')).toBe('today');
  await clock.advance(4_000);
  expect(await answered('today')).toBe('today');
  expect(log).toEqual([]);
  await clock.advance(2_000);
  expect([await upload.code, await restart, log]).toEqual(['till.reopening', 'done', ['opened anew']]);
  expect(await answered('today')).toBe('today');
  expect(clock.waiting()).toBe(0);
});

test('a request that ends by itself within a few seconds is not interrupted', async () => {
  const { clock, log, long: startLongRequest, reopen } = rig();
  const upload = startLongRequest(true);
  const restart = reopen();
  await clock.advance(3_000);
  upload.finish();
  expect([await upload.code, await restart, log]).toEqual(['done', 'done', ['opened anew']]);
});

test('a request that cannot be interrupted postpones the restart with a message, and holds up nobody', async () => {
  const { clock, log, answered, long: startLongRequest, reopen } = rig();
  const closing = startLongRequest(false);
  const restart = reopen();
  let isOver = false;
  void restart.then(() => {
    isOver = true;
  });
  for (let passed = 0; passed < 20 && !isOver; passed++) {
    expect(await answered('today')).toBe('today');
    await clock.advance(1_000);
  }
  expect([await restart, log]).toEqual(['till.occupied', []]);
  closing.finish();
  expect(await closing.code).toBe('done');
  expect([await reopen(), log]).toEqual(['done', ['opened anew']]);
  expect(clock.waiting()).toBe(0);
});

test('a sale that begins before requests are told to end postpones the restart and interrupts nothing', async () => {
  const { clock, long: startLongRequest, reopen, log } = rig();
  const upload = startLongRequest(true);
  let isSelling = false;
  const restart = reopen(() => {
    if (isSelling) throw new Error('a sale is under way');
  });
  await clock.advance(1_000);
  isSelling = true;
  await clock.advance(5_000);
  expect([await restart, log]).toEqual(['other', []]);
  upload.finish();
  expect(await upload.code).toBe('done');
});

test('a request during a reopening waits for that and for nothing else', async () => {
  const { clock, gate, answered } = rig();
  const opened = Promise.withResolvers<void>();
  const restart = gate.whenIdle({ check() {}, work: () => opened.promise });
  await clock.settle();
  let isAnswered = false;
  const waiting = answered('sales').then(() => {
    isAnswered = true;
  });
  await clock.settle();
  expect(isAnswered).toBe(false);
  opened.resolve();
  await Promise.all([restart, waiting]);
});

test('when the till stops long requests are told to end, and nothing new begins', async () => {
  const { gate, long: startLongRequest, answered } = rig();
  const upload = startLongRequest(true);
  gate.shut();
  await gate.drained();
  expect(await upload.code).toBe('till.stopping');
  expect(await answered('live')).toBe('live');
  expect(await startLongRequest(false).code).toBe('till.stopping');
});
