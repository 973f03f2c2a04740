import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entityId, type Parameters, token } from '../support/gateway/gateway.ts';
import { rawRequest } from '../support/servers/raw-http.ts';
import { at, type Dialect, keep, lacks, legacy, namesRefused, speak } from './dialect.ts';
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
beforeAll(async () => {
  strict = await openHost();
  lenient = await openHost({ lenient: true, legacy });
});
afterAll(async () => {
  await Promise.all([strict.close(), lenient.close()]);
});

/** Each step with what its answer lacks; nothing when the client is content. */
const wholly = async (host: Host, dialect: Dialect): Promise<string[]> => {
  const kept = new Map<string, string>();
  const wrong: string[] = [];
  for (const step of dialect.steps) {
    const reply = await speak(host, dialect, { step, kept });
    keep(kept, step, reply);
    const lacking = lacks(reply, step);
    if (lacking.length > 0) wrong.push(`${step.says}: ${lacking.join(', ')} in ${reply.text}`);
  }
  return wrong;
};

const signingIn = dialects.filter(({ signsIn }) => signsIn === 'body');
const plain = dialects.filter(({ signsIn, refused }) => signsIn !== 'body' && refused === undefined);
const beyond = dialects.filter(({ refused }) => refused !== undefined);

test('every dialect is of one kind, and there are some of each', () => {
  expect(signingIn.length + plain.length + beyond.length).toBe(dialects.length);
  expect(Math.min(signingIn.length, plain.length, beyond.length)).toBeGreaterThan(0);
});

describe.each(dialects)('$client', (dialect) => {
  test('works on a lenient channel that takes user and password', async () => {
    expect(await wholly(lenient, dialect)).toEqual([]);
  });
});

describe.each(plain)('$client', (dialect) => {
  test('works on a strict channel', async () => {
    expect(await wholly(strict, dialect)).toEqual([]);
  });
});

describe.each(beyond)('$client', (dialect) => {
  test('is told by a strict channel which of its parameters are not in the specification', async () => {
    const [step] = dialect.steps;
    if (step === undefined) throw new Error('a dialect has steps');
    const reply = await speak(strict, dialect, { step, kept: new Map() });
    expect([reply.status, reply.code, namesRefused(reply)]).toEqual([400, '200.300.404', dialect.refused]);
  });

  test('is told the same by a lenient one, as warnings', async () => {
    const [step] = dialect.steps;
    if (step === undefined) throw new Error('a dialect has steps');
    const { body } = await speak(lenient, dialect, { step, kept: new Map() });
    const warnings = body['parameterWarnings'] as { name: string }[];
    expect(warnings.map(({ name }) => name).sort()).toEqual(dialect.refused);
  });
});

describe.each(signingIn)('$client', (dialect) => {
  test('is turned away by a strict channel, whatever its user and password', async () => {
    const [step] = dialect.steps;
    if (step === undefined) throw new Error('a dialect has steps');
    const reply = await speak(strict, dialect, { step, kept: new Map() });
    const { description } = reply.body['result'] as { description: string };
    expect([reply.status, reply.code, description]).toEqual([401, '800.900.300', 'invalid authentication information']);
  });
});

/** What is missing of a shopper’s data passes with a warning; a rule about the money holds on every channel. */
const rules: readonly (readonly [beside: Parameters, status: number, names: readonly string[]])[] = [
  [{ 'customer.ip': '127.0.0.1' }, 200, ['customer.givenName', 'customer.surname']],
  [{ 'billing.street1': '12' }, 200, ['billing.street1']],
  [{ 'shipping.houseNumber2': 'b' }, 200, ['shipping.houseNumber1']],
  [{ 'forex.amount': '9.00' }, 400, ['forex.currency']],
  [{ 'customer.ip': '127.0.0.1', 'card.expiryYear': '' }, 400, ['card.expiryYear']],
];

test.each(rules)('a lenient channel, %j: %i', async (beside, status, names) => {
  const form = Object.fromEntries(new URLSearchParams(sale));
  const { status: was, body } = await lenient.ask('POST /v1/payments', { ...form, ...beside });
  const told = (was === 200 ? body['parameterWarnings'] : at(body, 'result.parameterErrors')) as { name: string }[];
  expect([was, told.map(({ name }) => name)]).toEqual([status, names]);
  expect((await strict.ask('POST /v1/payments', { ...form, ...beside })).status).toBe(400);
});

test('a wrong password and a wrong token are 403, in the words that clients look for', async () => {
  const wrong = { 'authentication.userId': legacy.userId, 'authentication.password': 'qwerty' };
  const form = new URLSearchParams({ ...wrong, 'authentication.entityId': entityId, paymentType: 'DB' }).toString();
  const bodied = await lenient.say('POST /v1/payments', form, { 'content-type': 'application/x-www-form-urlencoded' });
  const headed = await strict.ask('POST /v1/payments', {}, { authorization: 'Bearer wrong' });
  for (const { status, body } of [bodied, headed]) {
    expect([status, body['result']]).toMatchObject([
      403,
      { code: '800.900.300', description: 'invalid authentication information' },
    ]);
  }
});

test('the operator’s Node sample, which parses the first piece of the answer', async () => {
  const json = await new Promise<{ result: { code: string } }>((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': sale.length,
      Authorization: `Bearer ${token}`,
    };
    const options = { port: strict.port, host: '127.0.0.1', path: '/v1/payments', method: 'POST', headers };
    const asking = httpRequest(options, (answer) => {
      answer.setEncoding('utf8');
      answer.once('data', (chunk: string) => resolve(JSON.parse(chunk)));
    });
    asking.on('error', reject);
    asking.end(sale);
  });
  expect(json.result.code).toBe('000.100.110');
});

test('head and body of an answer come in one piece, with the length', async () => {
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
  const [head = '', body = ''] = first.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(Number(/^content-length: (\d+)$/im.exec(head)?.[1])).toBe(Buffer.byteLength(body));
  expect(JSON.parse(body)).toMatchObject({ result: { code: '000.100.110' } });
});

test('headers: what clients read and what browsers heed', async () => {
  const { headers } = await strict.say('POST /v1/payments', sale);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json;charset=UTF-8',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': expect.stringContaining('max-age='),
  });
});
