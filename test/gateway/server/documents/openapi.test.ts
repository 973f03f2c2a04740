/** The OpenAPI document: valid by the rules of OpenAPI 3.1, and in agreement with the parser. */
import { expect, test } from 'vitest';
import { luhnIsValid } from '../../../../src/emv/luhn.ts';
import { testCards } from '../../../../src/emv/test-cards.ts';
import { endpoints } from '../../../../src/gateway/server/all-endpoints.ts';
import { createExample } from '../../../../src/gateway/server/documents/example.ts';
import { openApiOf } from '../../../../src/gateway/server/documents/openapi.ts';
import type { Json } from '../../../../src/gateway/spec/json.ts';
import { parserOf } from '../../../../src/gateway/spec/parameters/parser.ts';
import { openApiProblems } from './openapi-problems.ts';

const operations = endpoints.map(({ operation }) => operation);
const created = openApiOf(operations, { title: 'Host API', version: '1', servers: ['https://gateway.example/'] });
/** The document as it is served. */
const document = JSON.parse(JSON.stringify(created)) as Record<string, Json>;

/** The value at this path of names in the document. */
const valueAt = (...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((value, name) => (value as Record<string, Json> | undefined)?.[name], document);

test('follows the rules of OpenAPI 3.1', () => {
  expect(openApiProblems(document)).toEqual([]);
});

test.each<[string, (copy: Record<string, Json>) => void, RegExp]>([
  ['another version', (copy) => Object.assign(copy, { openapi: '3.0.3' }), /openapi/],
  ['no title', (copy) => Object.assign(copy, { info: { version: '1' } }), /info/],
  ['a path without a slash', (copy) => Object.assign(copy['paths'] as object, { x: {} }), /does not begin with/],
  [
    'an undeclared id',
    (copy) =>
      Object.assign(copy['paths'] as object, {
        '/x/{id}': { get: { operationId: 'x', responses: { '200': { description: 'x' } } } },
      }),
    /\{id\}/,
  ],
  [
    'a reference to nothing',
    (copy) =>
      Object.assign(copy['paths'] as object, {
        '/x': { get: { operationId: 'x', responses: { '200': { $ref: '#/components/responses/None' } } } },
      }),
    /None/,
  ],
  [
    'no answer',
    (copy) => Object.assign(copy['paths'] as object, { '/x': { get: { operationId: 'x', responses: {} } } }),
    /responses/,
  ],
  [
    'the same operationId twice',
    (copy) =>
      Object.assign(copy['paths'] as object, {
        '/x': { get: { operationId: 'getV1Resultcodes', responses: { '200': { description: 'x' } } } },
      }),
    /operationId/,
  ],
  [
    'a keyword that schemas do not have',
    (copy) =>
      Object.assign((copy['components'] as Record<string, object>)['schemas'] ?? {}, {
        X: { type: 'string', says: 'x' },
      }),
    /says/,
  ],
  [
    'an invalid pattern',
    (copy) =>
      Object.assign((copy['components'] as Record<string, object>)['schemas'] ?? {}, {
        X: { type: 'string', pattern: '(' },
      }),
    /pattern/,
  ],
  [
    'an example that breaks its own pattern',
    (copy) =>
      Object.assign((copy['components'] as Record<string, object>)['schemas'] ?? {}, {
        X: { type: 'string', pattern: '^a$', examples: ['b'] },
      }),
    /example/,
  ],
  [
    'a required name that is not a property',
    (copy) =>
      Object.assign((copy['components'] as Record<string, object>)['schemas'] ?? {}, {
        X: { type: 'object', properties: {}, required: ['y'] },
      }),
    /required/,
  ],
])('%s is reported as a problem', (_, breakDocument, problem) => {
  const copy = structuredClone(document) as Record<string, Json>;
  breakDocument(copy);
  expect(openApiProblems(copy).join('\n')).toMatch(problem);
});

test.each(operations)(
  'contains $method $path with its accepted and required parameters',
  ({ method, path, accepts, needs }) => {
    const operation = ['paths', path.replace(/:([A-Za-z]+)/g, '{$1}'), method.toLowerCase()];
    const plainNames = Object.keys(accepts).filter((name) => !/\[(n|key)\]/.test(name));
    if (method === 'POST') {
      const form = [...operation, 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema'];
      expect(Object.keys(valueAt(...form, 'properties') ?? {})).toEqual(plainNames);
      expect(valueAt(...form, 'required') ?? []).toEqual([...needs]);
      expect(Object.keys(valueAt(...form, 'patternProperties') ?? {})).toHaveLength(
        Object.keys(accepts).length - plainNames.length,
      );
      return;
    }
    const parameters = valueAt(...operation, 'parameters') as readonly {
      in: string;
      name: string;
      required: boolean;
    }[];
    const query = parameters.filter((parameter) => parameter.in === 'query');
    expect(query.map(({ name }) => name)).toEqual(Object.keys(accepts));
    expect(query.filter(({ required }) => required).map(({ name }) => name)).toEqual([...needs]);
  },
);

test.each(operations)('the parser accepts the example of $method $path', (operation) => {
  expect(parserOf(operation)(createExample(operation), 'strict')).toEqual({
    request: createExample(operation),
    warnings: [],
  });
});

test('lists and maps are patterns of names', () => {
  const form = [
    'paths',
    '/v1/payments',
    'post',
    'requestBody',
    'content',
    'application/x-www-form-urlencoded',
    'schema',
  ];
  const patterns = Object.keys(valueAt(...form, 'patternProperties') ?? {}).map((source) => new RegExp(source, 'u'));
  const patternCount = (name: string) => patterns.filter((pattern) => pattern.test(name)).length;
  expect(['cart.items[0].name', 'cart.items[999].price', 'customParameters[3DS2_enrolled]'].map(patternCount)).toEqual([
    1, 1, 1,
  ]);
  const forbiddenNames = [
    'cart.items[1000].name',
    'cart.items[01].name',
    'cart.items[].name',
    'cart.itemsX0].name',
    'customParameters[ab]',
  ];
  expect(forbiddenNames.map(patternCount)).toEqual([0, 0, 0, 0, 0]);
});

test('has one schema for all answers, with parameterErrors', () => {
  const result = ['components', 'schemas', 'Payment', 'properties', 'result'];
  expect(valueAt(...result, 'required')).toEqual(['code']);
  expect(valueAt(...result, 'properties', 'parameterErrors', 'items', 'required')).toEqual([
    'name',
    'value',
    'message',
  ]);
  expect(valueAt('components', 'schemas', 'Answer', 'allOf', '1', 'required')).toEqual([
    'buildNumber',
    'timestamp',
    'ndc',
  ]);
  expect(
    valueAt('components', 'schemas', 'Payment', 'properties', 'redirect', 'properties', 'parameters', 'type'),
  ).toBe('array');
});

test('every number that looks like a card number is a public test number', () => {
  // The last is a published sample of a network token.
  const knownPans = new Set([
    ...Object.values(testCards).map(({ pan }) => pan),
    '4200000000000000',
    '4895370012003478',
  ]);
  const numbers = JSON.stringify(document).match(/(?<![0-9a-f])[0-9]{13,19}(?![0-9a-f])/g) ?? [];
  expect([...new Set(numbers)].filter((number) => luhnIsValid(number) && !knownPans.has(number))).toEqual([]);
  expect(numbers.length).toBeGreaterThan(0);
});

test('names no servers if none are given', () => {
  expect(openApiOf([], { title: 'x', version: '1' })['servers']).toBeUndefined();
});
