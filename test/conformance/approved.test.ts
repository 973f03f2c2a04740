/** Checks the rule for "approved" in docs/clients.md against every answer for a declined and a paid order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Body } from '../support/gateway/gateway.ts';
import { type Host, openHost } from './host.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'clients.md'), 'utf8');
const [printedFunction = ''] = /^const isApproved = .*?;\n\n/ms.exec(page) ?? [];

const isApproved = runInNewContext(`${printedFunction} isApproved`) as (body: Body) => boolean;

let host: Host;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

const card = {
  paymentType: 'DB',
  'card.number': '4111111111111111',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};

test.each([
  ['a declined order', '8000.51', false],
  ['a paid order', '80.00', true],
])('%s', async (_, amount, approved) => {
  const order = { merchantTransactionId: `order-${amount}` };
  const sale = (await host.request('POST /v1/payments', { ...card, ...order, amount, currency: 'EUR' })).body;
  const single = [`GET /v1/payments/${sale['id']}`, `GET /v1/query/${sale['id']}`, `GET /v3/query/${sale['id']}`];
  const reports = [sale, ...(await Promise.all(single.map((line) => host.request(line)))).map(({ body }) => body)];
  expect(reports.map(isApproved)).toEqual(reports.map(() => approved));
  for (const line of ['GET /v1/query', 'GET /v3/query']) {
    const { body } = await host.request(line, order);
    expect([body['result'], isApproved(body)]).toMatchObject([{ code: '000.000.100' }, false]);
    expect((body['payments'] as Body[]).map(isApproved)).toEqual([approved]);
  }
});
