/** A file that is uploaded as a form and read while it arrives: accepted whole, or refused. */
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { disconnectSignal, type Env } from '../../src/api/actor.ts';
import { openUploads, uploading, wholeBody } from '../../src/api/files.ts';
import { answerProblem } from '../../src/api/problems.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const app = new Hono().post('/', async (c) => {
  const { name, bytes } = await uploading(c, { clock: systemClock, gone: c.req.raw.signal });
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return c.json({ name, text: Buffer.concat(parts).toString('latin1'), pieces: parts.length });
});
app.onError((error, c) => answerProblem(error, c));

const BOUNDARY = 'x-boundary';
const head = (more = 'name="file"; filename="s.csv"'): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${more}\r\nContent-Type: text/csv\r\n\r\n`;
const tail = `\r\n--${BOUNDARY}--\r\n`;

const upload = async (text: string, step: number, headers: Record<string, string> = {}) => {
  const bytes = Buffer.from(text, 'latin1');
  let offset = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(Uint8Array.from(bytes.subarray(offset, offset + step)));
      offset += step;
    },
  });
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const response = await app.request('/', {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('the file is the same in chunks of any size', () => {
  const contents = [
    '',
    'a',
    'a;b\r\n',
    `\r\n--${BOUNDARY.slice(0, -1)}`,
    '\r\n-',
    '\r\n\r\n',
    '\u0000\u00ff--'.repeat(300),
  ];
  test.each([1, 2, 3, 7, 64, 100_000])('of %i bytes', async (step) => {
    for (const text of contents) {
      const { status, body } = await upload(head() + text + tail, step);
      expect([status, body['name'], body['text']]).toEqual([200, 's.csv', text]);
    }
  });
});

test('a form from a browser is accepted', async () => {
  const form = new FormData();
  form.append('file', new File(['a;b\n1;2\n'], 'März "1".csv', { type: 'text/csv' }));
  const response = await app.request('/', { method: 'POST', body: form });
  expect(await response.json()).toMatchObject({ name: 'März "1".csv', text: 'a;b\n1;2\n' });
});

describe('an incomplete or wrong upload is refused', () => {
  const rows: [string, string, Record<string, string>, RegExp][] = [
    ['cut short in the file', `${head()}a;b`, {}, /cut short/],
    ['cut short in the head', head().slice(0, 40), {}, /cut short/],
    ['nothing at all', '', {}, /cut short|must be a file/],
    ['another field first', `${head('name="note"')}x${tail}`, {}, /must be a file/],
    ['a file of another name', `${head('name="logo"; filename="x.png"')}x${tail}`, {}, /must be a file/],
    ['another boundary', `--y\r\nContent-Disposition: x\r\n\r\na${tail}`, {}, /multipart/],
    ['a head without an end', `--${BOUNDARY}\r\n${'x'.repeat(40_000)}`, {}, /multipart/],
    ['JSON', '{}', { 'content-type': 'application/json' }, /multipart/],
    ['too large by its header', `${head()}a${tail}`, { 'content-length': '999999999999' }, /at most 400 MB/],
  ];
  test.each(rows)('%s', async (_, text, headers, says) => {
    const { status, body } = await upload(text, 50, headers);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(says);
  });
});

describe('a body that stops in the middle', () => {
  /** A body of which this much was sent, with a function that sends more. */
  const slowUpload = (first: string) => {
    let more: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        more = controller;
        controller.enqueue(Buffer.from(first, 'latin1'));
      },
    });
    const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const request = new Request('http://till/', { method: 'POST', body, headers: type, duplex: 'half' } as RequestInit);
    return { request, send: (text: string) => more?.enqueue(Buffer.from(text, 'latin1')), end: () => more?.close() };
  };
  const rig = (of: 'file' | 'text') => {
    const clock = virtualClock();
    const ends = new AbortController();
    const till = new Hono<Env>();
    if (of === 'text') till.use(wholeBody(4_000_000, clock));
    till.post('/', async (c) => {
      if (of === 'text') return c.json({ length: (await c.req.text()).length });
      let length = 0;
      const { bytes } = await uploading(c, { clock, gone: disconnectSignal(c) });
      for await (const part of bytes) length += part.length;
      return c.json({ length });
    });
    till.onError((error, c) => answerProblem(error, c));
    const send = async (request: Request) => {
      const answer = await till.fetch(request, { ends: ends.signal });
      return { status: answer.status, body: (await answer.json()) as { length?: number; problem?: { code: string } } };
    };
    return { clock, ends, send };
  };

  test.each(['file', 'text'] as const)('is refused after ten seconds: %s', async (of) => {
    const { clock, send } = rig(of);
    const { request, send: sendMore } = slowUpload(head());
    const answer = send(request);
    for (let seconds = 0; seconds < 9; seconds++) {
      await clock.advance(1_000);
      sendMore('x');
    }
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    await clock.settle();
    expect(isAnswered).toBe(false);
    await clock.advance(1_000);
    expect(await answer).toMatchObject({ status: 408, body: { problem: { code: 'upload.stalled' } } });
    expect(clock.waiting()).toBe(0);
  });

  test('continues as long as it is fast enough', async () => {
    const { clock, send } = rig('file');
    const { request, send: sendMore, end } = slowUpload(head());
    const answer = send(request);
    for (let step = 0; step < 10; step++) {
      await clock.advance(9_000);
      sendMore('x'.repeat(16_384));
    }
    sendMore(tail);
    end();
    expect(await answer).toMatchObject({ status: 200, body: { length: 163_840 } });
    expect(clock.waiting()).toBe(0);
  });

  test.each(['file', 'text'] as const)('ends at once when the till has to restart or stop: %s', async (of) => {
    const { clock, ends, send } = rig(of);
    const answer = send(slowUpload(head()).request);
    await clock.settle();
    ends.abort(new Fault('till.reopening'));
    expect(await answer).toMatchObject({ status: 503, body: { problem: { code: 'till.reopening' } } });
    expect(clock.waiting()).toBe(0);
  });

  test('is read only up to the limit, whatever its header says', async () => {
    const { send } = rig('text');
    const large = new Request('http://till/', { method: 'POST', body: 'x'.repeat(4_000_001) });
    expect(await send(large)).toMatchObject({ status: 413 });
  });
});

test('a person or program uploads one file at a time; an upload ends when its client disconnects', () => {
  const uploads = openUploads();
  const [first, second] = [new AbortController(), new AbortController()];
  const ana = { name: 'Ana', permissions: [] };
  const program = { program: 'Ana', permissions: [] };
  const refused = expect.objectContaining({ code: 'upload.underWay' });
  const finish = uploads.begin(ana, first.signal);
  expect(() => uploads.begin(ana, second.signal)).toThrow(refused);
  uploads.begin({ name: 'Max', permissions: [] }, second.signal)();
  uploads.begin(program, second.signal)();
  first.abort();
  const doneAgain = uploads.begin(ana, second.signal);
  // The late end of the first upload does not end the second one.
  finish();
  expect(() => uploads.begin(ana, first.signal)).toThrow(refused);
  doneAgain();
  uploads.begin(ana, second.signal);
});
