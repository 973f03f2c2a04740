/** Bodies that are not forms, or too large. A request refused here must not reach the acquirer. */
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
  ['an escape that is not hex', `${body}&merchantMemo=%zz`],
  ['an escape cut short', `${body}&merchantMemo=%4`],
  ['a NUL', `${body}&merchantMemo=%00`],
  ['more than 1 MiB', `${body}&merchantMemo=${'x'.repeat(1024 * 1024)}`],
  ['too many parameters', Array.from({ length: 60_001 }, (_, index) => `a${index}=1`).join('&')],
  ['JSON', JSON.stringify(payment()), 'application/json'],
  ['no content type', bytes(0x61), ''],
  ['another character set', body, `${form}; charset=ISO-8859-1`],
  ['half a quotation', body, `${form}; charset="utf-8`],
  ['two types', body, `${form}, text/plain`],
  ['a form with files', body, 'multipart/form-data; boundary=x'],
])('refuses a body that is %s', async (_, sentBody, type = form) => {
  const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body: sentBody, headers });
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

test('refuses a compressed body instead of reading it as text', async () => {
  const headers = { authorization, 'content-type': form, 'content-encoding': 'gzip' };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test('refuses an interrupted body without an internal error', async () => {
  const brokenBody = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(body)),
    pull: (controller) => controller.error(new Error('reset')),
  });
  const headers = { authorization, 'content-type': form };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body: brokenBody, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test('reads at most 1 MiB of an endless body', async () => {
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

test('names at most a hundred errors', async () => {
  const headers = { authorization, 'content-type': form };
  const manyParameters = (count: number, pairAt: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => pairAt(i));
  for (const pairs of [
    manyParameters(900, (i) => `a${i}=1&a${i}=2`),
    manyParameters(1990, (i) => `pos.deviceIf${i}=1`),
  ]) {
    const reply = await gateway.raw('v1/payments', { method: 'POST', body: `${body}&${pairs.join('&')}`, headers });
    expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
    expect((reply.body['result'] as { parameterErrors: unknown[] }).parameterErrors).toHaveLength(100);
  }
});

test('refuses parameters of a POST in the address instead of ignoring them', async () => {
  const headers = { authorization, 'content-type': form };
  const reply = await gateway.raw(`v1/payments?entityId=${entityId}`, { method: 'POST', body, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test('any bytes lead to a JSON answer with status 400', async () => {
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
      const sentBody = new TextEncoder().encode(pieces.join(''));
      const reply = await gateway.raw('v1/payments', { method: 'POST', body: sentBody, headers });
      expect(reply.status).toBe(400);
      expect(['200.300.404', '200.100.103']).toContain(reply.code);
    }),
    { numRuns: byNight({ day: 70, night: 200 }) },
  );
});
