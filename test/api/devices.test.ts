/** The technician's day over the local API, at a simulated terminal: each answer, line and event is as promised. */
import { afterEach, expect, test } from 'vitest';
import { type Desks, localApi } from '../../src/api/app.ts';
import { openEvents } from '../../src/runtime/desk/events.ts';
import { type DevicesRig, devicesRig } from '../runtime/desk/devices-rig.ts';
import { againstPromise } from '../support/api-answers.ts';
import { scriptedSessions } from '../support/stage.ts';

const HOST = '127.0.0.1:8800';
let rig: DevicesRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

/** Asks, and holds what comes back against the API's document: each line of long work too. */
const served = ({ desk }: DevicesRig) => {
  const events = openEvents(() => {});
  const desks = { sessions: scriptedSessions('technician'), devices: desk, events };
  const app = localApi(desks as unknown as Desks, { hosts: () => [HOST] });
  const headers = {
    host: HOST,
    cookie: 'tillgate-8800=x',
    'x-csrf-token': 'a-word',
    'content-type': 'application/json',
  };
  const open = (method: string, path: string, body?: unknown) =>
    app.request(`http://${HOST}/api${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>[]> => {
    const answer = await open(method, path, body);
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
    const type = answer.headers.get('content-type') ?? '';
    if (!/^application\/(json|x-ndjson)/.test(type) || answer.headers.has('content-disposition')) return [];
    const told = (type.includes('ndjson') ? text.trim().split('\n') : [text]).map((one) => JSON.parse(one));
    for (const one of told)
      expect(againstPromise(method, `/api${path}`, one), path).toEqual({ key: expect.any(String), wrong: [] });
    return told;
  };
  return { ask, open, events };
};

test('met, paired, asked, diagnosed, traced, carried elsewhere and forgotten', async () => {
  rig = await devicesRig('mpi', { paired: false });
  const { address } = rig;
  const { ask } = served(rig);
  const met = await ask('POST', '/devices/meet', { address });
  expect(met.slice(0, -1).map(({ step }) => (step as { step: string }).step)).toEqual(['find', 'talk', 'name', 'test']);
  expect(met.at(-1)).toMatchObject({ result: { address, echoMs: expect.any(Array) } });
  expect((await ask('POST', '/devices/meet', { address: 'mpi+tcp://127.0.0.1:1' })).at(-1)).toMatchObject({
    problem: { code: 'terminal.notFound' },
  });
  expect(await ask('POST', '/devices', { address, terminalId: '70001234' })).toMatchObject([{ counter: 'T1' }]);
  expect(await ask('GET', '/devices')).toMatchObject([[{ counter: 'T1', address }]]);
  await ask('GET', '/devices/plugged');
  await ask('POST', '/devices/T1/ask');
  const checks = await ask('POST', '/devices/diagnosis', { address, echoes: 3 });
  expect(checks.at(-1)).toMatchObject({ result: { address, loopback: { lost: 0 } } });
  expect((await ask('POST', '/line/test')).at(-1)).toMatchObject({ result: expect.any(Array) });
  await ask('GET', '/trace');
  await ask('GET', '/bundle');
  await ask('POST', '/bundle');
  await ask('GET', '/updates');
  await ask('DELETE', '/devices/T1');
});

test('a configuration is saved, planned, brought in and undone', async () => {
  rig = await devicesRig('mpi');
  const { ask, open } = served(rig);
  const text = await (await open('GET', '/configuration')).text();
  const { configuration } = JSON.parse(text);
  const merchant = { ...configuration.merchant, name: 'Another shop' };
  const other = JSON.stringify({ ...configuration, merchant });
  expect(await ask('POST', '/configuration/plan', { text: other })).toMatchObject([
    { changes: [{ field: 'merchant.name', after: 'Another shop' }] },
  ]);
  await ask('GET', '/configuration/undo');
  await ask('PUT', '/configuration', { text: other });
  expect(await ask('GET', '/configuration/undo')).toMatchObject([{ plan: { changes: [{ field: 'merchant.name' }] } }]);
  await ask('POST', '/configuration/undo');
});

/** The first event of a stream that is no sign of life. */
const firstEvent = async (answer: Response): Promise<unknown> => {
  const reader = answer.body?.getReader();
  for (let text = ''; ; ) {
    text += new TextDecoder().decode((await reader?.read())?.value);
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (data === undefined) continue;
    await reader?.cancel();
    return JSON.parse(data);
  }
};

test('what changes and what goes over the wire is told as promised', async () => {
  rig = await devicesRig('mpi');
  const { ask, open, events } = served(rig);
  const [news, wire] = [await open('GET', '/events'), await open('GET', '/trace/live')];
  events.tell({ on: 'changed', what: 'devices' });
  const changed = await firstEvent(news);
  expect([changed, againstPromise('GET', '/api/events', changed)?.wrong]).toEqual([
    { on: 'changed', what: 'devices' },
    [],
  ]);
  const row = firstEvent(wire);
  await ask('POST', '/devices/T1/ask');
  expect(againstPromise('GET', '/api/trace/live', await row)).toEqual({ key: 'GET /api/trace/live', wrong: [] });
});
