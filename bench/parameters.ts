/** Parsing a payment of 60 parameters, compared with plain zod and a schema made from the same rows. */
import * as z from 'zod';
import type { ApiOperation } from '../src/gateway/spec/operation.ts';
import { sections } from '../src/gateway/spec/parameters/all.ts';
import { alphabets } from '../src/gateway/spec/parameters/formats.ts';
import { parserOf, type Sent } from '../src/gateway/spec/parameters/parser.ts';
import type { ParameterRow, Rows } from '../src/gateway/spec/parameters/row.ts';
import { type BenchResult, benchLine, measure } from './result.ts';

/** The maximum time for our parser to parse one request. */
export const PARSE_MAX_US = 40;
const COUNT = 60;

/** The rows of a payment: every section except those of queries and reports. */
const acceptedRows = (): Rows => {
  const { query, reporting: reportingRows, ...rest } = sections;
  return Object.assign({}, ...Object.values<Rows>(rest));
};

const item = (index: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      name: 'Garden hose 20 m',
      merchantItemId: 'HOSE-20',
      quantity: '2',
      price: '22.80',
      totalAmount: '45.60',
      tax: '20.00',
      currency: 'EUR',
    }).map(([name, value]) => [`cart.items[${index}].${name}`, value]),
  );

/** A shop's payment by card: the customer, the address, three items, and a few custom parameters. */
const request = (): Sent => {
  const form = {
    entityId: '8a8294174e735d0c014e78beb6b9154b',
    amount: '136.80',
    taxAmount: '22.80',
    currency: 'EUR',
    paymentBrand: 'VISA',
    paymentType: 'DB',
    descriptor: 'Corner Shop Graz',
    merchantTransactionId: 'web-2026-11-21-000042',
    merchantInvoiceId: 'INV-2026-0042',
    transactionCategory: 'EC',
    'card.number': '4200000000000000',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
    'customer.merchantCustomerId': 'C-10042',
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customer.birthDate': '1984-02-29',
    'customer.phone': '+43 316 555 0123',
    'customer.email': 'jane.jones@example.com',
    'customer.ip': '203.0.113.7',
    'customer.language': 'DE',
    'customer.browser.acceptHeader': 'text/html',
    'customer.browser.language': 'de-AT',
    'customer.browser.screenHeight': '1080',
    'customer.browser.screenWidth': '1920',
    'customer.browser.timezone': '-60',
    'customer.browser.userAgent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    'customer.browser.javaEnabled': 'false',
    'billing.street1': 'Hauptplatz 1',
    'billing.city': 'Graz',
    'billing.state': 'Steiermark',
    'billing.postcode': '8010',
    'billing.country': 'AT',
    ...item(0),
    ...item(1),
    ...item(2),
    shopperResultUrl: 'https://shop.example.com/paid?order=42',
    'customParameters[cashier]': 'web',
    'customParameters[campaign]': 'SUMMER26',
    'customParameters[3DS2_enrolled]': 'true',
  };
  return Object.assign(Object.create(null), form);
};

/** A row as a zod schema. */
const schemaOf = ({ form }: ParameterRow): z.ZodType => {
  if (form.kind === 'words') return z.enum(form.words as string[]);
  if (form.kind === 'shape') {
    const pattern = z.string().regex(form.pattern);
    return form.check === undefined ? pattern : pattern.refine(form.check);
  }
  const bounded = z.string().min(form.min).max(form.max);
  return form.of === 'any' ? bounded : bounded.regex(new RegExp(`^[${alphabets[form.of].set}]+$`, 'u'));
};

/** One strict object. zod has no lists and maps of flat names, so it gets the names in this request. */
const zodOf = (rows: Rows, form: Sent): z.ZodType => {
  const names = new Map(Object.keys(rows).map((name) => [name, name]));
  for (const name in form) {
    const template = name.replace(/\[\d+\]/g, '[n]').replace(/^customParameters\[.*\]$/, 'customParameters[key]');
    names.set(name, template);
  }
  return z.strictObject(
    Object.fromEntries(
      [...names].flatMap(([name, template]) => {
        const row = rows[template];
        return row === undefined ? [] : [[name, schemaOf(row).optional()] as const];
      }),
    ),
  );
};

export const benchParameters = (): BenchResult[] => {
  const rows = acceptedRows();
  const form = request();
  const operation: ApiOperation = {
    method: 'POST',
    path: '/v1/payments',
    summary: 'A payment.',
    accepts: rows,
    needs: ['entityId', 'amount', 'currency', 'paymentType'],
    rules: [],
  };
  const parse = parserOf(operation);
  const schema = zodOf(rows, form);
  const plainObject = { ...form };
  if (Object.keys(form).length !== COUNT) throw new Error(`the request has ${Object.keys(form).length} parameters`);
  const parsed = parse(form, 'strict');
  // Speed without correctness is worth nothing: both must accept the request, and refuse it with one value changed.
  const invalidParameters: Sent = Object.assign(Object.create(null), form, { 'cart.items[2].tax': '100.01' });
  const isRefused =
    'errors' in parse(invalidParameters, 'strict') && !schema.safeParse({ ...invalidParameters }).success;
  if (!('request' in parsed) || !schema.safeParse(plainObject).success || !isRefused)
    throw new Error('the two disagree');
  let acceptedCount = 0;
  const rates = measure(
    () => {
      if ('request' in parse(form, 'strict')) acceptedCount += 1;
    },
    () => {
      if (schema.safeParse(plainObject).success) acceptedCount += 1;
    },
  );
  if (acceptedCount === 0) throw new Error('nothing was parsed');
  return [
    {
      name: `Request of ${COUNT} parameters, ${Object.keys(rows).length} rows`,
      ...rates,
      peerName: 'plain zod',
      expected: 1,
    },
  ];
};

/** The time for one request in microseconds, and whether it is short enough. */
export const parseLine = ({ ours }: BenchResult): { line: string; isMet: boolean } => {
  const us = 1_000_000 / ours;
  const isMet = us < PARSE_MAX_US;
  return { line: `one request is parsed in ${us.toFixed(1)} µs (wanted: under ${PARSE_MAX_US})`, isMet };
};

if (import.meta.main) {
  const lines = benchParameters().flatMap((row) => [benchLine(row), parseLine(row).line]);
  process.stdout.write(`${lines.join('\n')}\n`);
}
