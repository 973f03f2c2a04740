/** Requests under way, new ones, and a till that is to be opened anew: nobody waits longer than a few seconds. */
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
  /** A request that ends when it is told to, as uploads do, or never by itself. */
  const long = (isPolite: boolean) => {
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
  return { clock, gate, log, answered, long, reopen };
};

test('screens are answered while an upload holds a restart up; told to end, it lets the restart begin', async () => {
  const { clock, log, answered, long, reopen } = rig();
  const upload = long(true);
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

test('one that ends by itself in a few seconds is not cut', async () => {
  const { clock, log, long, reopen } = rig();
  const upload = long(true);
  const restart = reopen();
  await clock.advance(3_000);
  upload.finish();
  expect([await upload.code, await restart, log]).toEqual(['done', 'done', ['opened anew']]);
});

test('a request that cannot be ended puts the restart off, with words, and holds nobody', async () => {
  const { clock, log, answered, long, reopen } = rig();
  const closing = long(false);
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

test('a sale that runs when long requests would be told to end puts the restart off, and cuts nothing', async () => {
  const { clock, long, reopen, log } = rig();
  const upload = long(true);
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

test('a request that comes while the till is opened anew waits for that, and for nothing else', async () => {
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

test('at the till’s end long requests are told, and nothing new is begun', async () => {
  const { gate, long, answered } = rig();
  const upload = long(true);
  gate.shut();
  await gate.drained();
  expect(await upload.code).toBe('till.stopping');
  expect(await answered('live')).toBe('live');
  expect(await long(false).code).toBe('till.stopping');
});
