/** The OpenAPI document and the routes describe the same operations. */
import { expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import { keyOf, openApiOf, operationsOf } from '../../src/api/openapi.ts';
import { openApiWords } from '../../src/api/openapi-words.ts';
import { scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';
const app = localApi({ sessions: scriptedSessions() } as unknown as ApiPorts, { hosts: () => [HOST] });
const operations = operationsOf(app);

type Described = {
  operationId: string;
  summary: string;
  description?: string;
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown>; required: string[] } }> };
  responses: Record<string, unknown>;
};
type Document = { openapi: string; paths: Record<string, Record<string, Described>> };
const document = openApiOf(app, '1.2.3') as unknown as Document;

test('every route has a summary, and every summary has a route', () => {
  expect(operations.map(keyOf).sort()).toEqual(Object.keys(openApiWords).sort());
});

test('every route is in the document, and nothing else', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(operations.map(keyOf).sort());
});

test('each operation has a unique name, and all parameters of its path', () => {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(all.length);
  for (const { path, operation } of all) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

test('a sale is described as its route validates it', () => {
  const sale = document.paths['/api/sales']?.['post'];
  const schema = sale?.requestBody?.content['application/json']?.schema;
  expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(['amount', 'tip', 'counter', 'bill']));
  expect(schema?.required).toEqual(['amount']);
  expect(sale?.parameters).toContainEqual(
    expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: true }),
  );
});

test('answers are described, each reference exists, and a sale has its phase and result', () => {
  const { components, paths } = openApiOf(app, '1') as unknown as {
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
    paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, unknown> }> }>>;
  };
  const names = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
  expect([...new Set(names)].filter((name) => components.schemas[name ?? ''] === undefined)).toEqual([]);
  expect(JSON.stringify(document)).not.toMatch(/#\/(definitions|\$defs)\//);
  expect(paths['/api/sales']?.['post']?.responses['2XX']?.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/LiveSale' } },
  });
  expect(Object.keys(components.schemas['LiveSale']?.properties ?? {})).toEqual(
    expect.arrayContaining(['phase', 'result', 'receipt']),
  );
});

test('every operation describes its answer, except these, which have none', () => {
  const silent = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => ('204' in responses ? [`${method} ${path}`] : [])),
  );
  expect(silent.sort()).toEqual([
    ...['browsers/{id}', 'devices/{counter}', 'pos-keys/{name}', 'printers/{name}', 'session'].map(
      (path) => `delete /api/${path}`,
    ),
    'post /api/devices/simulated',
    'post /api/devices/{counter}/test-host',
    'post /api/going-live',
    'post /api/going-live/found',
    'post /api/journal/exports/{id}/confirmation',
    'post /api/machine/copied',
    'post /api/machine/moved',
    'post /api/pos-keys/{name}/approval',
    'post /api/session/touch',
  ]);
});

test('permissions, queries and files are described', () => {
  expect(document.paths['/api/limits']?.['put']?.description).toContain('changeLimits');
  expect(document.paths['/api/audit']?.['get']?.parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['from', 'most', 'kind', 'by']),
  );
  expect(Object.keys(document.paths['/api/reconciliations']?.['post']?.requestBody?.content ?? {})).toEqual([
    'multipart/form-data',
  ]);
});

test('every operation describes the header with the till’s mode', () => {
  const answers = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => responses['2XX'] ?? responses['204']),
  );
  const reported = { 'X-Tillgate-Mode': { required: true, schema: { enum: ['test', 'training', 'live'] } } };
  for (const answer of answers) expect(answer).toMatchObject({ headers: reported });
});

test('anyone can read the document, signed in or not', async () => {
  const answer = await app.request(`http://${HOST}/api/openapi.json`, { headers: { host: HOST } });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } });
});
