/** The OpenAPI 3.1 description of the host API, made from the operation tables. */
import type { Json } from '../../spec/json.ts';
import type { ApiOperation } from '../../spec/operation.ts';
import { documentationOf, type ParameterRow } from '../../spec/parameters/row.ts';
import { resultCodes } from '../../spec/results.ts';
import { createExample } from './example.ts';
import { answerSchemas } from './response-schema.ts';
import { formSchema, type Schema, schemaOf } from './schema.ts';

export type Entitled = { title: string; version: string; servers?: readonly string[] };

type Node = { readonly [name: string]: Json | undefined };

/**
 * One document as a JSON object. Lists and maps of the form are patternProperties; a parameter that is equal in several
 * operations is described once, under components. Rules between fields are listed in the operation’s description.
 */
export const openApiOf = (operations: readonly ApiOperation[], { title, version, servers = [] }: Entitled): Node => {
  const shared = sharedRows(operations);
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = pathOf(operation);
    const item = paths[path] ?? {};
    item[operation.method.toLowerCase()] = operationOf(operation, shared);
    paths[path] = item;
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: notes },
    servers: servers.length === 0 ? undefined : servers.map((url) => ({ url })),
    security: [{ bearer: [] }],
    paths: { ...paths, '/v1/resultcodes': resultCodesPath },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The access token of the channel.' } },
      schemas: {
        ...answerSchemas(),
        ...Object.fromEntries([...shared.values()].map(({ key, row }) => [key, schemaOf(row)])),
      },
      responses: Object.fromEntries(statuses.map(([status, text]) => [`Status${status}`, responseOf(text)])),
      parameters: { IdempotencyKey: idempotencyKey },
    },
  };
};

const notes = [
  'Requests are form-encoded in UTF-8 under flat names; an empty value counts as absent.',
  'Answers are JSON; result.code is the result of a request, and clients must ignore fields that they do not know.',
  '`[n]` in a name is an index from 0, `[key]` the key of a map.',
].join(' ');

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Up to 255 visible ASCII characters that identify this request: its repeat gets the first answer again.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

const responseOf = (text: string): Node => ({
  description: text,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } },
});

const resultCodesPath = {
  get: {
    operationId: 'getV1Resultcodes',
    summary: 'All result codes with their descriptions.',
    tags: ['resultcodes'],
    security: [],
    responses: {
      '200': {
        description: 'The catalogue.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                resultCodes: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: { code: { type: 'string' }, description: { type: 'string' } },
                    required: ['code', 'description'],
                  },
                },
              },
              required: ['resultCodes'],
            },
            example: { resultCodes: resultCodes.slice(0, 1) },
          },
        },
      },
    },
  },
};

/** `:id` in our paths is `{id}` in OpenAPI. */
const pathOf = ({ path }: ApiOperation): string => path.replace(/:([A-Za-z]+)/g, '{$1}');

/** Rows that are equal in several operations, by name. */
type Shared = ReadonlyMap<string, { key: string; row: ParameterRow }>;

/** The row of each name that most operations use; a name used by only one operation is described there. */
const sharedRows = (operations: readonly ApiOperation[]): Shared => {
  const rowCounts = new Map<string, Map<ParameterRow, number>>();
  for (const { accepts } of operations) {
    for (const [name, row] of Object.entries(accepts)) {
      const rows = rowCounts.get(name) ?? new Map<ParameterRow, number>();
      rowCounts.set(name, rows.set(row, (rows.get(row) ?? 0) + 1));
    }
  }
  const commonRows = [...rowCounts].map(([name, rows]) => {
    const [row, count] = [...rows].reduce((left, right) => (right[1] > left[1] ? right : left));
    return { name, row, count };
  });
  const several = commonRows.filter(({ count }) => count > 1);
  return new Map(several.map(({ name, row }) => [name, { key: componentKey(name), row }]));
};

/** Component keys cannot contain brackets. */
const componentKey = (name: string): string => name.replace(/\[([^\]]*)\]/g, '.$1');

const operationOf = (operation: ApiOperation, shared: Shared): Node => {
  const { method, access, accepts, needs, summary } = operation;
  const refOf = (name: string, row: ParameterRow): Schema => {
    const sharedRow = shared.get(name);
    return sharedRow?.row === row ? { $ref: `#/components/schemas/${sharedRow.key}` } : schemaOf(row);
  };
  const inQuery = method === 'POST' ? [] : Object.entries(accepts);
  const parameters: Json[] = [
    ...idsOf(operation),
    ...inQuery.map(([name, row]) => ({
      name,
      in: 'query',
      required: needs.includes(name),
      description: documentationOf(row),
      schema: refOf(name, row),
    })),
    ...(method === 'POST' && access === undefined ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return {
    operationId: operationIdOf(operation),
    summary,
    description: descriptionOf(operation),
    tags: [tagOf(operation)],
    // A shopper's browser has no token; if one is sent, it must be valid.
    security: access === 'checkout' ? [{}, { bearer: [] }] : undefined,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: method === 'POST' ? bodyOf(operation, refOf) : undefined,
    responses: Object.fromEntries(
      statuses.map(([status]) => [status, { $ref: `#/components/responses/Status${status}` }]),
    ),
  };
};

const idsOf = ({ path }: ApiOperation): readonly Node[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = 'id']) => ({
    name,
    in: 'path',
    required: true,
    description: 'The id from an earlier answer.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9.\\-]{1,48}$' },
  }));

const bodyOf = (operation: ApiOperation, refOf: (name: string, row: ParameterRow) => Schema): Node => ({
  required: operation.needs.length > 0,
  content: {
    'application/x-www-form-urlencoded': {
      schema: formSchema(operation.accepts, operation.needs, refOf),
      example: createExample(operation),
    },
  },
});

const descriptionOf = ({ rules }: ApiOperation): string | undefined => {
  const lines = [...new Set(rules.map(({ name, message }) => `- \`${name}\` ${message}.`))];
  return lines.length === 0 ? undefined : ['Rules between parameters:', '', ...lines].join('\n');
};

const stepsOf = ({ path }: ApiOperation): readonly string[] => path.split('/').filter((step) => step !== '');

const operationIdOf = (operation: ApiOperation): string => {
  const nameParts = stepsOf(operation).flatMap((step) =>
    step.startsWith(':') ? ['by', step.slice(1)] : step.split(/[^A-Za-z0-9]/),
  );
  return (
    operation.method.toLowerCase() + nameParts.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  );
};

/** The subject of the path: its first segment after the version. */
const tagOf = (operation: ApiOperation): string =>
  stepsOf(operation).find((step) => !/^v[0-9]+$/.test(step) && !step.startsWith(':')) ?? 'other';

export type StatusRow = readonly [status: string, says: string];

export const statuses: readonly StatusRow[] = [
  ['200', 'Done, or pending: result.code tells which.'],
  ['400', 'A parameter is wrong (result.parameterErrors names it), or the payment failed or was declined.'],
  ['401', 'There is no valid Authorization header.'],
  ['403', 'The access token is not valid for this entity.'],
  ['404', 'There is nothing with this id.'],
  ['429', 'Too many requests: try again after the seconds in Retry-After.'],
  ['500', 'An internal error. The result of a payment is unknown: query it.'],
];
