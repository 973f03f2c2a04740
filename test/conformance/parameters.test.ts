import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/gateway/operations/all.ts';
import type { Row } from '../../src/gateway/parameters/row.ts';
import { limitsOf, sendable } from '../gateway/parameters/cases.ts';
import type { Parameters, Reply } from '../support/gateway/gateway.ts';
import { card, requests } from './companions.ts';
import { type Host, openHost } from './host.ts';
import { type LineFor, targetsOn } from './targets.ts';

const REFUSED = '200.300.404';
const MALFORMED = '200.100.103';
/** Accounts that can be charged and not stored: a registration of one is refused whatever it says of it. */
const unstorable = /^(giftCard|applePay|googlePay|samsungPay|pos)\./;
/** Rows that an operation knows only to say in its own words why it does not take them. */
const isNever = (line: string, name: string): boolean =>
  (name.startsWith('overridePaymentType') && !/\/checkouts(\/:id)?$/.test(line)) ||
  (/^POST \/v1\/(registrations|checkouts\/:id\/registration)$/.test(line) && unstorable.test(name));
/** Tokens that only a wallet can make: any text has the form, and what is no token is refused by who opens it. */
const isSealed = (name: string): boolean => name.endsWith('.paymentToken');

/** An id of something that must be there, and that the request may be about. */
const isStored = (name: string): boolean => name === 'registrationId' || name === 'registrations[0].id';
/** Values of the right form that an operation refuses all the same, by name and in words of its own. */
const refusals: readonly (readonly [line: RegExp, name: RegExp, value: RegExp])[] = [
  // A browser is sent there, and not an app.
  [/\/checkouts/, /^(shopperResultUrl|notificationUrl)$/, /^(?!https?:)/],
  [/\/checkouts(\/:id)?$/, /^overridePaymentType/, /^(?!(PA|DB|CD)$)/],
  // The shop has said that the account is stored.
  [/\/checkouts\/:id\/registration$/, /^createRegistration$/, /^(?!(true|1)$)/],
  // What a schedule charges is neither the first payment of a series nor the shopper's.
  [/schedules(\/:id\/reschedule)?$/, /^standingInstruction\.(mode|source)$/, /^(INITIAL|CIT)$/],
];
const isRefused = (line: string, name: string, value: string): boolean =>
  refusals.some(([at, of, values]) => at.test(line) && of.test(name) && values.test(value));
/** What was paid or stored takes no second try. */
const isTakenOnce = (line: string): boolean => /^POST .*\/checkouts\/:id\//.test(line);

/** Custom parameters of the shopper's side say so. */
const sendableTo = (line: string, template: string): string =>
  isTakenOnce(line) && template === 'customParameters[key]' ? 'customParameters[SHOPPER_X]' : sendable(template);
/** More than a browser may send at once is refused before anything in it is read. */
const isTooLong = (line: string, value: string): boolean =>
  isTakenOnce(line) && encodeURIComponent(value).length > 64 * 1024;

let host: Host;
let stored: string;
let lineFor: LineFor;
beforeAll(async () => {
  host = await openHost();
  stored = await host.made('POST /v1/registrations', { ...card, paymentBrand: 'VISA' });
  lineFor = targetsOn(host, stored);
});
afterAll(async () => {
  await host.close();
});

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
  const around = (name: string, value?: string): Parameters => ({
    ...(line === 'POST /scheduling/v1/schedules' ? { registrationId: stored } : {}),
    ...requests[line]?.(name, value),
  });

  test('takes parameters', () => expect(rows.length).toBeGreaterThan(1));

  test.each(rows)('%s', async (template, row) => {
    const name = sendableTo(line, template);
    const target = await lineFor(line, name);
    const { inside: fitting, outside } = limitsOf(row);
    const inside = fitting.filter((value) => !isRefused(line, name, value));
    const send = async (value: string) => {
      const at = isTakenOnce(line) ? await lineFor(line, name) : target;
      return host.ask(at, { ...around(name, inside.includes(value) ? value : undefined), [name]: value });
    };
    const ask = (values: readonly string[]) =>
      Promise.all(values.map(async (value) => ({ value: value.slice(0, 40), reply: await send(value) })));

    const never = isNever(line, template);
    const taken = isSealed(name) ? [around(name)[name] ?? ''] : isStored(name) ? [stored] : inside;
    for (const { value, reply } of await ask(taken)) {
      // Of a report that is not there yet only the parameters count: they were read before it was looked for.
      const isMissing = line.includes('aggregations/:id') && reply.status === 404;
      const refused = reply.code === REFUSED || (reply.status > 400 && !isMissing);
      expect([value, reply.text, refused]).toEqual([value, reply.text, never]);
    }
    for (const { value, reply } of await ask(fitting.filter((each) => isRefused(line, name, each)))) {
      expect([value, reply.status, reply.code, namesOf(reply)]).toEqual([value, 400, REFUSED, [name]]);
    }
    // An empty value is an absent one.
    const left = outside.filter((each) => each !== '');
    for (const { value, reply } of await ask(left.filter((each) => !isTooLong(line, each)))) {
      const names = namesOf(reply).filter((each) => !never || each === name);
      expect([value, reply.status, reply.code, names]).toEqual([value, 400, REFUSED, [name]]);
    }
    for (const { value, reply } of await ask(left.filter((each) => isTooLong(line, each)))) {
      expect([value, reply.status, reply.code]).toEqual([value, 400, MALFORMED]);
    }
  });
});

test('so many requests are no accident', () => {
  expect(host.asked()).toBeGreaterThan(12_000);
});
