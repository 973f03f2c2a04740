/** A served till, and what no decent client would send it: odd paths, headers, methods and bodies. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { isWindows } from '../support/platform/platform.ts';
import { sendRaw } from '../support/servers/raw-http.ts';
import { servedHeaders } from '../support/servers/visitor.ts';

let folder: string;
let served: ServedTill;
let headers: Record<string, string>;
const reported: unknown[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attack-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head></head><title>till</title>');
  served = await serveTill({
    ...{
      dataDir: join(folder, 'data'),
      at: { port: 0 },
      version: '1',
      page: folder,
      answerCheck,
      services: tillServices,
    },
    open: openSqlUnsynced,
    report: (error) => reported.push(error),
  });
  headers = await servedHeaders(served);
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const port = (): number => Number(new URL(served.address).port);
const raw = async (line: string, more: readonly string[] = [], body = ''): Promise<number | undefined> => {
  const lines = [line, `Host: 127.0.0.1:${port()}`, 'Connection: close', ...more];
  const { answers } = await sendRaw(port(), `${lines.join('\r\n')}\r\n\r\n${body}`, { halfClose: true });
  return answers[0]?.status;
};

test.each<[line: string, status: number]>([
  ['GET /api/counters HTTP/1.1', 401],
  ['GET /api//counters HTTP/1.1', 401],
  ['GET /api/%63ounters HTTP/1.1', 401],
  ['GET /api/counters/ HTTP/1.1', 401],
  ['GET /api/session/../counters HTTP/1.1', 401],
  ['GET /api/session/%2e%2e/counters HTTP/1.1', 401],
  ['GET /api/session%2f..%2fcounters HTTP/1.1', 401],
  ['GET /api/session;/counters HTTP/1.1', 401],
  ['GET /api/session/names/../../counters HTTP/1.1', 401],
  ['GET /api/COUNTERS HTTP/1.1', 401],
  ['GET /api/counters%00 HTTP/1.1', 401],
  ['GET /api/%ff HTTP/1.1', 401],
  ['HEAD /api/counters HTTP/1.1', 401],
  ['OPTIONS /api/counters HTTP/1.1', 401],
  ['PUT /api/counters HTTP/1.1', 401],
  ['TRACE /api/counters HTTP/1.1', 401],
  ['GET http://evil.example/api/counters HTTP/1.1', 401],
  // None of these is a file, or leads out of the page's folder.
  ['GET /../data/till.json HTTP/1.1', 404],
  ['GET /%2e%2e/data/till.json HTTP/1.1', 404],
  ['GET /..%2fdata%2ftill.json HTTP/1.1', 404],
  ['GET /data/till.secrets.json HTTP/1.1', 404],
  ['POST / HTTP/1.1', 405],
])('%s', async (line, status) => {
  const reported = await raw(line);
  // Bytes that are not a request may be refused before the till sees them.
  expect([status, 400], `${reported}`).toContain(reported);
});

test.each<[what: string, lines: string[]]>([
  ['the name of another machine', ['Host: evil.example']],
  ['two names', [`Host: 127.0.0.1`, 'Host: evil.example']],
  ['no name', []],
])('%s', async (_, hosts) => {
  const bytes = ['GET /api/session HTTP/1.1', ...hosts, 'Connection: close'].join('\r\n');
  const { answers } = await sendRaw(port(), `${bytes}\r\n\r\n`, { halfClose: true });
  expect([400, 403]).toContain(answers[0]?.status);
});

const ask = async (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) => {
  const answer = await fetch(`${served.address}api/${path}`, {
    method,
    // A body that is refused before its end ends its connection, which no other request may reuse.
    headers: { ...headers, 'idempotency-key': 'key-00000001', connection: 'close' },
    body,
  });
  return { status: answer.status, text: await answer.text() };
};
const nestedJson = (n: number): string => `${'['.repeat(n)}${']'.repeat(n)}`;
const amount = '{"amount":"1.00","currency":"EUR"}';

type Row = [what: string, method: string, path: string, body: string | undefined, status: number];
const tooMuch: Row = ['more than a till accepts', 'POST', 'sales', `"${'x'.repeat(5_000_000)}"`, 413];

test.each<Row>([
  ['nested lists', 'POST', 'sales', nestedJson(100_000), 400],
  ['nested lists in a name', 'POST', 'sales', `{"amount":${nestedJson(50_000)}}`, 400],
  ['a configuration of nested lists', 'POST', 'configuration/plan', JSON.stringify({ text: nestedJson(100_000) }), 400],
  // Windows may report that the connection has ended before it delivers the last data.
  ...(isWindows ? [] : [tooMuch]),
  ['__proto__ in a sale', 'POST', 'sales', `{"__proto__":{"operation":"credit"},"amount":${amount}}`, 400],
  ['constructor in a sale', 'POST', 'sales', `{"constructor":{"prototype":{"x":1}},"amount":${amount}}`, 400],
  ['__proto__ as a limit', 'PUT', 'limits', '{"changes":{"__proto__.upTo":"9.00"}}', 400],
  ['constructor as a limit', 'PUT', 'limits', '{"changes":{"constructor.prototype.upTo":"9.00"}}', 400],
  ['a number for an amount', 'POST', 'sales', '{"amount":{"amount":1e3,"currency":"EUR"}}', 400],
  ['a negative amount', 'POST', 'sales', '{"amount":{"amount":"-1.00","currency":"EUR"}}', 400],
  ['full-width digits', 'POST', 'sales', '{"amount":{"amount":"１２.00","currency":"EUR"}}', 400],
  ['a comma', 'POST', 'sales', '{"amount":{"amount":"1.234,56","currency":"EUR"}}', 400],
  ['an exponent', 'POST', 'sales', '{"amount":{"amount":"1e3","currency":"EUR"}}', 400],
  ['nothing at all', 'POST', 'sales', '{"amount":{"amount":"0.00","currency":"EUR"}}', 422],
  ['too many decimals', 'POST', 'sales', '{"amount":{"amount":"1.001","currency":"EUR"}}', 422],
  ['a page before the first', 'GET', 'sales?from=-1', undefined, 400],
  ['an infinite page', 'GET', 'sales?from=1e400', undefined, 400],
  ['a page beyond the last', 'GET', 'sales?from=9007199254740991', undefined, 200],
  ['a page with too many rows', 'GET', 'sales?most=100000', undefined, 400],
  ['a page twice', 'GET', 'sales?from=1&from=2', undefined, 400],
  ['a receipt in hex', 'POST', 'sales/0x1/refund', '{}', 400],
  ['a receipt as an exponent', 'POST', 'sales/1e0/refund', '{}', 400],
  ['a receipt with too many digits', 'GET', `sales/${'9'.repeat(400)}/receipt`, undefined, 404],
  ['SQL in a search', 'GET', `sales?search=${encodeURIComponent(`%_' OR 1=1; --`)}`, undefined, 200],
  ['an unknown kind', 'GET', `audit?kind=${encodeURIComponent("x' OR '1'='1")}`, undefined, 200],
  ['a folder for a file', 'GET', 'downloads/..%2f..%2ftill.secrets.json/csv', undefined, 400],
  ['a folder for a reconciliation', 'GET', 'downloads/reconciliation/csv?id=..%2f..%2ftill', undefined, 404],
  ['a language that is a path', 'GET', 'sales/1/receipt?language=..%2fx', undefined, 400],
])('%s', async (_, method, path, body, status) => {
  const answer = await ask(method, path, body);
  expect(answer.status, answer.text.slice(0, 300)).toBe(status);
  expect(answer.text).not.toMatch(/program\.failed|\bat .*\.ts:|node_modules/);
  expect(({} as { operation?: string; upTo?: string; x?: number }).upTo).toBeUndefined();
});

test('names and texts with code or markup stay text', async () => {
  const name = '<img src=x onerror=alert(1)>';
  const answer = await ask('POST', 'pos-keys', JSON.stringify({ name }));
  expect(answer.status).toBe(422);
  const page = await fetch(served.address);
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
  const api = await fetch(`${served.address}api/session`, { headers });
  expect(api.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(api.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reported).toEqual([]);
});

test('a till that could not be closed for its restart answers nobody, and reports that it failed', async () => {
  let isSpoilt = false;
  const other = await serveTill({
    ...{ dataDir: join(folder, 'other'), at: { port: 0 }, version: '1', page: folder },
    answerCheck,
    services: {
      ...tillServices,
      paper(parts) {
        const service = tillServices.paper(parts);
        const close = async () => {
          await service.close?.();
          if (isSpoilt) throw new Error('the disk is gone');
        };
        return { ...service, close };
      },
    },
  });
  const sessionStatus = async () => (await fetch(`${other.address}api/session`)).status;
  expect(await sessionStatus()).toBe(200);
  const code = other.startCode();
  await other.restart();
  expect(await sessionStatus()).toBe(200);
  // The code printed at the start stays valid.
  expect([code, other.startCode()]).toEqual([expect.stringMatching(/^[\w-]{22}$/), code]);
  isSpoilt = true;
  await expect(other.restart()).rejects.toThrow('the disk is gone');
  expect(String(await other.failed)).toContain('the disk is gone');
  expect(await sessionStatus()).toBe(503);
  await other.close();
});
