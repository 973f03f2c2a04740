/** The data sent to the processor, the stored parts of its answer, and the parts never stored. */
import { expect, test } from 'vitest';
import { returnPage } from '../../../../src/gateway/acquirers/upstream/shopper-return.ts';
import { bench, ENTITY, follow, sale, UPSTREAM_ENTITY } from './bench.ts';

test('the merchant’s parameters are forwarded, except those that concern only this gateway', async () => {
  const { host, acquirer } = await bench();
  const request = sale();
  await acquirer.authorise(request);
  const [sentRequest] = host.posted;
  expect(sentRequest?.path).toBe('/v1/payments');
  expect(sentRequest?.headers).toMatchObject({
    authorization: 'Bearer upstream-token',
    'idempotency-key': request.id,
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
  });
  expect(sentRequest?.form).toEqual({
    entityId: UPSTREAM_ENTITY,
    amount: '12.50',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'VISA',
    merchantTransactionId: request.id,
    'customParameters[merchantTransactionId]': 'till-7-000042',
    'card.number': '4200000000000000',
    'card.expiryMonth': '12',
    'card.expiryYear': '2031',
    'card.cvv': '123',
    'customParameters[forceResultCode]': '000.100.110',
  });
});

test('a capture’s memo and invoice number are not forwarded either', async () => {
  const { host, acquirer } = await bench();
  const start = sale();
  await acquirer.authorise(start);
  const merchantData = {
    merchantMemo: 'table 12, window',
    merchantInvoiceId: 'INV-2026-0042',
    merchantTransactionId: 'till-7-43',
  };
  const capture = follow(start.id, { operation: 'capture', parameters: { entityId: ENTITY, ...merchantData } });
  await acquirer.refer(capture);
  const [, { form } = {}] = host.posted;
  expect(form).toMatchObject({
    merchantTransactionId: capture.id,
    'customParameters[merchantTransactionId]': 'till-7-43',
  });
  expect(Object.keys(form ?? {}).filter((name) => /Memo|Invoice/.test(name))).toEqual([]);
});

test('the shopper returns to this gateway, and is redirected to the merchant', async () => {
  const { host, acquirer, memory } = await bench();
  const from = {
    'simulator.baseUrl': 'https://pay.example/shop/',
    shopperResultUrl: 'https://merchant.test/thanks#top',
  };
  const parameters = { entityId: ENTITY, ...from };
  const { id } = sale();
  await acquirer.authorise(sale({ id, parameters }));
  const page = `https://pay.example/shop/v1/processor/return/${id}`;
  expect(host.posted[0]?.form['shopperResultUrl']).toBe(page);
  const silentPage = returnPage({ memory, onDecision: () => Promise.reject(new Error('silent')), report: () => {} });
  const answer = await silentPage.handle(new Request(`${page}?id=theirs&resourcePath=%2Fv1%2Fpayments%2Ftheirs`));
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    `https://merchant.test/thanks?id=${id}&resourcePath=%2Fv1%2Fpayments%2F${id}#top`,
  ]);
  // A payment without a browser has no return address.
  await acquirer.authorise(sale({ parameters: { entityId: ENTITY, shopperResultUrl: 'https://merchant.test/' } }));
  expect(host.posted[1]?.form).not.toHaveProperty('shopperResultUrl');
});

test('an authorisation in yen has only zero decimals, and one in dinars keeps two', async () => {
  const { host, acquirer } = await bench();
  await acquirer.authorise(sale({ amount: { minor: 1250n, currency: 'JPY' } }));
  await acquirer.authorise(sale({ amount: { minor: 12_500n, currency: 'KWD' } }));
  expect(host.posted.map(({ form }) => form['amount'])).toEqual(['1250.00', '12.50']);
});

test('a terminal’s encrypted data are forwarded unchanged', async () => {
  const { host, acquirer } = await bench();
  const pos = { 'pos.encryptedSred.data': '9C1D0E5A', 'pos.encryptedPin.data': '1C41AB4A', 'pos.terminalId': '7' };
  const { card: _, ...request } = sale({ account: 'pos', parameters: { entityId: ENTITY, ...pos } });
  await acquirer.authorise(request);
  expect(host.posted[0]?.form).toMatchObject(pos);
});

const processorDetails = {
  card: {
    bin: '420000',
    last4Digits: '0000',
    holder: 'Jane Jones',
    expiryMonth: '12',
    expiryYear: '2031',
    number: '4200000000000000',
  },
  paymentBrand: 'VISA',
  resultDetails: {
    AcquirerResponse: '00',
    MerchantAdviceCode: '01',
    Echo: 'of 4200000000000000 here',
    Spoken: 'CVV 123, ４２００ 0000 0000 0000',
    n: 'too short',
    Odd: 7,
  },
  pos: {
    clearing: { authorizationAcquirerCode: 'A1', authorizationIssuerCode: 'B2', identifier: 'C3' },
    merchantId: '123456',
    iccDataResponse: '8A023030910A00112233445566773030570842000000000000005A084200000000000000',
    statusText: 'APPROVED',
  },
  redirect: { url: 'https://bank.example/go', parameters: [{ name: 'a', value: 'b' }, { name: 1 }] },
  secret: '4200000000000000',
};

test('only the host API’s fields of the answer are stored, without a card number', async () => {
  const { host, acquirer, memory } = await bench();
  const result = { code: '000.100.110', avsResponse: 'F', cvvResponse: 'M', more: 'x' };
  host.next({ does: 'answers', added: { ...processorDetails, result } });
  const answer = await acquirer.authorise(sale());
  expect(answer).toEqual({
    resultCode: '000.100.110',
    account: {
      brand: 'VISA',
      bin: '420000',
      last4Digits: '0000',
      holder: 'Jane Jones',
      expiryMonth: '12',
      expiryYear: '2031',
    },
    details: {
      AcquirerResponse: '00',
      MerchantAdviceCode: '01',
      Echo: 'of 420000******0000 here',
      Spoken: 'CVV ***, **** **** **** 0000',
    },
    clearing: processorDetails.pos.clearing,
    merchantId: '123456',
    iccDataResponse: '8A023030910A00112233445566773030',
    statusText: 'APPROVED',
    avsResponse: 'F',
    cvvResponse: 'M',
    redirect: {
      url: 'https://bank.example/go',
      method: 'POST',
      parameters: [{ name: 'a', value: 'b' }],
      preconditions: [],
    },
  });
  const stored = [...memory.documents.values()].join('\n');
  for (const secret of ['4200000000000000', '"123"', 'upstream-token']) expect(stored).not.toContain(secret);
});

test.each([
  [
    'details without end',
    { resultDetails: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`Name${n}`, 'x'.repeat(2000)])) },
  ],
  ['values without end', { resultDetails: { Long: 'x'.repeat(100_000) }, pos: { statusText: 'A'.repeat(100_000) } }],
  ['groups of the wrong type', { resultDetails: 'x', pos: [], card: 7, redirect: 'https://a/', merchant: null }],
  ['a script as a page', { redirect: { url: 'javascript:alert(1)' } }],
])('%s are shortened or dropped', async (_, details) => {
  const { host, acquirer, memory } = await bench();
  host.next({ does: 'answers', added: details });
  const answer = await acquirer.authorise(sale());
  expect(answer.resultCode).toBe('000.100.110');
  expect(answer.redirect).toBeUndefined();
  expect([...memory.documents.values()].join('').length).toBeLessThan(72_000);
});
