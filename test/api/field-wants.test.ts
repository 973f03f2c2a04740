/** A refused field says what it must be in this program's texts, never in those of the validation library. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import { keyOf, operationsOf } from '../../src/api/openapi.ts';
import { type WrongField, wantWords, wrongFieldsOf } from '../../src/base/field-wants.ts';
import { configFaults } from '../../src/folder/config.ts';
import { formatsOf } from '../../src/locales/formats.ts';
import { load } from '../../src/locales/load.ts';
import type { languages } from '../../src/locales/screens.ts';
import { translateProblem } from '../../src/locales/translate.ts';
import { scriptedSessions } from '../support/screens/stage.ts';

const theLibrarys = /invalid|expected|received|too (small|big)|unrecognized/i;
const junk = [undefined, null, {}, [], [[]], '', 'x', 'x'.repeat(3_000), -1, 1.5, 1e12, true];

const app = localApi({ sessions: scriptedSessions() } as unknown as ApiPorts, { hosts: () => ['127.0.0.1:8800'] });
const schemas = operationsOf(app).flatMap((operation) =>
  operation.asked.flatMap((request) => ('schema' in request ? [[keyOf(operation), request.schema] as const] : [])),
);

/** Junk in place of the whole value, and of each field down to the second level. */
const wrongOnes = (schema: z.ZodType): unknown[] => {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { properties?: Record<string, unknown> }>;
  };
  const fields = Object.entries(properties).flatMap(([name, inner]) => [
    ...junk.map((value) => ({ [name]: value })),
    ...Object.keys(inner.properties ?? {}).flatMap((below) => junk.map((value) => ({ [name]: { [below]: value } }))),
  ]);
  return [...junk, { stranger: 1 }, ...fields];
};

const foreign = (fields: readonly WrongField[]): WrongField[] =>
  fields.filter(({ says, told }) => told === undefined || theLibrarys.test(says));

test('each field of each request to the local API has this program’s text when it is wrong', () => {
  expect(schemas.length).toBeGreaterThan(30);
  for (const [key, schema] of schemas) {
    const fields = wrongOnes(schema).flatMap((value) => wrongFieldsOf(schema.safeParse(value).error?.issues ?? []));
    expect([key, foreign(fields)]).toEqual([key, []]);
  }
});

const keys = [
  ...['merchant', 'merchant.name', 'merchant.address', 'merchant.id', 'currency', 'terminalId', 'terminal', 'device'],
  ...['terminals', 'keepCardDataDays', 'gateway', 'gateway.entityId', 'gateway.timeoutMs', 'gateway.baseUrl'],
  ...['gateway.upstream', 'queue', 'queue.atOnce', 'secondCopy', 'offline', 'offline.chip', 'offline.hours'],
  ...['offline.deferred.upTo', 'printers', 'paper', 'paper.logo', 'screens', 'businessDay', 'businessDay.cutOff'],
  ...['location', 'location.latitude'],
];

test.each(keys)('%s in an imported till.json', (key) => {
  const path = key.split('.');
  for (const value of junk) {
    const input = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    const fields = configFaults(input);
    expect(fields.filter(({ says }) => theLibrarys.test(says))).toEqual([]);
  }
});

test.each([
  [z.strictObject({ pin: z.string() }), {}, 'pin', 'missing'],
  [z.strictObject({ pin: z.string() }), { pin: 4 }, 'pin', 'text'],
  [z.strictObject({ pin: z.string().min(1) }), { pin: '' }, 'pin', 'empty'],
  [z.strictObject({ pin: z.string().max(3) }), { pin: '1234' }, 'pin', 'long'],
  [z.strictObject({ pin: z.string() }), { pin: '1', pon: '2' }, 'pon', 'unknownName'],
  [z.strictObject({ on: z.boolean() }), { on: 'yes' }, 'on', 'yesOrNo'],
  [z.strictObject({ most: z.int().max(9) }), { most: 10 }, 'most', 'most'],
  [z.strictObject({ mm: z.union([z.literal(58), z.literal(80)]) }), { mm: 60 }, 'mm', 'oneOf'],
  [z.strictObject({ at: z.url() }), { at: 'x' }, 'at', 'url'],
  [z.strictObject({ pin: z.string().regex(/^\d{4}$/, wantWords.fourDigits) }), { pin: 'x' }, 'pin', 'fourDigits'],
])('%#: a wrong field has a code', (schema, value, name, code) => {
  const [field, ...others] = wrongFieldsOf(schema.safeParse(value).error?.issues ?? []);
  expect([field?.name, field?.told?.code, others]).toEqual([name, `want.${code}`, []]);
});

const reader = async (language: keyof typeof languages) => ({
  ...(await load[language]()),
  language,
  dateTime: formatsOf({ language, timeZone: 'UTC' }).dateTime,
});

test.each([
  ['en', 'The input is not valid: PIN: must be 4 to 12 digits; Name: must not be empty'],
  ['de', 'Die Angaben sind ungültig: „PIN: 4 bis 12 Ziffern; Name: darf nicht leer sein“'],
] as const)('%s: a form’s wrong fields have its labels, in the reader’s language', async (language, says) => {
  const schema = z.strictObject({ pin: z.string().regex(/^\d{4,12}$/, wantWords.pin), name: z.string().min(1) });
  const fields = wrongFieldsOf(schema.safeParse({ pin: 'x', name: '' }).error?.issues ?? []);
  const problem = { code: 'request.malformed', says: '', money: '', next: '', remedy: 'refuse', fields } as const;
  expect(translateProblem(await reader(language), problem).says).toBe(says);
});

test('a refusal without fields keeps its reason', async () => {
  const problem = { code: 'staff.needed', says: '', money: '', next: '', remedy: 'refuse' } as const;
  const { says } = translateProblem(await reader('en'), { ...problem, facts: { what: 'closing the batch' } });
  expect(says).toBe('This needs the name of a responsible person: closing the batch');
});
