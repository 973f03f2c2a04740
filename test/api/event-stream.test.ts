/** The event stream: heartbeats, a single end whichever side ends it, and bounded memory for a slow reader. */
import { expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import type { ApiEvent, SaleNews } from '../../src/api/contract/events.ts';
import { eventStream, type SendEvent } from '../../src/api/event-stream.ts';
import { openEvents } from '../../src/app/events.ts';
import { scriptedSessions } from '../support/screens/stage.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const opened = (signal?: AbortSignal) => {
  const clock = virtualClock();
  const stopped: string[] = [];
  let send: SendEvent<unknown> = () => {};
  let end = (): void => {};
  const answer = eventStream({ clock, over: signal }, (sender, ending) => {
    send = sender;
    end = ending;
    return () => stopped.push('stopped');
  });
  const reader = answer.body?.getReader();
  const read = async (): Promise<string | undefined> => {
    const { value, done } = (await reader?.read()) ?? { done: true };
    return done === true ? undefined : new TextDecoder().decode(value);
  };
  return { clock, answer, reader, read, stopped, notify: (n: unknown) => send('sale', n), end: () => end() };
};

const firstFrame = 'retry: 500\n: alive\n\n';

test('opens at once, sends events, and a heartbeat every 20 seconds', async () => {
  const { clock, answer, read, notify } = opened();
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await read()).toBe(firstFrame);
  notify({ n: 1, text: 'two\nlines' });
  expect(await read()).toBe('event: sale\ndata: {"n":1,"text":"two\\nlines"}\n\n');
  await clock.advance(19_999);
  notify(2);
  expect(await read()).toBe('event: sale\ndata: 2\n\n');
  await clock.advance(1);
  expect(await read()).toBe(': alive\n\n');
});

test('ends after all events so far, and leaves no listeners or timers', async () => {
  const { clock, read, stopped, notify, end } = opened();
  notify(1);
  end();
  end();
  notify(2);
  expect([await read(), await read(), await read()]).toEqual([firstFrame, 'event: sale\ndata: 1\n\n', undefined]);
  expect(stopped).toEqual(['stopped']);
  expect(clock.waiting()).toBe(0);
});

test('a reader that disconnects leaves no listeners or timers', async () => {
  const { clock, reader, stopped, notify } = opened();
  await reader?.cancel();
  notify(1);
  expect(stopped).toEqual(['stopped']);
  expect(clock.waiting()).toBe(0);
});

test('a reader that does not read is disconnected', async () => {
  const { clock, reader, stopped, notify } = opened();
  for (let n = 0; n < 1_000; n += 1) notify(n);
  expect(stopped).toEqual(['stopped']);
  expect(clock.waiting()).toBe(0);
  await expect(
    (async () => {
      while ((await reader?.read())?.done === false);
    })(),
  ).rejects.toThrow('too slow');
});

test('ends when the till stops', async () => {
  const controller = new AbortController();
  const { read, stopped, notify } = opened(controller.signal);
  notify(1);
  controller.abort();
  expect([await read(), await read(), await read()]).toEqual([firstFrame, 'event: sale\ndata: 1\n\n', undefined]);
  expect(stopped).toEqual(['stopped']);
  expect(await opened(controller.signal).read()).toBe(firstFrame);
});

test('a locked session gets the event for it, and its stream ends without listeners', async () => {
  const events = openEvents(() => {});
  let end = (): void => {};
  const sessions = {
    ...scriptedSessions(),
    whenEnded(_: string, then: () => void) {
      end = then;
      return () => {};
    },
  };
  const app = localApi({ sessions, events } as unknown as ApiPorts, { hosts: () => ['till'], clock: virtualClock() });
  const answer = await app.request('http://till/api/events', { headers: { host: 'till', cookie: 'tillgate=x' } });
  const event: ApiEvent = { on: 'changed', what: 'sales' };
  events.tell(event);
  expect(events.listeners()).toBe(1);
  end();
  const text = await answer.text();
  expect(text).toContain(`event: changed\ndata: ${JSON.stringify({ ...event, replays: false, mode: 'test' })}\n\n`);
  expect(text.endsWith('event: locked\ndata: {"on":"locked","mode":"test"}\n\n')).toBe(true);
  expect(events.listeners()).toBe(0);
});

test('a program whose key was removed gets no more events', async () => {
  const events = openEvents(() => {});
  let isKnown = true;
  const pos = { program: 'POS', permissions: [], origins: [] };
  const sessions = { ...scriptedSessions(), program: () => (isKnown ? pos : undefined) };
  const app = localApi({ sessions, events } as unknown as ApiPorts, { hosts: () => ['till'], clock: virtualClock() });
  const headers = { host: 'till', authorization: 'Bearer pos-key' };
  const answer = await app.request('http://till/api/events', { headers });
  events.tell({ on: 'changed', what: 'sales' });
  isKnown = false;
  events.tell({ on: 'changed', what: 'limits' });
  const text = await answer.text();
  expect(text).toContain('"sales"');
  expect(text).not.toContain('"limits"');
  expect(events.listeners()).toBe(0);
});

test('a listener that fails does not affect the others', () => {
  const reported: unknown[] = [];
  const received: ApiEvent[] = [];
  const events = openEvents((error) => reported.push(error));
  events.listen(() => {
    throw new Error('broken');
  });
  const stop = events.listen((event) => received.push(event));
  events.tell({ on: 'locked' });
  stop();
  stop();
  events.tell({ on: 'locked' });
  expect(received).toEqual([{ on: 'locked' }]);
  expect(reported).toHaveLength(2);
});

type Number = { n: number };

/** A stream with this many past events. */
const openReplay = (past: number, signal?: AbortSignal) => {
  const clock = virtualClock();
  const stopped: string[] = [];
  let send: SendEvent<Number> = () => {};
  let end = (): void => {};
  const replay = {
    past: Array.from({ length: past }, (_, n) => ({ event: 'sale', value: { n }, id: `${n}` })),
    here: () => 'here',
  };
  const open = (sender: SendEvent<Number>, ending: () => void) => {
    send = sender;
    end = ending;
    return () => stopped.push('stopped');
  };
  const answer = eventStream<Number>({ clock, over: signal }, open, replay);
  return { clock, answer, stopped, notify: (n: number, id?: string) => send('sale', { n }, id), end: () => end() };
};

const numbersIn = (text: string): number[] => [...text.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));

test('past events are sent first, then any number of events that happened meanwhile', async () => {
  const { answer, notify, end } = openReplay(600);
  const reader = answer.body?.getReader();
  for (let n = 600; n < 1_000; n += 1) notify(n, `${n}`);
  let text = '';
  for (let read = 0; read < 1_001; read += 1) {
    const { value } = (await reader?.read()) ?? {};
    text += new TextDecoder().decode(value);
  }
  expect(numbersIn(text)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  expect(text).toContain('id: 999\nevent: sale\ndata: {"n":999}\n\n');
  notify(1_000);
  end();
  expect(numbersIn(new TextDecoder().decode((await reader?.read())?.value))).toEqual([1_000]);
  expect((await reader?.read())?.done).toBe(true);
});

test('a heartbeat has the reader’s position, once all past events were sent', async () => {
  const { answer, clock } = openReplay(2);
  const reader = answer.body?.getReader();
  const read = async () => new TextDecoder().decode((await reader?.read())?.value);
  await clock.advance(20_000);
  expect([await read(), await read(), await read(), await read()]).toEqual([
    firstFrame,
    'id: 0\nevent: sale\ndata: {"n":0}\n\n',
    'id: 1\nevent: sale\ndata: {"n":1}\n\n',
    ': alive\nid: here\n\n',
  ]);
});

test('an end in the middle loses nothing: the reader gets the numbered events when it reconnects', async () => {
  const { answer, notify, end, stopped, clock } = openReplay(2_000);
  notify(5_000, '5000');
  notify(6_000);
  end();
  const text = await answer.text();
  const numbers = numbersIn(text);
  expect(numbers.at(-1)).toBe(6_000);
  expect(numbers).not.toContain(5_000);
  expect(numbers.slice(0, -1)).toEqual(numbers.slice(0, -1).map((_, n) => n));
  expect(stopped).toEqual(['stopped']);
  expect(clock.waiting()).toBe(0);
});

test('a reader too slow for its past events is disconnected, as is one whose past events cannot be read', async () => {
  const slowReplay = openReplay(2_000);
  for (let n = 0; n < 502; n += 1) slowReplay.notify(n, `${n}`);
  expect(slowReplay.stopped).toEqual(['stopped']);
  await expect(slowReplay.answer.text()).rejects.toThrow('too slow');
  const stopped: string[] = [];
  const past = {
    *[Symbol.iterator](): Generator<{ event: string; value: Number }> {
      yield { event: 'sale', value: { n: 1 } };
      throw new Error('the disk is gone');
    },
  };
  const open = () => () => stopped.push('stopped');
  const answer = eventStream<Number>({ clock: virtualClock() }, open, { past, here: () => '' });
  await expect(answer.text()).rejects.toThrow('the disk is gone');
  expect(stopped).toEqual(['stopped']);
});

test('the position after past events is that of the start of the replay: newer events follow it', async () => {
  const events = openEvents(() => {});
  const endOf = (number: number) => ({ on: 'sale', number, id: `${number}-0`, sale: { id: `${number}` } }) as SaleNews;
  let lastNumber = 600;
  events.log = {
    here: () => ({ number: lastNumber, id: `${lastNumber}-0` }),
    since: () => Array.from({ length: 600 }, (_, number) => endOf(number)),
    isOwn: () => true,
  };
  const app = localApi({ sessions: scriptedSessions(), events } as unknown as ApiPorts, {
    hosts: () => ['till'],
    clock: virtualClock(),
  });
  const answer = await app.request('http://till/api/events?after=1-00000000', {
    headers: { host: 'till', cookie: 'tillgate=x' },
  });
  lastNumber = 700;
  events.tell(endOf(700));
  const reader = answer.body?.getReader();
  let text = '';
  while (!text.includes('id: 700-0')) text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  const ids = [...text.matchAll(/^id: (\d+)-0$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual([...Array.from({ length: 601 }, (_, number) => number), 700]);
});
