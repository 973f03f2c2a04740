import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/gateway/operations/all.ts';
import type { Row } from '../../src/gateway/parameters/row.ts';
import { limitsOf, sendable } from '../gateway/parameters/cases.ts';
import type { Parameters, Reply } from '../support/gateway.ts';
import { card, requests } from './companions.ts';
import { type Host, openHost } from './host.ts';

const REFUSED = '200.300.404';
/** Accounts that can be charged and not stored: a registration of one is refused whatever it says of it. */
const unstorable = /^(giftCard|applePay|googlePay|samsungPay|pos)\./;
/** Rows that an operation knows only to say in its own words why it does not take them. */
const isNever = (line: string, name: string): boolean =>
  name.startsWith('overridePaymentType') || (line === 'POST /v1/registrations' && unstorable.test(name));
/** Tokens that only a wallet can make: any text has the form, and what is no token is refused by who opens it. */
const isSealed = (name: string): boolean => name.endsWith('.paymentToken');

let host: Host;
let stored: string;
beforeAll(async () => {
  host = await openHost();
  stored = await host.made('POST /v1/registrations', { ...card, paymentBrand: 'VISA' });
});
afterAll(async () => {
  await host.close();
});

/** The path with an id in it: a stored card, or a payment of which much can be captured. */
const lineFor = async (line: string): Promise<string> => {
  if (!line.includes(':id')) return line;
  if (line.includes('registrations')) return line.replace(':id', stored);
  const held = { ...card, amount: '100.00', currency: 'EUR', paymentType: 'PA' };
  return line.replace(':id', await host.made('POST /v1/payments', held));
};

const namesOf = ({ body }: Reply): string[] => {
  const { parameterErrors = [] } = body['result'] as { parameterErrors?: { name: string }[] };
  return parameterErrors.map(({ name }) => name);
};

type Case = readonly [name: string, row: Row];

test('no operation that takes parameters is left out', () => {
  const many = endpoints.map((each) => each.operation).filter(({ accepts }) => Object.keys(accepts).length > 1);
  const lines = many.filter(({ method }) => method !== 'DELETE').map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(requests).sort()).toEqual(lines.sort());
});

describe.each(Object.keys(requests))('%s', (line) => {
  const operation = endpoints.map((each) => each.operation).find(({ method, path }) => `${method} ${path}` === line);
  const rows: readonly Case[] = Object.entries(operation?.accepts ?? {});
  const around = (name: string): Parameters => requests[line]?.(name) ?? {};

  test('takes parameters', () => expect(rows.length).toBeGreaterThan(1));

  test.each(rows)('%s', async (template, row) => {
    const name = sendable(template);
    const target = await lineFor(line);
    const { inside, outside } = limitsOf(row);
    const send = (value: string) => host.ask(target, { ...around(name), [name]: value });
    const ask = (values: readonly string[]) =>
      Promise.all(values.map(async (value) => ({ value: value.slice(0, 40), reply: await send(value) })));

    const never = isNever(line, template);
    for (const { value, reply } of await ask(isSealed(name) ? [around(name)[name] ?? ''] : inside)) {
      const refused = reply.code === REFUSED || reply.status > 400;
      expect([value, reply.text, refused]).toEqual([value, reply.text, never]);
    }
    // An empty value is an absent one.
    for (const { value, reply } of await ask(outside.filter((each) => each !== ''))) {
      const names = namesOf(reply).filter((each) => !never || each === name);
      expect([value, reply.status, reply.code, names]).toEqual([value, 400, REFUSED, [name]]);
    }
  });
});

test('so many requests are no accident', () => {
  expect(host.asked()).toBeGreaterThan(12_000);
});
