/** The answer to a stop over a connection that has gone silent, such as a Windows pipe whose other end was closed. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type OwnerPort, ownerApi, type StopWaiters } from '../../src/owner/api.ts';

/** Accepts writes, and never reports that they were sent. */
const silentAnswer = () =>
  Object.assign(new EventEmitter(), { closed: false, destroyed: false, writeHead() {}, write() {} });

const asked = (outgoing: EventEmitter & { closed: boolean }) => {
  const waiters: StopWaiters = new Set();
  const listening = new Set<() => void>();
  let stops = 0;
  const service: OwnerPort = {
    status: () => ({ version: '1', pid: 7, mode: 'test', address: 'x', state: 'open', underWay: 1 }),
    stop() {
      stops += 1;
    },
    api: async () => new Response(),
    listen(listener) {
      listening.add(listener);
      return () => void listening.delete(listener);
    },
  };
  const request = new Request('http://till/stop', { method: 'POST' });
  void ownerApi(service, waiters).fetch(request, { outgoing: outgoing as unknown as ServerResponse });
  return { waiters, listening, stops: () => stops };
};

/** Whether it has ended once all due callbacks have run. */
const isOver = async (work: Promise<unknown> | undefined): Promise<boolean> => {
  let isOver = false;
  void work?.then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return isOver;
};

test('the last line is waited for until the connection is gone, and no longer', async () => {
  const outgoing = silentAnswer();
  const { waiters, listening, stops } = asked(outgoing);
  const [send] = waiters;
  const last = send?.({ closed: true });
  expect([stops(), waiters.size, listening.size, await isOver(last)]).toEqual([1, 1, 1, false]);
  outgoing.closed = true;
  outgoing.emit('close');
  expect([await isOver(last), waiters.size, listening.size]).toEqual([true, 0, 0]);
});

test.each(['closed', 'destroyed'] as const)(
  'a connection that is %s already gets no line, and is not waited for',
  async (how) => {
    const outgoing = silentAnswer();
    const { waiters } = asked(outgoing);
    const [send] = waiters;
    outgoing[how] = true;
    expect(await isOver(send?.({ closed: true }))).toBe(true);
  },
);

test('of many lines that nobody reads, those that were sent leave no listener behind', async () => {
  const outgoing = silentAnswer();
  const { waiters } = asked(outgoing);
  const before = outgoing.listenerCount('close');
  outgoing.write = ((_: string, callback: () => void) => callback()) as never;
  for (const send of waiters) for (let message = 0; message < 20; message += 1) await send({ underWay: message });
  expect(outgoing.listenerCount('close')).toBe(before);
});
