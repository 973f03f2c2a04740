/**
 * Every route of the local API with every kind of requester: a route without a row here fails the test, so that nobody
 * adds one without access control.
 */
import { describe, expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import { type Permission, permissionsOf, type Role, roles } from '../../src/api/contract/roles.ts';
import { operationsOf } from '../../src/api/openapi.ts';
import type { Program } from '../../src/api/ports/session.ts';
import { START_CODE, scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';
const amount = { amount: '1.00', currency: 'EUR' };
const statement = { reason: 'the bank said so', evidence: 'its list of today' };
const channel = { baseUrl: 'https://gateway.example/', entityId: 'ab'.repeat(16), token: 'a-token-of-the-shop' };
const file = (): FormData => {
  const form = new FormData();
  form.append('file', new Blob(['a,b\n']), 'settlement.csv');
  return form;
};

/** `open`: without signing in. `anybody`: any signed-in person, and programs. */
type Asks = 'open' | 'anybody' | 'person' | Permission;
/** The route, the access that it needs, and a valid request: its path if it has parameters, and its body. */
type Row = [route: string, asks: Asks, path?: string | undefined, body?: unknown];

const rows: Row[] = [
  ['GET /api/openapi.json', 'open'],
  ['GET /api/session', 'open'],
  ['GET /api/session/names', 'open'],
  ['POST /api/session', 'open', undefined, { name: 'Max', pin: '4711' }],
  ['POST /api/session/code', 'open', undefined, { code: START_CODE }],
  ['DELETE /api/session', 'open'],
  ['POST /api/session/touch', 'anybody'],
  ['POST /api/override', 'open', undefined, { name: 'Max', pin: '4711', permission: 'refund' }],
  ['GET /api/browsers', 'manageStaff'],
  ['DELETE /api/browsers/{id}', 'manageStaff', '/api/browsers/0123456789abcdef'],
  ['GET /api/counters', 'anybody'],
  ['GET /api/line', 'anybody'],
  ['GET /api/live', 'anybody'],
  ['GET /api/live/{id}', 'anybody', '/api/live/abc'],
  ['POST /api/live/{id}/cancel', 'sell', '/api/live/abc/cancel'],
  ['GET /api/preauths', 'anybody'],
  ['POST /api/sales', 'sell', undefined, { amount }],
  ['POST /api/sales', 'sell', undefined, { amount, operation: 'giftCard', giftCard: { number: '12345678' } }],
  ['POST /api/sales', 'sell', undefined, { amount, chargesAgain: 7 }],
  ['POST /api/sales', 'preauthorise', undefined, { amount, operation: 'preauthorisation' }],
  ['POST /api/sales', 'credit', undefined, { amount, operation: 'credit' }],
  ['GET /api/sales', 'anybody'],
  ['GET /api/sales/{receipt}', 'anybody', '/api/sales/1'],
  ['GET /api/receipts/{code}', 'anybody', '/api/receipts/12345678-1'],
  ['POST /api/sales/{receipt}/{operation}', 'refund', '/api/sales/1/refund', {}],
  ['POST /api/sales/{receipt}/{operation}', 'void', '/api/sales/1/void', {}],
  ['POST /api/sales/{receipt}/{operation}', 'void', '/api/sales/1/release', {}],
  ['POST /api/sales/{receipt}/{operation}', 'preauthorise', '/api/sales/1/completion', {}],
  ['POST /api/sales/{receipt}/{operation}', 'preauthorise', '/api/sales/1/increment', { amount }],
  ['POST /api/sales/{receipt}/{operation}', 'tip', '/api/sales/1/tip', { tip: amount }],
  ['POST /api/training', 'sell', undefined, { on: false }],
  ['POST /api/claims', 'sell', undefined, { amount, last4: '1234' }],
  ['POST /api/likely', 'sell', undefined, { amount }],
  ['GET /api/sales/{receipt}/receipt', 'anybody', '/api/sales/1/receipt'],
  ['GET /api/sales/{receipt}/outcome', 'anybody', '/api/sales/1/outcome'],
  ['POST /api/sales/{receipt}/print', 'anybody', '/api/sales/1/print', {}],
  ['GET /api/printers', 'anybody'],
  ['POST /api/printers', 'pairTerminal', undefined, { name: 'Bar', address: 'escpos+tcp://10.0.0.1', width: 80 }],
  ['DELETE /api/printers/{name}', 'pairTerminal', '/api/printers/Bar'],
  ['POST /api/printers/{name}/test', 'diagnose', '/api/printers/Bar/test'],
  ['POST /api/reports/print', 'seeAll', undefined, { lines: ['X'] }],
  ['POST /api/drawer', 'sell'],
  ['GET /api/today', 'seeAll'],
  ['GET /api/batches', 'seeAll'],
  ['GET /api/batches/{batch}', 'seeAll', '/api/batches/1'],
  ['POST /api/x-reports', 'seeAll'],
  ['GET /api/closing', 'seeAll'],
  ['POST /api/closing', 'closeBatch', undefined, {}],
  ['GET /api/closing/wait', 'seeAll'],
  ['POST /api/closing/cancel', 'closeBatch'],
  ['POST /api/reconciliations', 'seeAll', undefined, file],
  ['POST /api/reconciliations/comparison', 'seeAll'],
  ['GET /api/reconciliations', 'seeAll'],
  ['GET /api/reconciliations/{id}', 'seeAll', '/api/reconciliations/r1'],
  [
    'POST /api/reconciliations/{id}/differences/{n}',
    'closeBatch',
    '/api/reconciliations/r1/differences/1',
    { choice: 'accept', note: '' },
  ],
  ['GET /api/open-items', 'seeAll'],
  ['POST /api/open-items/send', 'seeAll'],
  ['POST /api/open-items/{receipt}', 'seeAll', '/api/open-items/1', { action: 'askNow' }],
  ['POST /api/open-items/{receipt}', 'forceEnding', '/api/open-items/1', { action: 'sayCharged', ...statement }],
  ['POST /api/open-items/{receipt}', 'forceEnding', '/api/open-items/1', { action: 'sayNotCharged', ...statement }],
  [
    'POST /api/open-items/{receipt}',
    'settleUnpaid',
    '/api/open-items/1',
    { action: 'settleOtherwise', reason: 'cash' },
  ],
  ['POST /api/open-items/{receipt}', 'settleUnpaid', '/api/open-items/1', { action: 'writeOff', reason: 'gone' }],
  ['GET /api/queue', 'seeAll'],
  ['POST /api/queue/retry', 'seeAll'],
  ['POST /api/queue/comparison', 'seeAll'],
  ['GET /api/unresolved', 'seeAll'],
  ['GET /api/unresolved/{receipt}', 'seeAll', '/api/unresolved/1'],
  ['POST /api/unresolved/late-approvals', 'seeAll'],
  ['GET /api/journal/copy', 'seeAll'],
  ['GET /api/journal/entries', 'exportJournal'],
  ['POST /api/journal/seal', 'seeAll'],
  ['POST /api/journal/exports', 'exportJournal', undefined, { passphrases: ['', ''] }],
  ['POST /api/journal/exports/{id}/confirmation', 'exportJournal', '/api/journal/exports/1/confirmation'],
  ['POST /api/taken-over', 'importJournal', undefined, { passphrases: ['', ''], sealed: '' }],
  ['GET /api/taken-over', 'seeAll'],
  ['POST /api/taken-over/send', 'seeAll'],
  ['POST /api/taken-over/back', 'exportJournal', undefined, {}],
  ['GET /api/limits', 'seeAll'],
  ['GET /api/limits/report', 'seeAll'],
  ['PUT /api/limits', 'changeLimits', undefined, { changes: {} }],
  ['POST /api/limits/replay', 'seeAll', undefined, { changes: {} }],
  ['GET /api/downloads/{of}/{as}', 'seeAll', '/api/downloads/sales/csv'],
  ['GET /api/staff', 'seeAll'],
  ['POST /api/staff', 'manageStaff', undefined, { name: 'Eve', role: 'cashier', pin: '1234' }],
  ['PUT /api/staff/{name}/pin', 'manageStaff', '/api/staff/Eve/pin', { pin: '1234' }],
  ['PUT /api/session/pin', 'signIn', undefined, { current: '4711', pin: '1234' }],
  ['DELETE /api/staff/{name}', 'manageStaff', '/api/staff/Eve'],
  ['GET /api/permissions', 'anybody'],
  ['GET /api/audit', 'seeAll'],
  ['GET /api/pos-keys', 'pairTerminal'],
  ['POST /api/pos-keys', 'approveKey', undefined, { name: 'Kiosk' }],
  ['POST /api/pos-keys/{name}/approval', 'approveKey', '/api/pos-keys/Kiosk/approval'],
  ['DELETE /api/pos-keys/{name}', 'pairTerminal', '/api/pos-keys/Kiosk'],
  ['GET /api/going-live', 'goLive'],
  ['POST /api/going-live/gateway', 'goLive', undefined, channel],
  ['POST /api/going-live', 'goLive', undefined, { channel }],
  ['GET /api/going-live/found', 'goLive'],
  ['POST /api/going-live/found', 'goLive'],
  ['GET /api/machine', 'placeTill'],
  ['POST /api/machine/compare', 'placeTill'],
  ['POST /api/machine/take-over', 'placeTill'],
  ['POST /api/machine/plain-http', 'changeGateway', undefined, { address: 'http://10.0.0.5:8700/', allowed: true }],
  ['POST /api/machine/moved', 'placeTill'],
  ['POST /api/machine/copied', 'placeTill', undefined, { terminalIds: ['70002'] }],
  ['GET /api/devices', 'diagnose'],
  ['GET /api/devices/plugged', 'diagnose'],
  ['POST /api/devices/{counter}/ask', 'diagnose', '/api/devices/T1/ask'],
  ['POST /api/devices/search', 'pairTerminal', undefined, {}],
  ['POST /api/devices/meet', 'pairTerminal', undefined, { address: 'mpi+tcp://10.0.0.1:1' }],
  ['POST /api/devices', 'pairTerminal', undefined, { address: 'mpi+tcp://10.0.0.1:1' }],
  ['DELETE /api/devices/{counter}', 'pairTerminal', '/api/devices/T1'],
  ['POST /api/devices/{counter}/test-host', 'sayTestHost', '/api/devices/T1/test-host', { atTestHost: true }],
  ['POST /api/devices/simulated', 'diagnose'],
  ['POST /api/devices/diagnosis', 'diagnose', undefined, { address: 'mpi+serial:/dev/ttyACM0' }],
  ['POST /api/devices/diagnosis', 'diagnose', undefined, { address: 'mpi+tcp://10.0.0.9:9' }],
  ['POST /api/devices/diagnosis', 'pairTerminal', undefined, { address: 'mpi+tcp://10.0.0.1:22' }],
  ['POST /api/devices/diagnosis', 'pairTerminal', undefined, { address: ' TCP://localhost:22' }],
  ['POST /api/devices/diagnosis', 'diagnose', undefined, { address: 'serial:/dev/ttyACM0' }],
  // A diagnosis of a file's path would reveal whether the file exists.
  ['POST /api/devices/diagnosis', 'pairTerminal', undefined, { address: 'serial:/etc/shadow' }],
  ['POST /api/devices/diagnosis', 'pairTerminal', undefined, { address: 'mpi+serial:/dev/../etc/no-such-file' }],
  ['POST /api/devices/diagnosis', 'pairTerminal', undefined, { address: '/etc/shadow' }],
  ['POST /api/devices/diagnosis', 'pairTerminal', undefined, { address: 'hid:0801:2020:none' }],
  ['GET /api/trace', 'diagnose'],
  ['GET /api/trace/live', 'diagnose'],
  ['POST /api/line/test', 'diagnose'],
  ['GET /api/configuration', 'pairTerminal'],
  ['PUT /api/configuration', 'pairTerminal', undefined, { text: '{}' }],
  ['POST /api/configuration/plan', 'pairTerminal', undefined, { text: '{}' }],
  ['GET /api/configuration/undo', 'pairTerminal'],
  ['POST /api/configuration/undo', 'pairTerminal'],
  ['GET /api/bundle', 'diagnose'],
  ['POST /api/bundle', 'diagnose'],
  ['GET /api/updates', 'diagnose'],
  ['GET /api/events', 'anybody'],
];

const pos: Program = {
  program: 'POS',
  permissions: permissionsOf('cashier').filter((one) => one !== 'signIn' && one !== 'diagnose'),
  origins: [],
};
const KEY = { authorization: 'Bearer pos-key' };
const SIGNED_IN = { cookie: 'tillgate-8800=x', 'x-csrf-token': 'a-word' };

/** An answer of a service with which every route works. */
const input = { name: 'x', type: 'text/plain', text: '', body: '', bytes: new Uint8Array(), sales: [] };

const api = (role: Role | undefined) => {
  const calledServices: string[] = [];
  const service = new Proxy(
    {},
    {
      get: (_, name) => () => {
        // There was no earlier request.
        if (name === 'repeated') return undefined;
        if (name === 'devices') return [{ address: 'mpi+tcp://10.0.0.9:9' }];
        if (name === 'pluggedIn') return { candidates: [{ address: 'mpi+serial:/dev/ttyACM0', fits: [] }] };
        calledServices.push(String(name));
        return name === 'listen' || name === 'trace' ? () => {} : input;
      },
    },
  );
  const sessions = {
    ...scriptedSessions(role),
    program: (key: string) => (key === 'pos-key' ? pos : undefined),
    openAnonymous: scriptedSessions(undefined, { people: {} }).openAnonymous,
    // An unknown cookie gives no access.
    ...(role === undefined && { of: () => undefined }),
  };
  const areas = {
    ...{ selling: service, books: service, store: service, devices: service, paper: service },
    ...{ goingLive: service, machine: service, events: service, recovery: service, takeover: service },
  };
  const app = localApi({ sessions, ...areas } as unknown as ApiPorts, { hosts: () => [HOST] });
  const send = async ([route, , path, body]: Row, headers: Record<string, string>) => {
    const [method = '', template = ''] = route.split(' ');
    const input = typeof body === 'function' ? (body as () => FormData)() : body && JSON.stringify(body);
    const answer = await app.request(`http://${HOST}${path ?? template}`, {
      method,
      headers: {
        host: HOST,
        ...(method === 'GET' ? {} : { 'idempotency-key': 'key-00000001' }),
        ...(typeof input === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(input !== undefined && { body: input as string | FormData }),
    });
    const text = answer.headers.get('content-type')?.startsWith('text/event-stream') ? '' : await answer.text();
    await answer.body?.cancel().catch(() => undefined);
    const code = /"code":"([a-zA-Z.]+)"/.exec(text)?.[1];
    return { status: answer.status, code };
  };
  return { app, send, touched: calledServices };
};

const isGranted = (asks: Asks, has: readonly string[] | undefined): boolean =>
  asks === 'open' || (has !== undefined && (asks === 'anybody' || has.includes(asks)));

test('every route has a row, and every row is a route', () => {
  const routes = operationsOf(api(undefined).app).map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(rows.map(([route]) => route))].sort()).toEqual(routes.sort());
});

type Who = [name: string, role: Role | undefined, headers: Record<string, string>, has: readonly string[] | undefined];
const UNKNOWN_KEY = { authorization: 'Bearer guessed' };
const who: Who[] = [
  ['nobody', undefined, {}, undefined],
  ['someone with an old cookie', undefined, SIGNED_IN, undefined],
  ['an unknown key', undefined, UNKNOWN_KEY, undefined],
  ['a program', undefined, KEY, pos.permissions],
  ...roles.map((role): Who => [`a ${role}`, role, SIGNED_IN, permissionsOf(role)]),
];

describe.each<Who>(who)('%s', (_, role, headers, has) => {
  test.each<Row>(rows)('%s asks for %s', async (...row) => {
    const [route, asks] = row;
    const { send, touched: calledServices } = api(role);
    // A close needs the person's PIN.
    const isSigned = route === 'POST /api/closing' && has?.includes('closeBatch') === true;
    const { status, code } = await send(row, { ...headers, ...(isSigned && { 'x-override': 'Max-closeBatch' }) });
    if (isGranted(asks, has) && headers !== UNKNOWN_KEY) expect([401, 403], `${route} ${code}`).not.toContain(status);
    else {
      expect(status, `${route} ${code}`).toBe(has === undefined ? 401 : 403);
      expect(calledServices).toEqual([]);
    }
  });
});

/** A cashier may do none of these, not even with an approval. */
const takesTwo: readonly string[] = ['POST /api/journal/exports', 'POST /api/taken-over'];
const guarded = rows.filter(
  ([route, asks]) => !['open', 'anybody', 'diagnose', 'sell'].includes(asks) && !takesTwo.includes(route),
);

describe('a manager’s approval', () => {
  test.each<Row>(guarded)('%s, for %s', async (...row) => {
    const [, asks] = row;
    const isTheirs = permissionsOf('cashier').includes(asks as Permission);
    const { code } = await api('cashier').send(row, { ...SIGNED_IN, 'x-override': `Max-${asks}` });
    expect(code).not.toBe('session.notAllowed');
    const other = asks === 'signIn' ? 'sell' : 'signIn';
    const refused = await api('cashier').send(row, { ...SIGNED_IN, 'x-override': `Max-${other}` });
    expect(refused.code === 'session.notAllowed').toBe(!isTheirs);
  });
});

const changing = rows.filter(([route]) => !route.startsWith('GET'));

describe('a form on another page', () => {
  test.each<Row>(changing)('%s', async (...row) => {
    const { send, touched: calledServices } = api('manager');
    const crossSite = { ...SIGNED_IN, origin: 'http://evil.example' };
    expect(await send(row, crossSite)).toMatchObject({ status: 403, code: 'request.foreign' });
    expect(await send(row, { ...SIGNED_IN, 'sec-fetch-site': 'same-site' })).toMatchObject({ status: 403 });
    if (!['POST /api/session', 'POST /api/session/code', 'DELETE /api/session'].includes(row[0])) {
      expect(await send(row, { cookie: 'tillgate-8800=x' })).toMatchObject({ status: 403, code: 'request.foreign' });
      expect(await send(row, { ...SIGNED_IN, 'x-csrf-token': 'b-word' })).toMatchObject({ code: 'session.changed' });
    }
    expect(calledServices).toEqual([]);
  });
});
