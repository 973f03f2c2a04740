/** The gateway process over real HTTP: who may ask, what is refused, and what kill -9 under load leaves behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHex } from '../../src/base/hex.ts';
import { encodePinBlock } from '../../src/emv/pin-block.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { present } from '../gateway/acquirers/shop-counter.ts';
import {
  entityId,
  idOf,
  otherEntityId,
  type Parameters,
  payment,
  posSale,
  type Reply,
  token,
} from '../support/gateway/gateway.ts';
import { type GatewayProcess, startGateway } from '../support/gateway/gateway-process.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { rawRequest, sendRaw } from '../support/servers/raw-http.ts';

const channels = [
  { entityId, token },
  { entityId: otherEntityId, token: 'other-token' },
];
const DONE = '000.100.110';
const NEVER_SENT = '100.396.103';
/** The card data that these tests send; every file is searched for it at the end. */
const { pan, pin } = testCard('visa-credit');
const clearPinBlock = encodePinBlock({ format: 0, pin, pan });
const pinData = '1C41AB4A9F2B0F1D';

let folder: string;
let gateway: GatewayProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  gateway = await startGateway(folder, channels);
});
afterAll(async () => {
  await gateway.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

const restart = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
  const code = await gateway.end(signal);
  expect([code, gateway.errorOutput()]).toEqual([signal === 'SIGTERM' ? 0 : null, '']);
  gateway = await startGateway(folder, channels);
};

/** One cent from a card that no other test uses. */
const cent = (parameters: Parameters = {}): Parameters =>
  payment({ amount: '0.01', 'card.number': pan, ...parameters });

/** A sale at a terminal, its card data and PIN encrypted as the terminal does it. */
const chipSale = (): Parameters => {
  const { pos } = present('visa-credit', { pin, minor: 1_000n });
  return posSale({
    merchantTransactionId: 'chip-with-pin',
    'pos.encryptedSred.data': pos?.encryptedSred?.data ?? '',
    'pos.encryptedSred.ksn': pos?.encryptedSred?.ksn ?? '',
    'pos.encryptedPin.data': pos?.encryptedPin?.data ?? '',
    'pos.encryptedPin.ksn': pos?.encryptedPin?.ksn ?? '',
    'pos.iccDataRequest': pos?.iccDataRequest ?? '',
  });
};

const form = 'Content-Type: application/x-www-form-urlencoded';
const authorization = `Authorization: Bearer ${token}`;
const encoded = (parameters: Parameters): string => new URLSearchParams({ entityId, ...parameters }).toString();
const body = encoded(cent());

/** The status and code of the single answer to these bytes. */
const exchange = async (bytes: string | Uint8Array): Promise<readonly [number | undefined, string]> => {
  const { answers } = await sendRaw(gateway.port, bytes, { answers: 1 });
  const { result } = JSON.parse(answers[0]?.body ?? '{}') as { result?: { code: string } };
  return [answers[0]?.status, result?.code ?? ''];
};

const paymentsOf = async (merchantTransactionId: string) => {
  const { body } = await gateway.get('v1/query', { merchantTransactionId });
  return (body['payments'] ?? []) as readonly { id: string; result: { code: string } }[];
};

test.each<[string, readonly string[], string, number, string]>([
  ['a token', [`Authorization: Bearer ${token}`], entityId, 200, DONE],
  ['another case', [`authorization: bearer ${token}`], entityId, 200, DONE],
  ['more spaces', [`Authorization:   Bearer   ${token}  `], entityId, 200, DONE],
  ['the token of the other entity, for that entity', ['Authorization: Bearer other-token'], otherEntityId, 200, DONE],
  ['no header', [], entityId, 401, '800.900.300'],
  ['an empty header', ['Authorization:'], entityId, 401, '800.900.300'],
  ['no token', ['Authorization: Bearer'], entityId, 401, '800.900.300'],
  ['another scheme', [`Authorization: Basic ${token}`], entityId, 401, '800.900.300'],
  ['no scheme', [`Authorization: ${token}`], entityId, 401, '800.900.300'],
  ['no space', [`Authorization: Bearer${token}`], entityId, 401, '800.900.300'],
  ['two tokens', [`Authorization: Bearer ${token} ${token}`], entityId, 401, '800.900.300'],
  ['two headers', [authorization, 'Authorization: Bearer other-token'], entityId, 401, '800.900.300'],
  ['a wrong token', ['Authorization: Bearer nobody'], entityId, 403, '800.900.300'],
  ['a token cut short', [`Authorization: Bearer ${token.slice(0, -1)}`], entityId, 403, '800.900.300'],
  ['the token of another entity', ['Authorization: Bearer other-token'], entityId, 403, '800.900.300'],
  ['an unknown entity', [authorization], 'f'.repeat(32), 403, '800.900.300'],
  ['an entity in capitals', [authorization], entityId.toUpperCase(), 400, '200.300.404'],
  ['no entity', [authorization], '', 400, '200.300.404'],
])('who asks with %s', async (_, headers, entity, status, code) => {
  const body = encoded({ ...cent(), entityId: entity });
  expect(await exchange(rawRequest({ line: 'POST /v1/payments', headers: [...headers, form], body: body }))).toEqual([
    status,
    code,
  ]);
});

const post = (body: string, headers: readonly string[] = [form], line = 'POST /v1/payments') =>
  rawRequest({ line, headers: [authorization, ...headers], body: body });
/** Padded by an empty parameter, which counts as absent. */
const filled = (size: number): string => `${`${body}&`.padEnd(size - 1, 'p')}=`;
const chunked = (...sizes: (readonly [string, string])[]): string =>
  rawRequest({ line: 'POST /v1/payments', headers: [authorization, form, 'Transfer-Encoding: chunked'] }) +
  sizes.map(([size, chunk]) => `${size}\r\n${chunk}\r\n`).join('');
const notUtf8 = (byte: number): number => (byte === 0x40 ? 0xff : byte);
const REFUSED = [400, '200.100.103'] as const;
const WRONG = [400, '200.300.404'] as const;
const WELL = [200, DONE] as const;

test.each<[string, string | Uint8Array, readonly [number, string]]>([
  ['nothing', post(''), WRONG],
  ['no length at all', rawRequest({ line: 'POST /v1/payments', headers: [authorization, form] }), WRONG],
  ['1 MiB', post(filled(1_048_576)), WELL],
  ['one byte more than 1 MiB', post(filled(1_048_577)), REFUSED],
  ['pieces', chunked([body.length.toString(16), body], ['0', '']), WELL],
  ['a chunk without a size', chunked(['zz', '']), REFUSED],
  ['an escape that is not hex', post(`${body}&merchantMemo=%zz`), REFUSED],
  ['an escape that is not UTF-8', post(`${body}&merchantMemo=%C3%28`), REFUSED],
  ['an escaped NUL', post(`${body}&merchantMemo=a%00b`), REFUSED],
  ['raw bytes that are not UTF-8', Buffer.from(post(`${body}&merchantMemo=@@`)).map(notUtf8), REFUSED],
  ['a name twice', post(`${body}&amount=0.01`), WRONG],
  ['a very long name', post(`${body}&${'n'.repeat(60_000)}=1`), WRONG],
  ['very many names', post(`${body}&${Array.from({ length: 1900 }, (_, i) => `n${i}=1`).join('&')}`), WRONG],
  ['__proto__', post(`${body}&__proto__[polluted]=1&customParameters[__proto__]=1`), WRONG],
  ['brackets in brackets', post(`${body}&customParameters[abc][def]=1`), WRONG],
  ['JSON', post('{}', ['Content-Type: application/json']), REFUSED],
  ['no type', post(body, []), REFUSED],
  ['Latin-1', post(body, [`${form}; charset=ISO-8859-1`]), REFUSED],
  ['UTF-8, said aloud', post(body, [`${form};charset="UTF-8"`]), WELL],
  ['gzip', post(body, [form, 'Content-Encoding: gzip']), REFUSED],
  ['parameters in the query string', post(body, [form], 'POST /v1/payments?amount=1'), REFUSED],
  ['a slash behind', post(body, [form], 'POST /v1/payments/'), WELL],
  ['another method', post(body, [form], 'PUT /v1/payments'), [405, '200.300.403']],
  ['another path', post(body, [form], 'POST /v1/payment'), [404, '200.300.406']],
  ['a key with a space', post(body, [form, 'Idempotency-Key: a b']), REFUSED],
  ['the payment’s own card number in a note', post(`${body}&customParameters[note]=${pan}`), WRONG],
  ['no HTTP', 'hello\r\n\r\n', REFUSED],
])('a body of %s', async (_, bytes, expected) => {
  expect(await exchange(bytes)).toEqual(expected);
});

test('fifty equal sales at once make one payment, also after a restart', async () => {
  const sale = posSale({ merchantTransactionId: 'fifty-at-once', 'pos.encryptedPin.data': pinData });
  const sent = { ...sale, 'pos.encryptedPin.ksn': 'FFFF9876543210E00003', 'card.number': pan };
  const complete = { ...sent, 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
  const replies = await Promise.all(Array.from({ length: 50 }, () => gateway.post('v1/payments', complete)));
  await restart('SIGTERM');
  const repeated = await gateway.post('v1/payments', complete);
  expect(new Set([...replies, repeated].map(({ text }) => text)).size).toBe(1);
  expect(await paymentsOf('fifty-at-once')).toHaveLength(1);
});

test('thirty refunds at once never exceed the payment', async () => {
  const sale = await gateway.post('v1/payments', payment({ amount: '1.00' }));
  const refund = { paymentType: 'RF', amount: '0.09', currency: 'EUR' };
  const path = `v1/payments/${idOf(sale)}`;
  const replies = await Promise.all(Array.from({ length: 30 }, () => gateway.post(path, refund)));
  expect(replies.filter(({ code }) => code === DONE)).toHaveLength(11);
  expect(replies.filter(({ code }) => code === '700.400.200')).toHaveLength(19);
});

test('when told to stop it does not wait for idle connections', async () => {
  const idle = connect(gateway.port, '127.0.0.1').on('error', () => {});
  const half = connect(gateway.port, '127.0.0.1').on('error', () => {});
  await new Promise<void>((resolve) => half.write(post(body).slice(0, -1), () => resolve()));
  await gateway.get('v1/query', { merchantTransactionId: 'anything' });
  await restart('SIGTERM');
  idle.destroy();
  half.destroy();
});

/** Eight tills that pay as fast as they can until the gateway is gone. By reference; undefined where no answer came. */
const payUntilKilled = async (round: number, killAfter: number): Promise<Map<string, Reply | undefined>> => {
  const replies = new Map<string, Reply | undefined>();
  let answers = 0;
  let exited: Promise<unknown> | undefined;
  const till = async (number: number): Promise<void> => {
    // Until no answer comes any more: each till is left with one sale whose ending it does not know.
    for (let count = 0; ; count++) {
      const merchantTransactionId = `killed-${round}-${number}-${count}`;
      replies.set(merchantTransactionId, undefined);
      const reply = await gateway.post('v1/payments', cent({ merchantTransactionId }), keyOf(merchantTransactionId));
      replies.set(merchantTransactionId, reply);
      answers += 1;
      if (answers === killAfter) exited = gateway.end('SIGKILL');
    }
  };
  await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(till));
  await exited;
  return replies;
};

const keyOf = (reference: string): Parameters => ({ 'idempotency-key': `key-${reference}` });

test.each([
  [1, 40],
  [2, 101],
  [3, 163],
])('killed under load, round %i after %i answers', async (round, killAfter) => {
  const replies = await payUntilKilled(round, killAfter);
  expect([...replies.values()].filter((reply) => reply === undefined).length).toBeGreaterThan(0);
  gateway = await startGateway(folder, channels);
  for (const [reference, before] of replies) {
    const found = await paymentsOf(reference);
    if (before !== undefined) expect(found).toMatchObject([{ id: idOf(before), result: { code: before.code } }]);
    expect(found.filter(({ result }) => result.code === '000.200.000')).toEqual([]);
    // Whatever the till knew, its repeat finds the payment, or makes the first one that the acquirer sees.
    const repeated = await gateway.post('v1/payments', cent({ merchantTransactionId: reference }), keyOf(reference));
    if (before !== undefined) expect(repeated.text).toBe(before.text);
    const seen = (await paymentsOf(reference)).filter(({ result }) => result.code !== NEVER_SENT);
    expect(seen).toMatchObject([{ id: idOf(repeated), result: { code: DONE } }]);
  }
});

test('killed while the acquirer was slow: after the restart the payment has its ending', async () => {
  const reference = 'slow-acquirer';
  const slowPayment = payment({ amount: '8000.98', merchantTransactionId: reference });
  const unanswered = gateway.post('v1/payments', slowPayment, keyOf(reference)).catch(() => 'no answer');
  while ((await paymentsOf(reference)).length === 0);
  await gateway.end('SIGKILL');
  expect(await unanswered).toBe('no answer');
  gateway = await startGateway(folder, channels);
  const [found] = await paymentsOf(reference);
  // Killed before the request reached the acquirer, it ends as never sent, and its repeat is carried out as new.
  expect([DONE, NEVER_SENT]).toContain(found?.result.code);
  const repeated = await gateway.post('v1/payments', slowPayment, keyOf(reference));
  expect(repeated.code).toBe(DONE);
  expect(repeated.body['id'] === found?.id).toBe(found?.result.code === DONE);
});

test('a chip sale with PIN is approved, and recognised by the terminal’s counter', async () => {
  const sent = chipSale();
  const sale = await gateway.post('v1/payments', sent);
  expect(sale).toMatchObject({ status: 200, code: DONE, body: { card: { bin: pan.slice(0, 6) } } });
  await restart('SIGKILL');
  expect((await gateway.post('v1/payments', sent)).text).toBe(sale.text);
});

test('after all this no file has card data, and there was no internal error', async () => {
  const needles = [pan, pinData, `${pan}=${testCard('visa-credit').expiry}`, toHex(clearPinBlock)];
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
  await restart('SIGTERM');
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
});
