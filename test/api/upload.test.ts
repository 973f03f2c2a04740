/** A file that is uploaded as a form, read while it comes: whole, or refused. */
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { answerProblem } from '../../src/api/problems.ts';
import { uploading } from '../../src/api/upload.ts';

const app = new Hono().post('/', async (c) => {
  const { name, bytes } = await uploading(c);
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return c.json({ name, text: Buffer.concat(parts).toString('latin1'), pieces: parts.length });
});
app.onError((error, c) => answerProblem(error, c));

const BOUNDARY = 'x-boundary';
const head = (more = 'name="file"; filename="s.csv"'): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${more}\r\nContent-Type: text/csv\r\n\r\n`;
const tail = `\r\n--${BOUNDARY}--\r\n`;

const sent = async (text: string, step: number, headers: Record<string, string> = {}) => {
  const bytes = Buffer.from(text, 'latin1');
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(Uint8Array.from(bytes.subarray(at, at + step)));
      at += step;
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

describe('in pieces of any size the file is the same', () => {
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
      const { status, body } = await sent(head() + text + tail, step);
      expect([status, body['name'], body['text']]).toEqual([200, 's.csv', text]);
    }
  });
});

test('a form as a browser makes it', async () => {
  const form = new FormData();
  form.append('file', new File(['a;b\n1;2\n'], 'März "1".csv', { type: 'text/csv' }));
  const response = await app.request('/', { method: 'POST', body: form });
  expect(await response.json()).toMatchObject({ name: 'März "1".csv', text: 'a;b\n1;2\n' });
});

describe('what is no whole file is refused', () => {
  const rows: [string, string, Record<string, string>, RegExp][] = [
    ['cut short in the file', `${head()}a;b`, {}, /cut short/],
    ['cut short in the head', head().slice(0, 40), {}, /cut short/],
    ['nothing at all', '', {}, /cut short|must be a file/],
    ['another field first', `${head('name="note"')}x${tail}`, {}, /must be a file/],
    ['a file of another name', `${head('name="logo"; filename="x.png"')}x${tail}`, {}, /must be a file/],
    ['another boundary', `--y\r\nContent-Disposition: x\r\n\r\na${tail}`, {}, /multipart/],
    ['a head without an end', `--${BOUNDARY}\r\n${'x'.repeat(40_000)}`, {}, /multipart/],
    ['JSON', '{}', { 'content-type': 'application/json' }, /multipart/],
    ['too large by its own word', `${head()}a${tail}`, { 'content-length': '999999999999' }, /larger than/],
  ];
  test.each(rows)('%s', async (_, text, headers, says) => {
    const { status, body } = await sent(text, 50, headers);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(says);
  });
});
