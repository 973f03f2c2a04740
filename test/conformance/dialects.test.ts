import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browser as browserTold } from '../gateway/threeds/secured-shop.ts';
import { entityId, type Parameters, token } from '../support/gateway/gateway.ts';
import { rawRequest } from '../support/servers/raw-http.ts';
import { type Dialect, legacy, namesRefused, problemsOf, sendStep, storeFields, valueAt } from './dialect.ts';
import { dialects } from './dialects/all.ts';
import { type Host, openHost } from './host.ts';

const sale = new URLSearchParams({
  entityId,
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4111111111111111',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
}).toString();

let strict: Host;
let lenient: Host;
let legacyStrict: Host;
let secured: Host;
beforeAll(async () => {
  strict = await openHost();
  lenient = await openHost({ lenient: true, legacy });
  legacyStrict = await openHost({ legacy });
  secured = await openHost({ lenient: true, legacy, threeDSecure: { enabled: true } });
});
afterAll(async () => {
  await Promise.all([strict, lenient, legacyStrict, secured].map((host) => host.close()));
});

/** Each step whose answer lacks something, with what it lacks; empty if the client accepts everything. */
const problemsThroughout = async (host: Host, dialect: Dialect): Promise<string[]> => {
  const stored = new Map<string, string>();
  const problems: string[] = [];
  for (const step of dialect.steps) {
    const reply = await sendStep(host, dialect, { step, stored });
    storeFields(stored, step, reply);
    const lacking = problemsOf(reply, step);
    if (lacking.length > 0) problems.push(`${step.title}: ${lacking.join(', ')} in ${reply.text}`);
  }
  return problems;
};

const legacyDialects = dialects.filter(({ signIn: signsIn }) => signsIn === 'body');
const acceptedDialects = dialects.filter(({ refuses: refused }) => refused === undefined);
const refusedDialects = dialects.filter(({ refuses: refused }) => refused !== undefined);

test('there are clients of each kind', () => {
  expect(Math.min(legacyDialects.length, acceptedDialects.length, refusedDialects.length)).toBeGreaterThan(2);
});

describe.each(dialects)('$client', (dialect) => {
  test('works on a lenient channel that takes user and password', async () => {
    expect(await problemsThroughout(lenient, dialect)).toEqual([]);
  });
});

describe.each(acceptedDialects)('$client', (dialect) => {
  test('works on a strict channel that accepts its sign-in', async () => {
    expect(await problemsThroughout(dialect.signIn === 'body' ? legacyStrict : strict, dialect)).toEqual([]);
  });
});

/** The answer to the first request with refused parameters; lenient channels accept it with warnings. */
const firstRefusedStep = async (host: Host, dialect: Dialect) => {
  const stored = new Map<string, string>();
  for (const step of dialect.steps) {
    const reply = await sendStep(host, dialect, { step, stored });
    if (reply.code === '200.300.404') return { step, reply };
    storeFields(stored, step, reply);
  }
  throw new Error(`nothing of ${dialect.client} was refused`);
};

describe.each(refusedDialects)('$client', (dialect) => {
  test('learns its unsupported parameters as errors of a strict channel and as warnings of a lenient one', async () => {
    const { step, reply } = await firstRefusedStep(dialect.signIn === 'body' ? legacyStrict : strict, dialect);
    expect([reply.status, namesRefused(reply)]).toEqual([400, dialect.refuses]);
    const { body } = await sendStep(lenient, dialect, { step, stored: new Map() });
    const warnings = body['parameterWarnings'] as { name: string }[];
    expect(warnings.map(({ name }) => name).sort()).toEqual(dialect.refuses);
  });
});

describe.each(legacyDialects)('$client', (dialect) => {
  test('is rejected by a channel without legacy credentials, whatever its user and password', async () => {
    const [step] = dialect.steps;
    if (step === undefined) throw new Error('a dialect has steps');
    const reply = await sendStep(strict, dialect, { step, stored: new Map() });
    const { description } = reply.body['result'] as { description: string };
    expect([reply.status, reply.code, description]).toEqual([401, '800.900.300', 'invalid authentication information']);
  });
});

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'clients.md'), 'utf8');

test('the table in docs/clients.md matches these results for each client', () => {
  const [, table = ''] = /^\| client \| strict \| needs \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const documented = table
    .trimEnd()
    .split('\n')
    .flatMap((row) => {
      const [, clients = '', strictSupport = '', needed = ''] = row.split('|').map((cell) => cell.trim());
      return clients.split('; ').map((client) => ({
        client: client.replaceAll('`', ''),
        strictly: strictSupport,
        lenient: /\blenient\b/.test(needed),
        legacy: /\blegacy credentials\b/.test(needed),
        unsigned: /\bwithout credentials\b/.test(needed),
      }));
    });
  const described = dialects.map(({ client, refuses: refused, signIn: signsIn, steps }) => ({
    client,
    strictly: refused === undefined && signsIn !== 'body' ? 'yes' : 'no',
    lenient: refused !== undefined,
    legacy: signsIn === 'body',
    unsigned: steps.some(({ unsigned }) => unsigned === true),
  }));
  const byClient = (a: { client: string }, b: { client: string }) => (a.client < b.client ? -1 : 1);
  expect(documented.sort(byClient)).toEqual(described.sort(byClient));
});

/** Card payments in a browser as the clients send them, except one that brings an external 3-D Secure result. */
const payments = dialects.flatMap((dialect) => {
  const step = dialect.steps.find(
    ({ line, parameters: sends }) =>
      line === 'POST /v1/payments' &&
      /^(DB|PA)$/.test(sends?.['paymentType'] ?? '') &&
      sends?.['card.number'] !== undefined,
  );
  const hasProof = Object.keys(step?.parameters ?? {}).some((name) => name.startsWith('threeDSecure.'));
  return step === undefined || hasProof ? [] : [{ client: dialect.client, dialect, step }];
});

test.each(payments)('a channel with 3-D Secure requires shopperResultUrl from $client', async ({ dialect, step }) => {
  const withBrowserData = { ...step.parameters, 'card.number': '4200000000000091', ...browserTold };
  const { shopperResultUrl: _, ...without } = withBrowserData as Parameters;
  const send = (sends: Parameters) =>
    sendStep(secured, dialect, { step: { ...step, parameters: sends }, stored: new Map() });
  const refusedReply = await send(without);
  expect([refusedReply.status, refusedReply.text]).toEqual([400, expect.stringContaining('shopperResultUrl')]);
  const acceptedReply = await send({ ...without, shopperResultUrl: 'https://shop.example.com/back' });
  expect([acceptedReply.status, acceptedReply.code]).toEqual([200, '000.200.000']);
});

/** Missing shopper data passes with a warning; a rule about money holds on every channel. */
const rules: readonly (readonly [extraParameters: Parameters, status: number, names: readonly string[]])[] = [
  [{ 'customer.ip': '127.0.0.1' }, 200, ['customer.givenName', 'customer.surname']],
  [{ 'billing.street1': '12' }, 200, ['billing.street1']],
  [{ 'shipping.houseNumber2': 'b' }, 200, ['shipping.houseNumber1']],
  [{ 'forex.amount': '9.00' }, 400, ['forex.currency']],
  [{ 'customer.ip': '127.0.0.1', 'card.expiryYear': '' }, 400, ['card.expiryYear']],
];

test.each(rules)('a lenient channel, %j: %i', async (extraParameters, status, names) => {
  const form = Object.fromEntries(new URLSearchParams(sale));
  const { status: actualStatus, body } = await lenient.request('POST /v1/payments', { ...form, ...extraParameters });
  const reports = (actualStatus === 200 ? body['parameterWarnings'] : valueAt(body, 'result.parameterErrors')) as {
    name: string;
  }[];
  expect([actualStatus, reports.map(({ name }) => name)]).toEqual([status, names]);
  expect((await strict.request('POST /v1/payments', { ...form, ...extraParameters })).status).toBe(400);
});

test('a wrong password and a wrong token give 403 with the text that clients look for', async () => {
  const wrongCredentials = { 'authentication.userId': legacy.userId, 'authentication.password': 'qwerty' };
  const form = new URLSearchParams({
    ...wrongCredentials,
    'authentication.entityId': entityId,
    paymentType: 'DB',
  }).toString();
  const bodyReply = await lenient.send('POST /v1/payments', form, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const headerReply = await strict.request('POST /v1/payments', {}, { authorization: 'Bearer wrong' });
  for (const { status, body } of [bodyReply, headerReply]) {
    expect([status, body['result']]).toMatchObject([
      403,
      { code: '800.900.300', description: 'invalid authentication information' },
    ]);
  }
});

test('the operator’s Node sample, which parses the first chunk of the answer', async () => {
  const json = await new Promise<{ result: { code: string } }>((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': sale.length,
      Authorization: `Bearer ${token}`,
    };
    const options = { port: strict.port, host: '127.0.0.1', path: '/v1/payments', method: 'POST', headers };
    const request = httpRequest(options, (answer) => {
      answer.setEncoding('utf8');
      answer.once('data', (chunk: string) => resolve(JSON.parse(chunk)));
    });
    request.on('error', reject);
    request.end(sale);
  });
  expect(json.result.code).toBe('000.100.110');
});

test('the head and body of an answer come in one chunk, with the length', async () => {
  const headers = ['Content-Type: application/x-www-form-urlencoded', `Authorization: Bearer ${token}`];
  const bytes = rawRequest({ line: 'POST /v1/payments', headers, body: sale });
  const first = await new Promise<string>((resolve, reject) => {
    const socket = connect(strict.port, '127.0.0.1', () => socket.write(bytes));
    socket.once('data', (chunk) => {
      resolve(chunk.toString('utf8'));
      socket.destroy();
    });
    socket.on('error', reject);
  });
  const [headerText = '', body = ''] = first.split('\r\n\r\n');
  expect(headerText).toMatch(/^HTTP\/1\.1 200 /);
  expect(Number(/^content-length: (\d+)$/im.exec(headerText)?.[1])).toBe(Buffer.byteLength(body));
  expect(JSON.parse(body)).toMatchObject({ result: { code: '000.100.110' } });
});

test('headers that clients read and browsers obey', async () => {
  const { headers } = await strict.send('POST /v1/payments', sale);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json;charset=UTF-8',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': expect.stringContaining('max-age='),
  });
});
