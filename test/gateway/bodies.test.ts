/** Bodies that are no forms, or too much of one. Nothing refused here may reach the acquirer. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityId, payment, type TestGateway, testGateway, token } from '../support/gateway/gateway.ts';
import { byNight } from '../support/night/night.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  expect(gateway.acquirer.authorised).toEqual([]);
  expect(gateway.reported).toEqual([]);
  await gateway.app.close();
  await gateway.store.close();
});

const form = 'application/x-www-form-urlencoded';
const authorization = `Bearer ${token}`;
const body = new URLSearchParams({ entityId, ...payment() }).toString();

const bytes = (...values: number[]) => new Uint8Array(values);

test.each<[string, string | Uint8Array<ArrayBuffer>, string?]>([
  ['not UTF-8', bytes(0x61, 0x3d, 0xff, 0xfe)],
  ['an escape that is not UTF-8', `${body}&merchantMemo=%FF%FE`],
  ['an escape that is no hex', `${body}&merchantMemo=%zz`],
  ['an escape cut short', `${body}&merchantMemo=%4`],
  ['a NUL', `${body}&merchantMemo=%00`],
  ['more than 1 MiB', `${body}&merchantMemo=${'x'.repeat(1024 * 1024)}`],
  ['more parameters than anybody has', Array.from({ length: 60_001 }, (_, index) => `a${index}=1`).join('&')],
  ['JSON', JSON.stringify(payment()), 'application/json'],
  ['no content type', bytes(0x61), ''],
  ['another character set', body, `${form}; charset=ISO-8859-1`],
  ['half a quotation', body, `${form}; charset="utf-8`],
  ['two types', body, `${form}, text/plain`],
  ['a form with files', body, 'multipart/form-data; boundary=x'],
])('a body that is %s is refused whole', async (_, sent, type = form) => {
  const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body: sent, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test.each<[string, number, string]>([
  [form, 200, '000.100.110'],
  [`${form};charset=UTF-8`, 200, '000.100.110'],
  [`${form.toUpperCase()} ; CHARSET="utf8" ;`, 200, '000.100.110'],
  [`${form}; boundary=x; charset=utf-8`, 200, '000.100.110'],
  [`${form}; charset=utf-8; charset=latin1`, 400, '200.100.103'],
])('a payment of type %s is answered %i', async (type, status, code) => {
  const other = await testGateway();
  const headers = { authorization, 'content-type': type };
  expect(await other.raw('v1/payments', { method: 'POST', body, headers })).toMatchObject({ status, code });
  await other.store.close();
});

test('a packed body is refused, not taken for text', async () => {
  const headers = { authorization, 'content-type': form, 'content-encoding': 'gzip' };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test('a body that breaks off is refused, and is no fault of ours', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(body)),
    pull: (controller) => controller.error(new Error('reset')),
  });
  const headers = { authorization, 'content-type': form };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body: broken, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test('a body without an end is read no further than 1 MiB', async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(65_536).fill(0x61));
    },
  });
  const headers = { authorization, 'content-type': form };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body: endless, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
  expect(pulled).toBeLessThan(32);
});

test('of very many errors a hundred are named', async () => {
  const headers = { authorization, 'content-type': form };
  const many = (count: number, sent: (index: number) => string) => Array.from({ length: count }, (_, i) => sent(i));
  for (const sent of [many(900, (i) => `a${i}=1&a${i}=2`), many(1990, (i) => `pos.deviceIf${i}=1`)]) {
    const reply = await gateway.raw('v1/payments', { method: 'POST', body: `${body}&${sent.join('&')}`, headers });
    expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
    expect((reply.body['result'] as { parameterErrors: unknown[] }).parameterErrors).toHaveLength(100);
  }
});

test('parameters of a POST in the address are refused, not overlooked', async () => {
  const headers = { authorization, 'content-type': form };
  const reply = await gateway.raw(`v1/payments?entityId=${entityId}`, { method: 'POST', body, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test('no bytes whatever bring anything but a JSON answer of status 400', async () => {
  const headers = { authorization, 'content-type': form };
  const piece = fc.oneof(
    fc.constantFrom(
      'entityId',
      'amount',
      '=',
      '&',
      '%',
      '%4',
      '+',
      '[',
      ']',
      'customParameters[',
      '__proto__',
      '\0',
      '😀',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const sent = new TextEncoder().encode(pieces.join(''));
      const reply = await gateway.raw('v1/payments', { method: 'POST', body: sent, headers });
      expect(reply.status).toBe(400);
      expect(['200.300.404', '200.100.103']).toContain(reply.code);
    }),
    { numRuns: byNight({ day: 70, night: 200 }) },
  );
});
