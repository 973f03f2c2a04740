/** Printers and paper over the local API: each answer is as promised, and each form of a receipt has its media type. */
import { afterEach, expect, test } from 'vitest';
import answered from '../../src/api/answers.json' with { type: 'json' };
import { type Desks, localApi } from '../../src/api/app.ts';
import { openApiOf } from '../../src/api/openapi.ts';
import { bar, paperRig } from '../runtime/desk/paper-rig.ts';
import { againstPromise } from '../support/api-answers.ts';
import { scriptedSessions } from '../support/stage.ts';

const HOST = '127.0.0.1:8800';
type Rig = Awaited<ReturnType<typeof paperRig>>;
let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const served = ({ desk, events, clock }: Rig) => {
  const desks = { sessions: scriptedSessions('technician'), paper: desk, events };
  const app = localApi(desks as unknown as Desks, { hosts: () => [HOST] });
  const headers = {
    host: HOST,
    cookie: 'tillgate-8800=x',
    'x-csrf-token': 'a-word',
    'content-type': 'application/json',
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await clock.until(Promise.resolve(app.request(`http://${HOST}/api${path}`, sent)));
    expect(answer.ok, path).toBe(true);
    const type = answer.headers.get('content-type') ?? '';
    const told = type.includes('json') ? await answer.json() : undefined;
    if (told !== undefined)
      expect(againstPromise(method, `/api${path}`, told), path).toEqual({ key: expect.any(String), wrong: [] });
    return { type, told };
  };
  return { app, ask };
};

test('a printer is added, tried, printed to, and forgotten', async () => {
  rig = await paperRig({ printers: [] });
  const { ask } = served(rig);
  expect((await ask('POST', '/printers', bar)).told).toMatchObject({ name: 'Bar' });
  await ask('GET', '/printers');
  await ask('POST', '/printers/Bar/test');
  const { receipt } = await rig.sold();
  await ask('POST', `/sales/${receipt}/print`, { copy: 'customer', width: 80 });
  await ask('POST', '/reports/print', { lines: ['A LINE'] });
  await ask('DELETE', '/printers/Bar');
});

test('each form of a receipt has a media type that the document names', async () => {
  rig = await paperRig();
  const { app, ask } = served(rig);
  const { paths } = openApiOf(app, '1', answered) as unknown as {
    paths: Record<string, { get: { responses: { '2XX': { content: Record<string, unknown> } } } }>;
  };
  const named = paths['/api/sales/{receipt}/receipt']?.get.responses['2XX'].content ?? {};
  const { receipt } = await rig.sold();
  const given = new Set<string>();
  for (const form of ['text', 'svg', 'pdf', 'escpos', 'receiptline', 'email'])
    given.add((await ask('GET', `/sales/${receipt}/receipt?form=${form}`)).type.split(';')[0] ?? '');
  expect([...given].sort()).toEqual(Object.keys(named).sort());
});
