import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/gateway/server/all-endpoints.ts';
import { entityId, type Parameters, token } from '../support/gateway/gateway.ts';
import { rawRequest, sendRaw } from '../support/servers/raw-http.ts';
import { card, requests } from './companions.ts';
import { namesRefused, valueAt } from './dialect.ts';
import { type Host, openHost } from './host.ts';
import { targetsOn } from './targets.ts';

const APPROVED = '000.100.110';
const sale: Parameters = { amount: '10.00', currency: 'EUR', paymentType: 'DB', ...card };

let host: Host;
let stored: string;
beforeAll(async () => {
  host = await openHost();
  stored = await host.createdId('POST /v1/registrations', card);
});
afterAll(async () => {
  await host.close();
});

describe('the required parameters are sufficient and all necessary', () => {
  const leastRequests: readonly (readonly [line: string, parameters: Parameters, missing: Parameters])[] = [
    ['POST /v1/payments', sale, { amount: 'amount', currency: 'currency', paymentType: 'paymentType' }],
    [
      'POST /v1/payments',
      sale,
      { 'card.number': 'card.number', 'card.expiryMonth': 'card.expiryMonth', 'card.expiryYear': 'card.expiryYear' },
    ],
    ['POST /v1/registrations', card, { 'card.number': 'card.number' }],
    [
      'POST /v1/registrations/:id/payments',
      { amount: '10.00', currency: 'EUR', paymentType: 'DB' },
      { amount: 'amount', currency: 'currency', paymentType: 'paymentType' },
    ],
  ];

  test.each(leastRequests)('%s with %j', async (line, parameters, missing) => {
    const target = line.replace(':id', stored);
    const completeReply = await host.request(target, parameters);
    expect([completeReply.status, completeReply.code]).toEqual([200, APPROVED]);
    for (const [leftOutName, named] of Object.entries(missing)) {
      const { [leftOutName]: _, ...rest } = parameters;
      for (const request of [rest, { ...rest, [leftOutName]: '' }]) {
        const reply = await host.request(target, request);
        expect([reply.status, reply.code, namesRefused(reply)]).toEqual([400, '200.300.404', [named]]);
      }
    }
    const unknownEntityReply = await host.request(target, { ...parameters, entityId: '' });
    expect([unknownEntityReply.status, namesRefused(unknownEntityReply)]).toEqual([400, ['entityId']]);
  });
});

/** The result code of each complete request that is neither a payment nor an approved account. */
const codes: Readonly<Record<string, string>> = {
  'GET /v1/query': '700.400.580',
  'GET /v3/query': '700.400.580',
  'POST /v1/checkouts': '000.200.100',
  'POST /v1/checkouts/:id': '000.200.101',
  // This channel does not authenticate cardholders.
  'POST /v1/threeDSecure': '600.200.500',
  'GET /reports/v1/reconciliations/aggregations': '000.000.100',
  'GET /reports/v1/reconciliations/aggregations/:id': '700.400.580',
  'GET /reports/v2/reconciliations/aggregations/:id': '700.400.580',
  'POST /v1/webhooks': '000.000.100',
  'GET /v1/webhooks/:id': '000.000.100',
  'POST /v1/webhooks/:id': '000.000.100',
};

test.each(Object.keys(requests))('%s: an empty optional parameter counts as absent', async (line) => {
  const operation = endpoints.map((each) => each.operation).find(({ method, path }) => `${method} ${path}` === line);
  const names = Object.keys(operation?.accepts ?? {}).map((name) =>
    name.replaceAll('[n]', '[0]').replace('[key]', line.includes('/checkouts/:id/') ? '[SHOPPER_X]' : '[VISA]'),
  );
  const target = await targetsOn(host, stored)(line, '');
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const chargeable: Record<string, string> = line === 'POST /scheduling/v1/schedules' ? { registrationId: stored } : {};
  const reply = await host.request(target, { ...empty, entityId, ...chargeable, ...requests[line]?.('') });
  expect(reply.code).toBe(codes[line] ?? APPROVED);
  expect(names.length).toBeGreaterThan(1);
});

describe('one request in the ways that HTTP clients write it', () => {
  const fields: Parameters = {
    entityId,
    ...sale,
    merchantTransactionId: 'Zoë & Söhne 100% + 1',
    'customParameters[SHOPPER_note]': 'a=b&c;d/é☃😀',
    'cart.items[0].name': 'Käse "jung"',
  };
  const entries = Object.entries(fields);
  const form = new URLSearchParams(fields).toString();
  const join = (pairs: readonly string[]) => pairs.join('&');
  const hex = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const bodies: readonly (readonly [description: string, body: string])[] = [
    ['as browsers', form],
    ['with %20', form.replaceAll('+', '%20')],
    ['lower-case hex', form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ['names as they are', join(entries.map(([name, value]) => `${name}=${encodeURIComponent(value)}`))],
    ['names escaped to the last letter', join(entries.map(([name, value]) => `${hex(name)}=${hex(value)}`))],
    ['UTF-8 as it is', form.replace(/%C3%[89A-F][0-9A-F]/g, (code) => decodeURIComponent(code))],
    ['the other way round', new URLSearchParams(entries.toReversed()).toString()],
    ['with & at its end', `${form}&`],
    ['with & before and between', `&${form.replaceAll('&', '&&')}`],
    ['with empty values and bare names', `${form}&taxAmount=&descriptor&customer.email=`],
    ['with a byte order mark', `\uFEFF${form}`],
  ];

  test.each(bodies)('%s', async (_, body) => {
    const { status, body: answer } = await host.send('POST /v1/payments', body);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      merchantTransactionId: 'Zoë & Söhne 100% + 1',
      customParameters: { SHOPPER_note: 'a=b&c;d/é☃😀' },
      cart: { items: [{ name: 'Käse "jung"' }] },
    });
  });

  const authorization = `Bearer ${token}`;
  const heads: readonly (readonly [description: string, headers: Parameters])[] = [
    ['no charset', { 'content-type': 'application/x-www-form-urlencoded', authorization }],
    ['charset close by', { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8', authorization }],
    ['charset small', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', authorization }],
    ['charset quoted', { 'content-type': 'application/x-www-form-urlencoded; charset="UTF-8"', authorization }],
    ['in capitals', { 'CONTENT-TYPE': 'APPLICATION/X-WWW-FORM-URLENCODED', AUTHORIZATION: authorization }],
    ['bearer small', { 'content-type': 'application/x-www-form-urlencoded', authorization: `bearer ${token}` }],
    ['wants anything', { 'content-type': 'application/x-www-form-urlencoded', authorization, accept: '*/*' }],
    [
      'would take it packed',
      { 'content-type': 'application/x-www-form-urlencoded', authorization, 'accept-encoding': 'gzip, deflate, br' },
    ],
  ];

  test.each(heads)('headers: %s', async (_, headers) => {
    expect(await host.send('POST /v1/payments', form, headers)).toMatchObject({ status: 200, code: APPROVED });
  });

  const headerLines = ['Content-Type: application/x-www-form-urlencoded', `Authorization: ${authorization}`];
  const encodings: readonly (readonly [description: string, bytes: string])[] = [
    [
      'in chunks',
      `${rawRequest({ line: 'POST /v1/payments', headers: [...headerLines, 'Transfer-Encoding: chunked'] })}`,
    ],
    [
      'after asking whether',
      rawRequest({ line: 'POST /v1/payments', headers: [...headerLines, 'Expect: 100-continue'], body: form }),
    ],
    [
      'with another host’s name',
      rawRequest({ line: 'POST http://test.example.com/v1/payments', headers: headerLines, body: form }),
    ],
  ];

  test.each(encodings)('%s', async (text, bytes) => {
    const size = Buffer.byteLength(form).toString(16);
    const chunks = text === 'in chunks' ? `${size}\r\n${form}\r\n0\r\n\r\n` : '';
    const { answers } = await sendRaw(host.port, bytes + chunks, { answers: 1 });
    const [answer] = answers;
    expect([answer?.status, valueAt(JSON.parse(answer?.body ?? '{}'), 'result.code')]).toEqual([200, APPROVED]);
  });
});
