/** The till's mode in the local API: no answer of a test till can be taken for real money. */
import { describe, expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import { openApiOf } from '../../src/api/openapi.ts';
import type { Events } from '../../src/api/ports/events.ts';
import type { Sessions } from '../../src/api/ports/session.ts';
import type { DisplayMode } from '../../src/base/mode.ts';
import { scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';
const POS_PAGE = 'https://pos.example';
const headers = { host: HOST, authorization: 'Bearer pos-key' };
const modes: readonly DisplayMode[] = ['test', 'training', 'live'];

const approved = { receipt: 7, state: 'approved', ending: 'approved', cashier: 'POS' };

/** A till in this mode, as a program at the counter sees it. */
const tillIn = (mode: DisplayMode) => {
  const { shop, ...rest } = scriptedSessions();
  const sessions: Sessions = {
    ...rest,
    shop: () => ({ ...shop(), mode }),
    program: (key) =>
      key === 'pos-key' ? { program: 'POS', permissions: ['sell', 'refund'], origins: [POS_PAGE] } : undefined,
    isProgramOrigin: (origin) => origin === POS_PAGE,
  };
  let publish: Parameters<Events['listen']>[0] = () => {};
  const events: Events = {
    listen(one) {
      publish = one;
      return () => {};
    },
    tell: (event) => publish(event),
  };
  const selling = {
    sale: () => approved,
    isOwn: () => true,
    sales: () => ({ rows: [approved], from: 0, total: 1 }),
    holds: () => [approved],
    line: () => ({ online: true }),
    claim: () => ({ verdict: 'chargedOnce', sales: [approved] }),
  };
  const app = localApi({ sessions, selling, events, devices: {} } as unknown as ApiPorts, { hosts: () => [HOST] });
  return {
    app,
    events,
    ask: (path: string, extraHeaders: Record<string, string> = {}, init: RequestInit = {}) =>
      app.request(`http://${HOST}/api/${path}`, { ...init, headers: { ...headers, ...extraHeaders } }),
  };
};

describe.each(modes)('a till in the mode %s', (mode) => {
  test.each(['sales/7', 'sales', 'line'])('says so once in %s', async (path) => {
    const answer = await tillIn(mode).ask(path);
    expect(await answer.json()).toMatchObject({ mode });
    expect(answer.headers.get('x-tillgate-mode')).toBe(mode);
  });

  test('says so in each row of a bare list', async () => {
    expect(await (await tillIn(mode).ask('preauths')).json()).toEqual([{ ...approved, mode }]);
  });

  test('says so when a customer asks whether they were charged', async () => {
    const json = { 'content-type': 'application/json' };
    const answer = await tillIn(mode).ask('claims', json, { method: 'POST', body: '{"text":"7"}' });
    expect(await answer.json()).toMatchObject({ mode, verdict: 'chargedOnce' });
  });

  test.each([
    ['an unknown path', 'nowhere', {}, 404],
    ['an unknown key', 'sales', { authorization: 'Bearer another' }, 401],
    ['to another page', 'sales', { origin: 'https://evil.example' }, 403],
    ['a missing permission', 'today', {}, 403],
  ])('says so when it refuses: %s', async (_, path, extraHeaders, status) => {
    const answer = await tillIn(mode).ask(path, extraHeaders);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-tillgate-mode')).toBe(mode);
  });

  test('lets a program’s page read the header', async () => {
    const answer = await tillIn(mode).ask('sales/7', { origin: POS_PAGE });
    expect(answer.headers.get('access-control-expose-headers')).toBe('x-tillgate-mode, retry-after');
  });

  test('says so in each event', async () => {
    const till = tillIn(mode);
    const answer = await till.ask('events');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    till.events.tell({ on: 'changed', what: 'sales' });
    expect((await reader?.read())?.value).toContain(
      JSON.stringify({ on: 'changed', what: 'sales', replays: false, mode }),
    );
    await reader?.cancel();
  });
});

/** Answers without sales or money: these have the mode only in the header. */
const withoutMoney = [
  'DELETE /api/staff/{name}',
  'GET /api/audit',
  'GET /api/browsers',
  'GET /api/bundle',
  'GET /api/configuration/undo',
  'GET /api/devices',
  'GET /api/devices/plugged',
  'GET /api/going-live',
  'GET /api/going-live/found',
  'GET /api/machine',
  'GET /api/permissions',
  'GET /api/pos-keys',
  'GET /api/printers',
  'GET /api/receipts/{code}',
  'GET /api/session/names',
  'GET /api/staff',
  'GET /api/trace',
  'GET /api/updates',
  'POST /api/configuration/plan',
  'POST /api/configuration/undo',
  'POST /api/devices',
  'POST /api/devices/{counter}/ask',
  'POST /api/drawer',
  'POST /api/going-live/gateway',
  'POST /api/machine/compare',
  'POST /api/machine/plain-http',
  'POST /api/machine/take-over',
  'POST /api/override',
  'POST /api/pos-keys',
  'POST /api/printers',
  'POST /api/printers/{name}/test',
  'POST /api/reports/print',
  'POST /api/sales/{receipt}/print',
  'POST /api/session',
  'POST /api/session/code',
  'POST /api/staff',
  'POST /api/training',
  'PUT /api/configuration',
  'PUT /api/session/pin',
  'PUT /api/staff/{name}/pin',
];

type Schema = {
  $ref?: string;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
};
type Document = {
  paths: Record<string, Record<string, { responses: { '2XX'?: { content: Record<string, { schema: Schema }> } } }>>;
  components: { schemas: Record<string, Schema> };
};
const { paths, components } = openApiOf(tillIn('test').app, '1') as unknown as Document;

/** The mode has to be in the answer, in each row of a list, or in the shop of a session. */
const hasMode = ({ $ref, required = [], items, anyOf, properties = {} }: Schema): boolean => {
  if ($ref !== undefined) return hasMode(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  if (anyOf !== undefined) return anyOf.every(hasMode);
  if (items !== undefined) return hasMode(items);
  return required.includes('mode') || (properties['shop'] !== undefined && hasMode(properties['shop']));
};

test('every answer about sales or money has the mode, according to the document', () => {
  const silent = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses['2XX']?.content ?? {}).flatMap(([media, { schema }]) =>
        ['application/json', 'text/event-stream'].includes(media) && !hasMode(schema)
          ? [`${method.toUpperCase()} ${path}`]
          : [],
      ),
    ),
  );
  const files = ['GET /api/openapi.json', 'GET /api/configuration'];
  expect(silent.filter((key) => ![...files, 'GET /api/trace/live'].includes(key)).sort()).toEqual(withoutMoney);
});
