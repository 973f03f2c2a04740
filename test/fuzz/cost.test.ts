/** No request takes much time: neither through the patterns of single parameters, nor through their number. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printable } from '../../src/base/mask.ts';
import { sections } from '../../src/gateway/spec/parameters/all.ts';
import { createFormatTest } from '../../src/gateway/spec/parameters/formats.ts';
import type { Rows } from '../../src/gateway/spec/parameters/row.ts';
import { entityId, payment, type TestGateway, testGateway, token } from '../support/gateway/gateway.ts';
import { cpuTimeMs } from '../support/work/cpu-time.ts';

const LENGTH = 100_000;
/** Quadratic work in the length takes seconds; linear work takes milliseconds. */
const BOUND_MS = 750;

const timed = (work: () => unknown): number => {
  const startedAt = cpuTimeMs();
  work();
  return cpuTimeMs() - startedAt;
};

const PIECES = [
  '1',
  'a',
  'A',
  ' ',
  '-',
  '.',
  '+',
  '/',
  '=',
  'é',
  '\u0301',
  '\u0301\u0323',
  ',',
  '*/',
  '1,',
  'DB,',
  '1 ',
];
const adversarial = (piece: string, example: string): string[] => {
  const longText = piece.repeat(LENGTH / piece.length);
  return [longText, `${longText}\0`, `${example}${longText}!`, `${longText}${example}`];
};

test.each(Object.entries<Rows>(sections))('no pattern of %s takes long for a long value', (_, rows) => {
  for (const [name, row] of Object.entries(rows)) {
    for (const piece of PIECES) {
      for (const value of adversarial(piece, row.example)) {
        const took = timed(() => [createFormatTest(row)(value), row.key?.pattern.test(value)]);
        expect(took, `${name}, ${JSON.stringify(piece)}`).toBeLessThan(BOUND_MS);
      }
    }
  }
});

test.each([...PIECES, '1 1 1 1 1 1 1 1 1 1 1 x', '1\u0001\u0001', '12345678901 ', '1--'])(
  'a text of %j is quickly made printable',
  (piece) => {
    for (const text of adversarial(piece, '4200000000000000'))
      expect(timed(() => printable(text))).toBeLessThan(BOUND_MS);
  },
);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});
afterAll(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

const manyParameters = (name: (n: number) => string, count = 59_000): string =>
  Array.from({ length: count }, (_, n) => `${name(n)}=1`).join('&');
const mark = '\u0301'.repeat(80_000) + '\u0323'.repeat(80_000);

test.each<[string, string]>([
  ['strangers', manyParameters((n) => `n${n}`)],
  ['names with equal hashes if they were numbers', manyParameters((n) => String(1_000_000_000 + n * 65_536))],
  ['near misses', manyParameters((n) => `threeDSecure.v2.cartebancaire.requestorNam${n % 90}`)],
  ['one name', manyParameters(() => 'same')],
  ['each name twice', manyParameters((n) => `n${n >> 1}`)],
  ['overrides', manyParameters((n) => `overridePaymentType[B${n}]`, 30_000)],
  [
    'items of a cart',
    manyParameters((n) => `cart.items[${n % 1000}].${['name', 'sku', 'price', 'tax'][n % 4]}`, 4_000),
  ],
  ['brackets', `${'['.repeat(1_000_000)}=1`],
  ['brackets with keys', `customParameters${'[a]'.repeat(300_000)}=1`],
  ['brackets with numbers', `cart.items${'[1]'.repeat(300_000)}.name=1`],
  ['dots', `${'a.'.repeat(500_000)}=1`],
  ['card numbers', manyParameters((n) => `a${n}[4200 0000 0000 0000]`, 25_000)],
  ['combining marks', `merchantMemo=4${encodeURIComponent(mark)}2`.slice(0, 1_000_000)],
  ['plus signs', `merchantMemo=${'+'.repeat(1_000_000)}`],
  ['gaps between digits', `merchantMemo=${'1--'.repeat(330_000)}`],
])('a megabyte of %s is answered quickly', async (kind, form) => {
  const body = `${new URLSearchParams({ entityId, ...payment() })}&${form}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const startedAt = cpuTimeMs();
  const reply = await gateway.raw('v1/payments', {
    method: 'POST',
    body,
    headers: { ...headers, 'idempotency-key': kind.replaceAll(/\W/g, '-') },
  });
  expect(cpuTimeMs() - startedAt).toBeLessThan(BOUND_MS);
  expect(reply.status).toBe(400);
});
