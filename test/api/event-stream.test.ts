/** The event stream: alive, ended by either side once, and closed before a slow reader fills the memory. */
import { expect, test } from 'vitest';
import { type Desks, localApi } from '../../src/api/app.ts';
import { eventStream, type Tell } from '../../src/api/event-stream.ts';
import type { ApiEvent } from '../../src/api/ports/events.ts';
import { openEvents } from '../../src/runtime/desk/events.ts';
import { scriptedSessions } from '../support/screens/stage.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const opened = (over?: AbortSignal) => {
  const clock = virtualClock();
  const stopped: string[] = [];
  let tell: Tell<unknown> = () => {};
  let end = (): void => {};
  const answer = eventStream({ clock, over }, (telling, ending) => {
    tell = telling;
    end = ending;
    return () => stopped.push('stopped');
  });
  const reader = answer.body?.getReader();
  const read = async (): Promise<string | undefined> => {
    const { value, done } = (await reader?.read()) ?? { done: true };
    return done === true ? undefined : new TextDecoder().decode(value);
  };
  return { clock, answer, reader, read, stopped, tell: (n: unknown) => tell('sale', n), end: () => end() };
};

test('says at once that it stands, tells, and gives a sign of life every 20 seconds', async () => {
  const { clock, answer, read, tell } = opened();
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(await read()).toBe(': alive\n\n');
  tell({ n: 1, text: 'two\nlines' });
  expect(await read()).toBe('event: sale\ndata: {"n":1,"text":"two\\nlines"}\n\n');
  await clock.advance(19_999);
  tell(2);
  expect(await read()).toBe('event: sale\ndata: 2\n\n');
  await clock.advance(1);
  expect(await read()).toBe(': alive\n\n');
});

test('its own end comes after all that was told; listening and timers are gone', async () => {
  const { clock, read, stopped, tell, end } = opened();
  tell(1);
  end();
  end();
  tell(2);
  expect([await read(), await read(), await read()]).toEqual([': alive\n\n', 'event: sale\ndata: 1\n\n', undefined]);
  expect(stopped).toEqual(['stopped']);
  expect(clock.waiting()).toBe(0);
});

test('a reader that goes away leaves nothing behind', async () => {
  const { clock, reader, stopped, tell } = opened();
  await reader?.cancel();
  tell(1);
  expect(stopped).toEqual(['stopped']);
  expect(clock.waiting()).toBe(0);
});

test('a reader that does not read is let go', async () => {
  const { clock, reader, stopped, tell } = opened();
  for (let n = 0; n < 1_000; n += 1) tell(n);
  expect(stopped).toEqual(['stopped']);
  expect(clock.waiting()).toBe(0);
  await expect(
    (async () => {
      while ((await reader?.read())?.done === false);
    })(),
  ).rejects.toThrow('too slow');
});

test('the till’s end is its end', async () => {
  const over = new AbortController();
  const { read, stopped, tell } = opened(over.signal);
  tell(1);
  over.abort();
  expect([await read(), await read(), await read()]).toEqual([': alive\n\n', 'event: sale\ndata: 1\n\n', undefined]);
  expect(stopped).toEqual(['stopped']);
  expect(await opened(over.signal).read()).toBe(': alive\n\n');
});

test('a locked session hears so, and its stream ends; nobody listens any more', async () => {
  const events = openEvents(() => {});
  let ended = (): void => {};
  const sessions = {
    ...scriptedSessions(),
    whenEnded(_: string, then: () => void) {
      ended = then;
      return () => {};
    },
  };
  const app = localApi({ sessions, events } as unknown as Desks, { hosts: () => ['till'], clock: virtualClock() });
  const answer = await app.request('http://till/api/events', { headers: { host: 'till', cookie: 'tillgate=x' } });
  const told: ApiEvent = { on: 'changed', what: 'sales' };
  events.tell(told);
  expect(events.listeners()).toBe(1);
  ended();
  const text = await answer.text();
  expect(text).toContain(`event: changed\ndata: ${JSON.stringify({ ...told, mode: 'test' })}\n\n`);
  expect(text.endsWith('event: locked\ndata: {"on":"locked","mode":"test"}\n\n')).toBe(true);
  expect(events.listeners()).toBe(0);
});

test('a program whose key was removed hears nothing more', async () => {
  const events = openEvents(() => {});
  let isKnown = true;
  const pos = { program: 'POS', permissions: [], origins: [] };
  const sessions = { ...scriptedSessions(), program: () => (isKnown ? pos : undefined) };
  const app = localApi({ sessions, events } as unknown as Desks, { hosts: () => ['till'], clock: virtualClock() });
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

test('one listener that fails hinders no other', () => {
  const reported: unknown[] = [];
  const heard: ApiEvent[] = [];
  const events = openEvents((error) => reported.push(error));
  events.listen(() => {
    throw new Error('broken');
  });
  const stop = events.listen((event) => heard.push(event));
  events.tell({ on: 'locked' });
  stop();
  stop();
  events.tell({ on: 'locked' });
  expect(heard).toEqual([{ on: 'locked' }]);
  expect(reported).toHaveLength(2);
});
