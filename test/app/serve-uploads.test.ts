/** Uploads to a served till: they end with their connection, and delay neither screens nor a restart. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { servedHeaders } from '../support/servers/visitor.ts';

let folder: string;
let served: ServedTill;
let headers: Record<string, string>;

/** A hundred times as fast, so that the waits of a restart pass in milliseconds. */
const fast: Clock = {
  now: systemClock.now,
  monotonic: () => systemClock.monotonic() * 100,
  after: (ms, callback) => systemClock.after(ms / 100, callback),
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'uploads-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>till</title>');
  served = await serveTill({
    ...{
      dataDir: join(folder, 'data'),
      at: { port: 0 },
      version: '1',
      page: folder,
      answerCheck,
      services: tillServices,
    },
    ...{ open: openSqlUnsynced, clock: fast },
  });
  const { 'content-type': _, ...session } = await servedHeaders(served);
  headers = session;
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const waitUntil = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};
const uploadCount = (): number =>
  readdirSync(join(folder, 'data')).filter((name) => name.startsWith('settlement-')).length;

/** Begins an upload and sends only its first bytes. */
const beginUpload = async (): Promise<{ socket: Socket; received(): string }> => {
  const { host, port } = new URL(served.address);
  const socket = connect(Number(port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.on('error', () => {});
  const lines = Object.entries({ ...headers, host, 'content-type': 'multipart/form-data; boundary=x' });
  socket.write(
    `POST /api/reconciliations HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}` +
      'content-length: 100000\r\n\r\n' +
      '--x\r\nContent-Disposition: form-data; name="file"; filename="s.csv"\r\n\r\nMerchantId;',
  );
  await waitUntil(() => uploadCount() > 0 || received !== '');
  return { socket, received: () => received };
};
const restarted = async (): Promise<string> => {
  let code = '';
  void served.restart().then(
    () => {
      code = 'done';
    },
    (error: { code: string }) => {
      code = error.code;
    },
  );
  // Screens are answered meanwhile.
  while (code === '') expect((await fetch(`${served.address}api/counters`, { headers })).status).toBe(200);
  return code;
};

test('a broken connection ends its upload: nothing is stored, and the sender can begin again', async () => {
  const { socket, received } = await beginUpload();
  expect(received()).toBe('');
  const form = new FormData();
  form.append('file', new File(['a'], 's.csv'));
  const send = async () => {
    const answer = await fetch(`${served.address}api/reconciliations`, {
      method: 'POST',
      body: form,
      headers,
    });
    return { status: answer.status, ...((await answer.json()) as { problem: { code: string } }) };
  };
  expect(await send()).toMatchObject({ status: 409, problem: { code: 'upload.underWay' } });
  socket.resetAndDestroy();
  await waitUntil(() => uploadCount() === 0);
  expect(await send()).toMatchObject({ status: 422, problem: { code: 'settlement.unreadable' } });
  expect(await restarted()).toBe('done');
});

test('an endless upload is told to end by a restart, while screens are answered and notified', async () => {
  const { socket, received } = await beginUpload();
  const stream = await fetch(`${served.address}api/events`, { headers });
  const reader = stream.body?.getReader();
  expect(await restarted()).toBe('done');
  let text = '';
  while (!text.includes('"devices"')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
  await reader?.cancel();
  await waitUntil(() => received().includes('till.reopening'));
  expect(received()).toMatch(/^HTTP\/1\.1 503 /);
  expect(uploadCount()).toBe(0);
  socket.destroy();
});

test('an endless upload does not delay stopping the till', async () => {
  const { socket, received } = await beginUpload();
  expect(received()).toBe('');
  await served.close();
  expect(uploadCount()).toBe(0);
  socket.destroy();
});
