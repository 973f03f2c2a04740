import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/gateway/server/all-endpoints.ts';
import type { ParameterRow } from '../../src/gateway/spec/parameters/row.ts';
import { limitsOf, sendable } from '../gateway/spec/parameters/cases.ts';
import type { Parameters, Reply } from '../support/gateway/gateway.ts';
import { byNight } from '../support/night/night.ts';
import { pairwise } from '../support/night/pairwise.ts';
import { card, requests } from './companions.ts';
import { type Host, openHost } from './host.ts';
import { type LineFor, targetsOn } from './targets.ts';

const REFUSED = '200.300.404';
const MALFORMED = '200.100.103';
/** Accounts that can be charged but not stored: a registration of one is always refused. */
const notStorable = /^(giftCard|applePay|googlePay|samsungPay|pos)\./;
/** Parameters that an operation only accepts in order to refuse them with its own text. */
const isUnsupported = (line: string, name: string): boolean =>
  (name.startsWith('overridePaymentType') && !/\/checkouts$/.test(line)) ||
  (/^POST \/v1\/(registrations|checkouts\/:id\/registration)$/.test(line) && notStorable.test(name));
/** Tokens that only a wallet can create: any text has the form, and whoever decrypts it refuses an invalid one. */
const isEncrypted = (name: string): boolean => name.endsWith('.paymentToken');

/** The id of an existing object that the request can refer to. */
const isStored = (name: string): boolean => name === 'registrationId' || name === 'registrations[0].id';
/** Valid values that an operation still refuses, by name and with its own text. */
const refusals: readonly (readonly [line: RegExp, name: RegExp, value: RegExp])[] = [
  // A browser is redirected to these addresses, so an app's own scheme is refused.
  [/\/checkouts/, /^(shopperResultUrl|notificationUrl)$/, /^(?!https?:)/],
  [/\/checkouts$/, /^overridePaymentType/, /^(?!(PA|DB|CD)$)/],
  // The sellers receive no more than is paid: 10.00, and 1.00 for follow-ups; a registration pays nothing.
  [/(?<!\/registrations)$/, /^marketPlace\..*\.amount$/, /^9999999999\.99$/],
  [/\/v1\/payments\/:id$/, /^marketPlace\..*\.amount$/, /^5\.60$/],
  // The shop has set that the account is stored.
  [/\/checkouts\/:id\/registration$/, /^createRegistration$/, /^(?!(true|1)$)/],
  // A charge of a schedule is neither the first payment of a series nor initiated by the shopper.
  [/schedules(\/:id\/reschedule)?$/, /^standingInstruction\.(mode|source)$/, /^(INITIAL|CIT)$/],
];
const isRefused = (line: string, name: string, value: string): boolean =>
  refusals.some(
    ([linePattern, namePattern, values]) => linePattern.test(line) && namePattern.test(name) && values.test(value),
  );
/** A payment or registration that succeeded accepts no second try. */
const isTakenOnce = (line: string): boolean => /^POST .*\/checkouts\/:id\//.test(line);

/** The name of a custom parameter shows that the shopper's side may send it. */
const sendableTo = (line: string, template: string): string =>
  isTakenOnce(line) && template === 'customParameters[key]' ? 'customParameters[SHOPPER_X]' : sendable(template);
/** A body above the limit for browsers is refused before it is parsed. */
const isTooLong = (line: string, value: string): boolean =>
  isTakenOnce(line) && encodeURIComponent(value).length > 64 * 1024;
/** Stands for the id of the existing registration. */
const STORED = 'stored';

/** A value that is sent as one parameter to one operation, and the expected answer. */
type Case = {
  line: string;
  template: string;
  name: string;
  value: string;
  /** Which of the row's values inside or outside the limit it is. */
  limit: string;
  answer: string;
};

const ACCEPTED = 'taken';
const REFUSED_ANSWER = 'not taken';

const casesOf = (line: string, template: string, row: ParameterRow): Case[] => {
  const name = sendableTo(line, template);
  const { allowed: allowedValues, refused: disallowedValues } = limitsOf(row);
  const accepted = isEncrypted(name) ? [requests[line]?.(name)[name] ?? ''] : isStored(name) ? [STORED] : allowedValues;
  const answerInside = (value: string): string => {
    if (isRefused(line, name, value)) return `400 ${REFUSED} ${name}`;
    return isUnsupported(line, template) ? REFUSED_ANSWER : ACCEPTED;
  };
  const answerOutside = (value: string): string =>
    isTooLong(line, value) ? `400 ${MALFORMED} ` : `400 ${REFUSED} ${name}`;
  // An empty value counts as absent.
  const refusedValues = disallowedValues.filter((value) => value !== '');
  return [
    ...accepted.map((value, index) => ({ limit: `inside ${index}`, value, answer: answerInside(value) })),
    ...refusedValues.map((value, index) => ({ limit: `outside ${index}`, value, answer: answerOutside(value) })),
  ].map((each) => ({ ...each, line, template, name }));
};

const lines = Object.keys(requests);
const allCases = lines.flatMap((line) => {
  const operation = endpoints.map((each) => each.operation).find(({ method, path }) => `${method} ${path}` === line);
  return Object.entries(operation?.accepts ?? {}).flatMap(([template, row]) => casesOf(line, template, row));
});

/** In the daytime test each operation still gets each parameter, and each value of a parameter is sent somewhere. */
const cases = byNight({
  day: pairwise(allCases, ({ line, template, limit }) => [line, template, limit]),
  night: allCases,
});

let host: Host;
let stored: string;
let lineFor: LineFor;
beforeAll(async () => {
  host = await openHost();
  stored = await host.createdId('POST /v1/registrations', { ...card, paymentBrand: 'VISA' });
  lineFor = targetsOn(host, stored);
});
afterAll(async () => {
  await host.close();
});

const namesOf = ({ body }: Reply): string[] => {
  const { parameterErrors = [] } = body['result'] as { parameterErrors?: { name: string }[] };
  return parameterErrors.map(({ name }) => name);
};

/** The answer in the terms of `Case.answer`. */
const answerTo = ({ line, template, name, limit, answer }: Case, reply: Reply): string => {
  if (answer === ACCEPTED || answer === REFUSED_ANSWER) {
    // For a report that does not exist yet, only the parameters count: they are read before the lookup.
    const isMissing = line.includes('aggregations/:id') && reply.status === 404;
    return reply.code === REFUSED || (reply.status > 400 && !isMissing) ? REFUSED_ANSWER : ACCEPTED;
  }
  const names = namesOf(reply).filter(
    (each) => limit.startsWith('inside') || !isUnsupported(line, template) || each === name,
  );
  return `${reply.status} ${reply.code} ${names.join(' ')}`;
};

/** The request around the value. If the value may be accepted, the parameters beside it fit it. */
const requestOf = ({ line, name, value, limit }: Case): Parameters => ({
  ...(line === 'POST /scheduling/v1/schedules' ? { registrationId: stored } : {}),
  ...requests[line]?.(name, limit.startsWith('inside') && !isRefused(line, name, value) ? value : undefined),
  [name]: value === STORED ? stored : value,
});

/** The cases of one parameter of one operation, all on the same object unless that accepts no second try. */
const sendCases = async (cases: readonly Case[]) => {
  const [{ line, name } = { line: '', name: '' }] = cases;
  const target = await lineFor(line, name);
  return Promise.all(
    cases.map(async (each) => {
      const reply = await host.request(isTakenOnce(line) ? await lineFor(line, name) : target, requestOf(each));
      return { ...each, value: each.value.slice(0, 40), got: answerTo(each, reply), text: reply.text };
    }),
  );
};

test('no operation that takes parameters is left out', () => {
  const operations = endpoints.map((each) => each.operation).filter(({ accepts }) => Object.keys(accepts).length > 1);
  const linesWithBody = operations
    .filter(({ method }) => method !== 'DELETE')
    .map(({ method, path }) => `${method} ${path}`);
  expect(lines.toSorted()).toEqual(linesWithBody.sort());
});

describe.each(lines)('%s', (line) => {
  const lineCases = cases.filter((each) => each.line === line);
  const byParameter = [...Map.groupBy(lineCases, ({ template }) => template)];

  test('takes parameters', () => expect(byParameter.length).toBeGreaterThan(1));

  // The daytime test has one case for all parameters: a failure still names its parameter.
  const groups = byNight({ day: [['every parameter', lineCases] as const], night: byParameter });
  test.each(groups)('%s', async (_, group) => {
    const parameters = Map.groupBy(group, ({ template }) => template);
    const outcomes = await Promise.all([...parameters.values()].map(sendCases));
    expect(outcomes.flat().filter(({ answer, got }) => got !== answer)).toEqual([]);
  });
});

test('the number of requests is as expected', () => {
  expect(host.requestCount()).toBeGreaterThan(byNight({ day: 6_000, night: 30_000 }));
});
