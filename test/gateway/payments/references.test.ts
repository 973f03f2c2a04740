/** Allowed follow-ups: every follow-up on every type of payment, and payments that are not the requester's. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  idOf,
  otherEntityId,
  type Parameters,
  payment,
  type Reply,
  type TestGateway,
  testGateway,
} from '../../support/gateway/gateway.ts';
import { openShop } from './gateway-in-memory.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

const OK = '000.100.110';
const part: Parameters = { amount: '1.00', currency: 'EUR' };

/** How a payment of each type is made. */
const chains: Readonly<Record<string, readonly string[]>> = {
  PA: ['PA'],
  DB: ['DB'],
  CD: ['CD'],
  'PA.CP': ['PA.CP'],
  CP: ['PA', 'CP'],
  RV: ['PA', 'RV'],
  RF: ['DB', 'RF'],
  RB: ['DB', 'RB'],
  RC: ['PA', 'RC'],
  CB: ['DB', 'CB'],
  CR: ['DB', 'CB', 'CR'],
};

/** The code for a payment that cannot have this follow-up. */
const refusals: Readonly<Record<string, string>> = {
  PA: '700.400.510',
  CP: '700.400.510',
  RC: '700.400.560',
  RV: '700.400.530',
  RF: '700.400.520',
  RB: '700.100.700',
  CB: '700.400.550',
  CR: '700.400.420',
};

/** Each type, and its allowed follow-ups. */
const table = `
  PA     PA CP RC RV -  -  -  -
  DB     -  -  RC RV RF RB CB -
  CD     -  -  -  RV RF -  -  -
  PA.CP  -  -  RC RV RF RB CB -
  CP     -  -  RC RV RF RB CB -
  RV     -  -  -  -  -  -  -  -
  RF     -  -  -  -  -  -  CB -
  RB     -  -  RC RV RF RB CB -
  RC     -  -  -  -  RF -  -  -
  CB     -  -  -  -  -  -  -  CR
  CR     -  -  -  -  -  -  CB -`;

const cells = table
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [parentId = '', ...allowedTypes] = line.trim().split(/ +/);
    return Object.keys(refusals).map((type) => ({
      type,
      of: parentId,
      code: allowedTypes.includes(type) ? OK : refusals[type],
    }));
  });

const startPayment = (paymentType: string): Promise<Reply> => gateway.post('v1/payments', payment({ paymentType }));
const follow = (parent: Reply, form: Parameters): Promise<Reply> => gateway.post(`v1/payments/${idOf(parent)}`, form);

const reached = async (chain: readonly string[]): Promise<Reply> => {
  const [start = '', ...then] = chain;
  let last = await startPayment(start);
  for (const paymentType of then) last = await follow(last, { ...part, amount: '5.00', paymentType });
  expect(last.code).toBe(OK);
  return last;
};

test('the table contains all types', () => {
  expect(cells).toHaveLength(8 * 11);
  expect(cells.filter(({ code }) => code === OK)).toHaveLength(30);
});

test.each(cells)('$type of $of is answered with $code', async ({ type, of: parentId, code }) => {
  const parent = await reached(chains[parentId] ?? []);
  const requestCount = gateway.acquirer.referred.length;
  const reply = await follow(parent, { ...part, paymentType: type });
  expect(reply).toMatchObject({ status: code === OK ? 200 : 400, code });
  expect(reply.body).toMatchObject({ paymentType: type, referencedId: idOf(parent) });
  expect(reply.body['amount']).toBe(code === OK ? '1.00' : undefined);
  if (code !== OK) {
    expect(reply.body['resultDetails']).toEqual({
      ExtendedDescription: `A ${parentId} cannot be followed by ${type}.`,
    });
  }
  expect(gateway.acquirer.referred.length - requestCount).toBe(code === OK ? 1 : 0);
  expect((await gateway.get(`v1/payments/${idOf(reply)}`)).text).toBe(reply.text);
});

describe.each(Object.entries(refusals))('%s', (paymentType, code) => {
  const form = { ...part, paymentType };

  test('is refused for a declined payment and for one that waits', async () => {
    gateway.acquirer.next({ resultCode: '800.100.155' }, { resultCode: '000.200.000' });
    const start = ['PA', 'CP', 'RC', 'RV'].includes(paymentType) ? 'PA' : 'DB';
    const refusal = await follow(await startPayment(start), form);
    expect(refusal).toMatchObject({ status: 400, code });
    // A chargeback reversal of anything but a chargeback is refused for its type, even while the payment waits.
    const early = await follow(await startPayment(start), form);
    expect(early).toMatchObject({ status: 400, code: paymentType === 'CR' ? code : '700.400.570' });
    expect(gateway.acquirer.referred).toEqual([]);
  });

  test('an unknown payment and another channel’s get the same answer', async () => {
    const ownReply = await startPayment('PA');
    const entity = { entityId: otherEntityId };
    const headers = { authorization: 'Bearer other-token' };
    const replies = [
      await gateway.post(`v1/payments/${'f'.repeat(32)}`, { ...entity, ...form }, headers),
      await gateway.post(`v1/payments/${idOf(ownReply)}`, { ...entity, ...form }, headers),
    ];
    expect(replies[0]).toMatchObject({ status: 404, code });
    expect(replies[0]?.body['resultDetails']).toEqual({ ExtendedDescription: 'There is no payment with this id.' });
    expect(comparableBody(replies[1])).toBe(comparableBody(replies[0]));
    expect(gateway.acquirer.referred).toEqual([]);
  });
});

/** The answer's bytes without the fields that differ in every answer. */
const comparableBody = (reply: Reply | undefined): string | undefined =>
  reply?.text.replace(/"(id|ndc|timestamp)":"[^"]*"/g, '"$1":"…"');

test('reading an unknown payment and another channel’s gives the same answer', async () => {
  const ownReply = await startPayment('DB');
  const headers = { authorization: 'Bearer other-token' };
  for (const path of ['v1/payments', 'v1/query', 'v3/query']) {
    const [unknown, otherReply] = await Promise.all(
      ['f'.repeat(32), idOf(ownReply)].map((id) =>
        gateway.raw(`${path}/${id}?entityId=${otherEntityId}`, { method: 'GET', headers }),
      ),
    );
    expect(unknown).toMatchObject({ status: 404, code: '700.400.580' });
    expect(comparableBody(otherReply)).toBe(comparableBody(unknown));
  }
});

test.each<[string, Parameters, string]>([
  ['another currency', { ...part, currency: 'USD' }, '700.100.500'],
  ['another brand', { ...part, paymentBrand: 'MASTER' }, '700.100.400'],
  ['nothing', { ...part, amount: '0.00' }, '100.550.300'],
])('%s is refused for every allowed follow-up', async (_, form, code) => {
  for (const { type, of: parentId } of cells.filter((cell) => cell.code === OK)) {
    const reply = await follow(await reached(chains[parentId] ?? []), { ...form, paymentType: type });
    expect([type, parentId, reply.status, reply.code]).toEqual([type, parentId, 400, code]);
  }
});

test('the acquirer gets the operation and the money’s own id', async () => {
  const acquirerSaw = async (parentId: string, type: string): Promise<readonly [string, string]> => {
    const parent = await reached(chains[parentId] ?? []);
    const reply = await follow(parent, { ...part, paymentType: type });
    expect(reply.code).toBe(OK);
    const { operation = '', of: money = '' } = gateway.acquirer.referred.at(-1) ?? {};
    const roots = gateway.acquirer.authorised.map(({ id }) => id);
    return [operation, money === roots.at(-1) ? 'the start' : money === idOf(parent) ? 'its own' : 'another'];
  };
  const expected: readonly (readonly [string, string, string, string])[] = [
    ['PA', 'PA', 'increase', 'the start'],
    ['PA', 'CP', 'capture', 'the start'],
    ['PA', 'RC', 'receipt', 'the start'],
    ['PA', 'RV', 'reverse', 'the start'],
    ['CP', 'RF', 'refund', 'the start'],
    // Captured money is refunded, because it is no longer only held.
    ['CP', 'RV', 'refund', 'the start'],
    ['DB', 'RB', 'rebill', 'the start'],
    ['DB', 'CB', 'chargeback', 'the start'],
    ['CB', 'CR', 'chargebackReversal', 'the start'],
    ['CR', 'CB', 'chargeback', 'the start'],
    // A rebill is new money.
    ['RB', 'RF', 'refund', 'its own'],
  ];
  for (const [parentId, type, operation, money] of expected) {
    expect([parentId, type, ...(await acquirerSaw(parentId, type))]).toEqual([parentId, type, operation, money]);
  }
});

test.each([
  [undefined, '10.00', '10.01', '10.00'],
  ['25.50', '25.50', '25.51', '25.50'],
])('a rebill of a sale of 10.00, limited by %s', async (rebillUpTo, allowedAmount, excessAmount, remaining) => {
  const shop = await testGateway({ channel: rebillUpTo === undefined ? {} : { rebillUpTo } });
  const sale = await shop.post('v1/payments', payment());
  const rebill = (amount: string) =>
    shop.post(`v1/payments/${idOf(sale)}`, { paymentType: 'RB', amount, currency: 'EUR' });
  expect(await rebill(excessAmount)).toMatchObject({
    status: 400,
    code: '700.100.300',
    body: { resultDetails: { ExtendedDescription: `At most ${remaining} EUR is left.` } },
  });
  // Each rebill has its own limit, and takes nothing from the amount that the sale can refund.
  expect([(await rebill(allowedAmount)).code, (await rebill(allowedAmount)).code]).toEqual([OK, OK]);
  const refund = { paymentType: 'RF', amount: '10.00', currency: 'EUR' };
  expect((await shop.post(`v1/payments/${idOf(sale)}`, refund)).code).toBe(OK);
  await shop.store.close();
});

test('a limit with cents does not affect a refund in yen, and its whole yen limit a rebill', async () => {
  const shop = await testGateway({ channel: { rebillUpTo: '25.50' } });
  const sale = await shop.post('v1/payments', payment({ amount: '100', currency: 'JPY' }));
  const refundOf = (paymentType: string, amount: string) =>
    shop.post(`v1/payments/${idOf(sale)}`, { paymentType, amount, currency: 'JPY' });
  expect((await refundOf('RB', '26')).code).toBe('700.100.300');
  expect((await refundOf('RB', '25')).code).toBe(OK);
  expect((await refundOf('RF', '100')).code).toBe(OK);
  expect(shop.reported).toEqual([]);
  await shop.store.close();
});

test('the simulators process whatever the table allows', async () => {
  const shop = await openShop();
  const { post } = shop;
  for (const { type, of: parentId } of cells.filter((cell) => cell.code === OK)) {
    const [start = '', ...then] = chains[parentId] ?? [];
    let last = await post('v1/payments', payment({ paymentType: start }));
    const codes: string[] = [];
    for (const paymentType of [...then, type]) {
      last = await post(`v1/payments/${idOf(last)}`, { ...part, paymentType });
      codes.push(last.code);
    }
    expect([type, parentId, codes]).toEqual([type, parentId, Array(codes.length).fill(OK)]);
  }
  await shop.gateway.close();
});
