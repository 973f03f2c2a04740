/** Schemas agree with the parser: each row's schema accepts and refuses the same values as the row. */
import { expect, test } from 'vitest';
import { endpoints } from '../../../../src/gateway/server/all-endpoints.ts';
import { answerSchemas, nestedSchema, responseRows } from '../../../../src/gateway/server/documents/response-schema.ts';
import { formSchema, namePattern, type Schema, schemaOf } from '../../../../src/gateway/server/documents/schema.ts';
import { alphabets, createFormatTest } from '../../../../src/gateway/spec/parameters/formats.ts';
import { text } from '../../../../src/gateway/spec/parameters/kinds.ts';
import type { ParameterRow } from '../../../../src/gateway/spec/parameters/row.ts';

const rows = new Map<ParameterRow, string>(
  [...endpoints.map(({ operation }) => operation.accepts), responseRows]
    .flatMap((rows) => Object.entries(rows))
    .map(([name, row]) => [row, name]),
);

const isAllowed = ({ enum: allowedValues, pattern, minLength, maxLength }: Schema, value: string): boolean => {
  const length = [...value].length;
  return (
    (!Array.isArray(allowedValues) || allowedValues.includes(value)) &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) &&
    (typeof minLength !== 'number' || length >= minLength) &&
    (typeof maxLength !== 'number' || length <= maxLength)
  );
};

/** Values at the limits of a row's format. */
const trialValues = ({ form, example }: ParameterRow): readonly string[] => {
  if (form.kind === 'words') return [example, ...form.words, '', `${form.words.join('')}x`];
  if (form.kind === 'shape') return [example, ...form.good, ...(form.check === undefined ? form.bad : []), ''];
  const { in: allowedLetter, out = '' } = alphabets[form.of];
  const lengths = [form.min - 1, form.min, form.max, form.max + 1].filter((count) => count >= 0);
  return [example, ...lengths.map((count) => allowedLetter.repeat(count)), out.repeat(form.min), '😀'.repeat(form.max)];
};

test.each([...rows].map(([row, name]) => [name, row] as const))('%s', (_, row) => {
  const schema = schemaOf(row);
  for (const value of trialValues(row))
    expect([value, isAllowed(schema, value)]).toEqual([value, createFormatTest(row)(value)]);
  // A pattern is printed without its flags.
  if (row.form.kind === 'shape') expect(row.form.pattern.flags.replace(/[us]/g, '')).toBe('');
});

test('many rows were checked', () => {
  expect(rows.size).toBeGreaterThan(100);
});

test('parameters that are never returned are write-only', () => {
  const namesMarked = (secret: 'personal' | 'account' | 'authentication') =>
    schemaOf(text([1, 2], 'A.', { example: 'a', secret }))['writeOnly'];
  expect([namesMarked('personal'), namesMarked('account'), namesMarked('authentication')]).toEqual([
    undefined,
    true,
    true,
  ]);
});

test('a form has its plain parameters by name, and patterns for the others', () => {
  const row = text([1, 9], 'A.', { example: 'a', key: { pattern: /^a|b$/, mustBe: 'a or b' } });
  const rows = { one: row, 'list[n].two': row, 'map[key]': row };
  expect(formSchema(rows, ['one'], (name) => ({ title: name }))).toEqual({
    type: 'object',
    properties: { one: { title: 'one' } },
    patternProperties: {
      '^list\\[(?:0|[1-9][0-9]{0,2})\\]\\.two$': { title: 'list[n].two' },
      '^map\\[(?:a|b)\\]$': { title: 'map[key]' },
    },
    additionalProperties: false,
    required: ['one'],
  });
  expect(formSchema({}, [], () => ({}))).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  expect(namePattern('a[n].b[n].c', text([1, 1], 'A.', { example: 'a' }))).toBe(
    '^a\\[(?:0|[1-9][0-9]{0,2})\\]\\.b\\[(?:0|[1-9][0-9]{0,2})\\]\\.c$',
  );
});

test('flat names nest', () => {
  const leaf = { schema: { type: 'string' }, required: false };
  expect(
    nestedSchema({
      a: { ...leaf, required: true },
      'b.c': leaf,
      'b.d[n].e': { ...leaf, required: true },
      'f[key]': leaf,
      'f.g': leaf,
    }),
  ).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: {
        type: 'object',
        properties: {
          c: { type: 'string' },
          d: { type: 'array', items: { type: 'object', properties: { e: { type: 'string' } }, required: ['e'] } },
        },
      },
      f: { type: 'object', properties: { g: { type: 'string' } }, additionalProperties: { type: 'string' } },
    },
    required: ['a'],
  });
});

test('the value of a parameter error may be null', () => {
  expect(JSON.stringify(answerSchemas().Payment)).toContain('"type":["string","null"]');
});
