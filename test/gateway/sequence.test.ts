/** Allowed follow-ups, as stories: one line per request, with the result code that it gets. */
import { expect, test } from 'vitest';
import { describe } from '../../src/gateway/spec/results.ts';
import { idOf, type Parameters, payment, type Reply, testGateway } from '../support/gateway/gateway.ts';

const OK = '000.100.110';

/** `name: type amount [of name] [key=value …] -> code [text of the detail]` */
const stories: Readonly<Record<string, string>> = {
  'an authorisation is captured in parts, then no more': `
    a: PA 10.00 -> ${OK}
    b: CP 4.00 of a -> ${OK}
    c: CP 7.00 of a -> 700.400.100 | At most 6.00 EUR is left.
    d: CP 6.00 of a -> ${OK}
    e: CP 0.01 of a -> 700.400.100 | Nothing of the payment is left.`,
  'each capture is refunded by itself, in parts': `
    a: PA 10.00 -> ${OK}
    b: CP 4.00 of a -> ${OK}
    c: RF 3.00 of b -> ${OK}
    d: RF 1.01 of b -> 700.400.200 | At most 1.00 EUR is left.
    e: RF 1.00 of b -> ${OK}
    f: RF 1.00 of b -> 700.400.200 | Nothing of the payment is left.`,
  'a sale is refunded once, not twice': `
    a: DB 10.00 -> ${OK}
    b: RF 10.00 of a -> ${OK}
    c: RF 10.00 of a -> 700.400.200 | Nothing of the payment is left.`,
  'a sale is reversed once, not twice, and cannot be refunded then': `
    a: DB 10.00 -> ${OK}
    b: RV - of a -> ${OK}
    c: RV - of a -> 700.400.300 | Nothing of the payment is left.
    d: RF 1.00 of a -> 700.400.200 | Nothing of the payment is left.`,
  'a part is reversed, the rest stays': `
    a: PA 10.00 -> ${OK}
    b: RV 4.00 of a -> ${OK}
    c: CP 6.01 of a -> 700.400.100 | At most 6.00 EUR is left.
    d: CP 6.00 of a -> ${OK}`,
  'a fully captured or refunded payment cannot be reversed': `
    a: PA 10.00 -> ${OK}
    b: CP 10.00 of a -> ${OK}
    c: RV - of a -> 700.400.300 | Nothing of the payment is left.
    d: DB 10.00 -> ${OK}
    e: RF 1.00 of d -> ${OK}
    f: RV - of d -> 700.400.300 | It was followed by a RF.`,
  'the uncaptured amount can be released at any time': `
    a: PA 10.00 -> ${OK}
    b: CP 4.00 of a -> ${OK}
    c: RV 6.01 of a -> 700.400.300 | At most 6.00 EUR is left.
    d: RV 1.00 of a -> ${OK}
    e: RV - of a -> ${OK}
    f: RV - of a -> 700.400.300 | Nothing of the payment is left.
    g: CP 0.01 of a -> 700.400.100 | Nothing of the payment is left.
    h: RF 4.00 of b -> ${OK}`,
  'a credit can be reversed': `
    a: CD 10.00 -> ${OK}
    b: RV - of a -> ${OK}
    c: RV - of a -> 700.400.300 | Nothing of the payment is left.`,
  'a credit is refunded in parts, and cannot be reversed then': `
    a: CD 10.00 -> ${OK}
    b: RF 4.00 of a -> ${OK}
    c: RF 6.01 of a -> 700.400.200 | At most 6.00 EUR is left.
    d: RV - of a -> 700.400.300 | It was followed by a RF.`,
  'authorise-and-capture has the follow-ups of a sale': `
    a: PA.CP 10.00 -> ${OK}
    b: CP 10.00 of a -> 700.400.510 | A PA.CP cannot be followed by CP.
    c: RF 2.00 of a -> ${OK}`,
  'a refund to the last cent': `
    a: DB 10.00 -> ${OK}
    b: RF 3.33 of a -> ${OK}
    c: RF 3.33 of a -> ${OK}
    d: RF 3.35 of a -> 700.400.200 | At most 3.34 EUR is left.
    e: RF 3.33 of a -> ${OK}
    f: RF 0.02 of a -> 700.400.200 | At most 0.01 EUR is left.
    g: RF 0.01 of a -> ${OK}
    h: RF 0.01 of a -> 700.400.200 | Nothing of the payment is left.`,
  'a capture can be reversed until something followed it, and then has nothing left': `
    a: PA 10.00 -> ${OK}
    b: CP 6.00 of a -> ${OK}
    c: RV 2.00 of b -> ${OK}
    d: RV - of b -> ${OK}
    e: RV - of b -> 700.400.300 | Nothing of the payment is left.
    f: RF 1.00 of b -> 700.400.200 | Nothing of the payment is left.
    g: CP 4.01 of a -> 700.400.100 | At most 4.00 EUR is left.
    h: RV - of a -> ${OK}
    i: CP 0.01 of a -> 700.400.100 | Nothing of the payment is left.`,
  'an authorisation is increased, and the larger amount captured': `
    a: PA 10.00 -> ${OK}
    b: CP 10.01 of a -> 700.400.100 | At most 10.00 EUR is left.
    c: PA 5.00 of a -> ${OK}
    d: PA 2.00 of a answer=800.100.155 -> 800.100.155
    e: CP 15.01 of a -> 700.400.100 | At most 15.00 EUR is left.
    f: CP 15.00 of a -> ${OK}
    g: RF 15.00 of f -> ${OK}`,
  'a rebill does not prevent the reversal of the payment it repeats, and is reversed by itself': `
    a: DB 10.00 -> ${OK}
    b: RB 10.00 of a -> ${OK}
    c: RV - of a -> ${OK}
    d: RF 4.00 of b -> ${OK}
    e: RV - of b -> 700.400.300 | It was followed by a RF.`,
  'an increase is a part of the whole, and cannot be captured by itself again': `
    a: PA 10.00 -> ${OK}
    b: PA 5.00 of a -> ${OK}
    c: CP 5.00 of b -> 700.400.510 | Follow-ups of an increase must name the original authorisation.
    d: RV - of b -> 700.400.530 | Follow-ups of an increase must name the original authorisation.
    e: PA 5.00 of b -> 700.400.510 | Follow-ups of an increase must name the original authorisation.
    f: CP 15.00 of a -> ${OK}`,
  'an increase does not prevent a reversal of the whole': `
    a: PA 10.00 -> ${OK}
    b: PA 5.00 of a -> ${OK}
    c: RV 15.00 of a -> ${OK}
    d: CP 0.01 of a -> 700.400.100 | Nothing of the payment is left.`,
  'a transfer is received in parts, and refunded': `
    a: PA 10.00 -> ${OK}
    b: RC 6.00 of a -> ${OK}
    c: RC 4.01 of a -> 700.400.100 | At most 4.00 EUR is left.
    d: RF 6.01 of b -> 700.400.200 | At most 6.00 EUR is left.
    e: RF 6.00 of b -> ${OK}
    f: RC 4.00 of a -> ${OK}
    g: RV - of a -> 700.400.300 | Nothing of the payment is left.`,
  'a charged back payment cannot be refunded until the chargeback is reversed': `
    a: DB 10.00 -> ${OK}
    b: CB - of a -> ${OK}
    c: RF 1.00 of a -> 700.400.200 | Nothing of the payment is left.
    d: CB - of a -> 700.400.400 | It was already followed by a CB.
    e: RV - of a -> 700.400.300 | It was followed by a CB.
    f: CR - of b -> ${OK}
    g: CR - of b -> 700.400.410 | It was already followed by a CR.
    h: RF 10.00 of a -> ${OK}
    i: CB - of f -> ${OK}
    j: RF 0.01 of a -> 700.400.200 | Nothing of the payment is left.`,
  'a partial chargeback leaves the rest, and so does its partial reversal': `
    a: DB 10.00 -> ${OK}
    b: CB 4.00 of a -> ${OK}
    c: RF 6.01 of a -> 700.400.200 | At most 6.00 EUR is left.
    d: CR 4.01 of b -> 700.400.410 | At most 4.00 EUR is left.
    e: CR 1.00 of b -> ${OK}
    f: RF 7.01 of a -> 700.400.200 | At most 7.00 EUR is left.
    g: CB 0.50 of e -> ${OK}
    h: RF 6.51 of a -> 700.400.200 | At most 6.50 EUR is left.
    i: CR - of g -> ${OK}
    j: RF 7.00 of a -> ${OK}`,
  'a chargeback after a refund takes the rest': `
    a: DB 10.00 -> ${OK}
    b: RF 4.00 of a -> ${OK}
    c: CB 6.01 of a -> 700.400.400 | At most 6.00 EUR is left.
    d: CB - of a -> ${OK}`,
  'an uncertain chargeback reversal returns nothing yet': `
    a: DB 10.00 -> ${OK}
    b: CB - of a -> ${OK}
    c: CR - of b answer=900.100.300 -> 900.100.300
    d: RF 1.00 of a -> 700.400.200 | Nothing of the payment is left.`,
  'the last refund and the last reversal close the payment too': `
    a: DB 10.00 -> ${OK}
    b: RF 1.00 of a sequence=FINAL -> ${OK}
    c: RF 1.00 of a -> 700.400.200 | The final RF was made.
    d: PA 10.00 -> ${OK}
    e: RV 1.00 of d sequence=FINAL -> ${OK}
    f: RV 1.00 of d -> 700.400.300 | The final RV was made.
    g: CP 1.00 of d -> ${OK}`,
  'a receipt for money already taken moves nothing, and has no follow-ups': `
    a: DB 10.00 -> ${OK}
    b: RC 6.00 of a -> ${OK}
    d: RF 1.00 of b -> 700.400.520 | This receipt moved nothing. Name the payment that it confirms.
    e: RF 4.00 of a -> ${OK}
    f: PA 10.00 -> ${OK}
    g: CP 6.00 of f -> ${OK}
    h: RC 6.00 of g -> ${OK}
    i: RV - of g -> ${OK}`,
  'a declined last capture closes nothing, and does not count': `
    a: PA 10.00 numberOfCaptures=01 -> ${OK}
    b: CP 1.00 of a sequence=FINAL answer=800.100.155 -> 800.100.155
    c: CP 1.00 of a -> ${OK}
    d: CP 1.00 of a -> 700.400.100 | All 01 captures were made.`,
  'types that do not fit': `
    a: PA 10.00 -> ${OK}
    b: RF 1.00 of a -> 700.400.520 | A PA cannot be followed by RF.
    c: DB 10.00 -> ${OK}
    d: CP 1.00 of c -> 700.400.510 | A DB cannot be followed by CP.
    e: CP 4.00 of a -> ${OK}
    g: RF 1.00 of e -> ${OK}
    f: RV - of e -> 700.400.300 | It was followed by a RF.
    h: RF 1.00 of g -> 700.400.520 | A RF cannot be followed by RF.
    i: RV - of g -> 700.400.530 | A RF cannot be followed by RV.
    j: CD 1.00 -> ${OK}
    k: CP 1.00 of j -> 700.400.510 | A CD cannot be followed by CP.`,
  'a declined payment has no follow-ups': `
    a: PA 10.00 answer=800.100.155 -> 800.100.155
    b: CP 1.00 of a -> 700.400.510 | The payment was not successful.
    c: RV - of a -> 700.400.530 | The payment was not successful.
    d: DB 10.00 answer=800.100.155 -> 800.100.155
    e: RF 1.00 of d -> 700.400.520 | The payment was not successful.`,
  'a declined refund leaves its amount available': `
    a: DB 10.00 -> ${OK}
    b: RF 10.00 of a answer=800.100.152 -> 800.100.152
    c: RF 10.00 of a -> ${OK}`,
  'a pending payment has no follow-ups': `
    a: PA 10.00 answer=000.200.000 -> 000.200.000
    b: CP 1.00 of a -> 700.400.570 | The payment has no result yet.
    c: RV - of a -> 700.400.570 | The payment has no result yet.`,
  'another currency': `
    a: DB 10.00 -> ${OK}
    b: RF 1.00 of a currency=USD -> 700.100.500 | The payment is in EUR.
    c: RV 10.00 of a currency=USD -> 700.100.500 | The payment is in EUR.`,
  'another brand': `
    a: DB 10.00 paymentBrand=VISA -> ${OK}
    b: RF 1.00 of a paymentBrand=MASTER -> 700.100.400 | The payment is of VISA.
    c: RF 1.00 of a paymentBrand=VISA -> ${OK}`,
  'the last capture closes the authorisation': `
    a: PA 10.00 -> ${OK}
    b: CP 1.00 of a sequence=FINAL -> ${OK}
    c: CP 1.00 of a -> 700.400.100 | The final CP was made.
    d: RV - of a -> 700.400.300 | The last capture was made: nothing is held any more.
    e: PA 1.00 of a -> 700.400.100 | The last capture was made: nothing is held any more.
    f: RC 1.00 of a -> 700.400.100 | Nothing of the payment is left.
    g: RF 1.00 of b -> ${OK}`,
  'the allowed number of captures': `
    a: PA 10.00 numberOfCaptures=2 -> ${OK}
    b: CP 1.00 of a -> ${OK}
    c: CP 1.00 of a -> ${OK}
    d: CP 1.00 of a -> 700.400.100 | All 2 captures were made.
    e: RV - of a -> 700.400.300 | The last capture was made: nothing is held any more.`,
  'a missing or zero amount is refused': `
    a: DB 0.00 -> 100.550.300 | The amount is zero.
    b: DB 10.00 -> ${OK}
    c: RF 0.00 of b -> 100.550.300 | The amount is zero.`,
  'an unknown payment': `
    a: CP 1.00 of nothing -> 700.400.510 | There is no payment with this id.
    b: RF 1.00 of nothing -> 700.400.520 | There is no payment with this id.
    c: RV - of nothing -> 700.400.530 | There is no payment with this id.`,
};

const LINE = /^(\w+): (\S+) (\S+)(?: of (\w+))?((?: \w+=\S+)*) -> (\S+)(?: \| (.*))?$/;

test.each(Object.entries(stories))('%s', async (_, story) => {
  const gateway = await testGateway();
  const replies = new Map<string, Reply>();
  for (const line of story.trim().split('\n')) {
    const [, name = '', paymentType = '', amount = '-', of, options = '', code, text] = LINE.exec(line.trim()) ?? [];
    const { answer, ...extra } = Object.fromEntries(
      [...options.matchAll(/(\w+)=(\S+)/g)].map((found) => found.slice(1)),
    );
    if (answer !== undefined) gateway.acquirer.next({ resultCode: answer });
    const money: Parameters = amount === '-' ? {} : { amount, currency: 'EUR' };
    const parent = of === undefined ? undefined : replies.get(of);
    const id = parent === undefined ? 'f'.repeat(32) : idOf(parent);
    const reply =
      of === undefined
        ? await gateway.post('v1/payments', payment({ ...money, ...extra, paymentType }))
        : await gateway.post(`v1/payments/${id}`, { ...money, ...extra, paymentType });
    replies.set(name, reply);

    expect({ line, code: reply.code }).toEqual({ line, code });
    const details = reply.body['resultDetails'] as { ExtendedDescription?: string } | undefined;
    // A follow-up with details and no other text repeats its description there.
    const output = parent === undefined || details === undefined ? undefined : describe(reply.code);
    expect({ line, words: details?.ExtendedDescription }).toEqual({ line, words: text ?? output });
    expect(idOf(reply)).toMatch(/^[0-9a-f]{32}$/);
    const status = of !== undefined && parent === undefined ? 404 : /^000/.test(code ?? '') ? 200 : 400;
    expect({ line, status: reply.status }).toEqual({ line, status });
    if (parent !== undefined) expect(reply.body['referencedId']).toBe(idOf(parent));
    // The answer has an amount only if that amount was moved, or may still be moved.
    expect({ line, amount: reply.body['amount'] !== undefined }).toEqual({ line, amount: status === 200 });
  }
  await gateway.store.close();
});

test('the acquirer is asked about the authorisation, whatever the chain', async () => {
  const gateway = await testGateway();
  const hold = await gateway.post('v1/payments', payment({ paymentType: 'PA' }));
  const capture = await gateway.post(`v1/payments/${idOf(hold)}`, { paymentType: 'CP', amount: '4', currency: 'EUR' });
  await gateway.post(`v1/payments/${idOf(capture)}`, { paymentType: 'RF', amount: '1.50', currency: 'EUR' });
  expect(gateway.acquirer.referred.map(({ of, operation, amount }) => [of, operation, amount.minor])).toEqual([
    [idOf(hold), 'capture', 400n],
    [idOf(hold), 'refund', 150n],
  ]);
  await gateway.store.close();
});

test('two simultaneous refunds never exceed the payment', async () => {
  const gateway = await testGateway();
  const sale = await gateway.post('v1/payments', payment());
  const refund = { paymentType: 'RF', amount: '6.00', currency: 'EUR' };
  const replies = await Promise.all([1, 2, 3].map(() => gateway.post(`v1/payments/${idOf(sale)}`, refund)));
  expect(replies.map(({ code }) => code).sort()).toEqual([OK, '700.400.200', '700.400.200']);
  await gateway.store.close();
});

test('another merchant’s payment counts as unknown', async () => {
  const gateway = await testGateway();
  const sale = await gateway.post('v1/payments', payment());
  const headers = { authorization: 'Bearer other-token' };
  const entity = { entityId: '00000000000000000000000000000002' };
  const refund = { ...entity, paymentType: 'RV' };
  expect(await gateway.post(`v1/payments/${idOf(sale)}`, refund, headers)).toMatchObject({
    status: 404,
    code: '700.400.530',
  });
  const reply = await gateway.raw(`v1/payments/${idOf(sale)}?entityId=${entity.entityId}`, { method: 'GET', headers });
  expect(reply).toMatchObject({ status: 404, code: '700.400.580' });
  await gateway.store.close();
});
