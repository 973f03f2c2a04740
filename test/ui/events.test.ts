/** The page's event stream at a till that cuts it, refuses it and comes back: from which event on it is requested. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventSource as NodeEventSource } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { listen, openEvents } from '../../src/ui/events.ts';

/** The till's reaction to a request for the stream: refuses it, holds it open, or sends these ids and cuts it. */
type Turn = 'refuse' | 'hold' | readonly string[];

/** As the till begins the stream, except that the browser comes back at once. */
const BEGIN = 'retry: 1\n\n';
const frame = (id: string): string => `id: ${id}\nevent: changed\ndata: {"on":"changed","what":"${id}"}\n\n`;

/** For a busy machine. */
const within = { timeout: 20_000 };

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/**
 * A page at a till that reacts in these ways, and refuses everything afterwards. `requests`: the event from which each
 * request continues, according to the browser's header and the page's address. `states`: what the page was told about
 * its connection.
 */
const pageAt = async (turns: readonly Turn[]) => {
  const requests: string[] = [];
  const states: boolean[] = [];
  const received: unknown[] = [];
  let leftCount = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const after = new URL(request.url ?? '', 'http://till').searchParams.get('after') ?? '';
    requests.push(`${request.headers['last-event-id'] ?? ''}/${after}`);
    const turn = turns[requests.length - 1] ?? 'refuse';
    if (turn === 'refuse') return void response.writeHead(503).end();
    response.once('close', () => {
      leftCount += 1;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (turn === 'hold') response.write(BEGIN);
    else response.end(BEGIN + turn.map(frame).join(''));
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const till = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // In Node there is no page for an address to be relative to.
  class EventSource extends NodeEventSource {
    constructor(path: string) {
      super(new URL(path, till));
    }
  }
  Object.assign(globalThis, { EventSource });
  const unlisten = listen((event) => received.push('what' in event && event.what));
  const close = openEvents((isOpen) => states.push(isOpen), 1);
  ends.push(close, unlisten, () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { requests, stands: states, received, left: () => leftCount, close };
};

const rows: readonly {
  says: string;
  turns: readonly Turn[];
  requests: readonly string[];
  states: readonly boolean[];
}[] = [
  {
    says: 'a cut stream is reopened by the browser, which names the last event itself',
    turns: [['a', 'b'], ['c'], 'hold'],
    requests: ['/', 'b/', 'c/'],
    states: [true, false, true, false, true],
  },
  {
    says: 'when the browser gives up, the page requests what came after the last event',
    turns: [['a', 'b'], 'refuse', ['c'], 'hold'],
    requests: ['/', 'b/', '/b', 'c/b'],
    states: [true, false, false, true, false, true],
  },
  {
    says: 'a page that has received nothing yet does not request missed events',
    turns: ['refuse', 'hold'],
    requests: ['/', '/'],
    states: [false, true],
  },
  {
    says: 'refused three times in a row, the page continues from now: missed events are not repeated',
    turns: [['a'], 'refuse', 'refuse', 'refuse', 'hold'],
    requests: ['/', 'a/', '/a', '/a', '/'],
    states: [true, false, false, false, false, true],
  },
  {
    says: 'a stream that was open in between resets that count',
    turns: [['a'], 'refuse', 'refuse', [], 'refuse', 'refuse', 'hold'],
    requests: ['/', 'a/', '/a', '/a', '/a', '/a', '/a'],
    states: [true, false, false, false, true, false, false, false, true],
  },
];

test.each(rows)('$says', async ({ turns, requests, states }) => {
  const page = await pageAt(turns);
  await expect.poll(() => page.stands, within).toEqual(states);
  expect(page.requests).toEqual(requests);
  expect(page.received).toEqual(turns.flatMap((turn) => (typeof turn === 'string' ? [] : turn)));
});

test('a page that is left closes its connection', async () => {
  const page = await pageAt(['hold']);
  await expect.poll(() => page.stands, within).toEqual([true]);
  page.close();
  await expect.poll(page.left, within).toBe(1);
  expect(page.requests).toHaveLength(1);
});
