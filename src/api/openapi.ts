/** The OpenAPI 3.1 document of the local API, made from the routes' guards and a one-line summary for each. */
import type { Hono } from 'hono';
import * as z from 'zod';
import { type RoutePart, routePartOf } from './actor.ts';
import { batchReport } from './contract/books.ts';
import { problem } from './contract/problem.ts';
import { reconciliationDetail, reconciliationRow } from './contract/reconciliations.ts';
import { openApiWords } from './openapi-words.ts';

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };
type Content = { readonly [media: string]: Json };
type Operation = { method: string; path: string; asked: RoutePart[] };

/** The key of the summaries, such as `GET /api/sales/{receipt}`. */
export const keyOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`;

/** Each operation of the app with the parts that its guards describe. */
export const operationsOf = ({ routes }: Pick<Hono, 'routes'>): Operation[] => {
  const operations = new Map<string, Operation>();
  for (const { method, path, handler } of routes) {
    if (method === 'ALL') continue;
    const template = path.replace(/:(\w+)(\{[^}]*\}+)?/g, '{$1}');
    const key = keyOf({ method, path: template });
    const operation = operations.get(key) ?? { method, path: template, asked: [] };
    const request = routePartOf(handler);
    if (request !== undefined) operation.asked.push(request);
    operations.set(key, operation);
  }
  return [...operations.values()];
};

/** A route without such a part answers without content. */
type Answer = Extract<RoutePart, { of: 'answer' | 'files' }>;

const answerOf = ({ asked }: Operation): Answer | undefined =>
  asked.find((part) => part.of === 'answer' || part.of === 'files');

/** The contract's schemas as JSON Schema: named ones become components, to which the others refer. */
const jsonSchemas = (schemas: Readonly<Record<string, z.ZodType>>, isOpen: boolean) => {
  const all = z.toJSONSchema(z.object(schemas), {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // A newer till may add fields, so clients must ignore unknown ones.
      if (isOpen && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (isOpen) delete jsonSchema.propertyNames;
      delete jsonSchema.readOnly;
    },
  });
  const text = JSON.stringify(all).replaceAll('#/$defs/', '#/components/schemas/');
  const { properties, $defs = {} } = JSON.parse(text) as Record<'properties' | '$defs', Record<string, Json>>;
  return { schemas: properties, named: $defs };
};

type RequestPart = Extract<RoutePart, { of: 'json' | 'query' | 'param' }>;

/** The answer schemas by route key, the request schemas by key and part, and all named schemas. */
const schemasOf = (operations: readonly Operation[]) => {
  const all = operations.flatMap((operation) => operation.asked.map((part) => ({ key: keyOf(operation), part })));
  const answers = all.flatMap(({ key, part }) => (part.of === 'answer' ? [[key, part.schema] as const] : []));
  const requests = all.flatMap(({ key, part }) =>
    isRequestPart(part) ? [[`${key} ${part.of}`, part.schema] as const] : [],
  );
  // These named schemas are only used inside others, or with the mode.
  const named = { problem, batchReport, reconciliationDetail, reconciliationRow };
  const schemas = jsonSchemas({ ...Object.fromEntries(answers), ...named }, true);
  const request = jsonSchemas(Object.fromEntries(requests), false);
  return {
    schemas: { ...schemas.schemas, ...request.schemas },
    named: sorted({ ...request.named, ...schemas.named }),
  };
};

const isRequestPart = (part: RoutePart): part is RequestPart => ['json', 'query', 'param'].includes(part.of);

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));

/** `app`: with all its routes. */
export const openApiOf = (app: Pick<Hono, 'routes'>, version: string): Json => {
  const operations = operationsOf(app);
  const { schemas, named } = schemasOf(operations);
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const { path } = operation;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tillgate local API', version, description: intro },
    servers: [{ url: '/' }],
    security: [{ key: [] }, { session: [] }],
    paths,
    components: {
      schemas: named,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key created with `npm run till -- pos-key add NAME`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tillgate-8800',
          description: 'A person who is signed in at the screens. The number is the till’s port.',
        },
      },
    },
  };
};

const intro =
  'All actions and lists of the till. Times are ms since 1970 UTC; amounts are text with their currency. ' +
  'A program sells with POST /api/sales and its own Idempotency-Key: repeating a key never makes a second sale. ' +
  'Money moves only if `mode` is `live`: it is in every answer about sales or money, and in the header ' +
  '`X-Tillgate-Mode` of all.';

/** JSON, a stream of JSON, or a file; undefined if the answer has no content. */
const contentOf = (operation: Operation, schemas: Readonly<Record<string, Json>>): Content | undefined => {
  const answer = answerOf(operation);
  if (answer?.of === 'answer') return { [answer.media]: { schema: schemas[keyOf(operation)] } };
  return answer && Object.assign({}, ...answer.media.map(fileOf));
};

const describe = (operation: Operation, schemas: Readonly<Record<string, Json>>): Json => {
  const { asked, path } = operation;
  const key = keyOf(operation);
  const schemaOf = (of: RequestPart['of']) => schemas[`${key} ${of}`] as ObjectSchema | undefined;
  const body = schemaOf('json');
  const content = contentOf(operation, schemas);
  const permissions = asked.flatMap((one) => (one.of === 'permission' ? [one.permission] : []));
  return {
    operationId: operationId(operation),
    summary: openApiWords[key] ?? key,
    description: permissions.length > 0 ? `Needs the permission ${permissions.join(', ')}.` : undefined,
    parameters: [...inPath(path, schemaOf('param')), ...inQuery(schemaOf('query')), ...headers(operation)],
    requestBody: body && { required: true, content: { 'application/json': { schema: body as Json } } },
    ...(asked.some(({ of }) => of === 'file') && { requestBody: fileBody }),
    responses: {
      ...(content === undefined
        ? { '204': { description: 'Done.', headers: answerHeaders } }
        : {
            '2XX': {
              description: streamDescriptions[Object.keys(content)[0] ?? ''] ?? 'Done.',
              headers: answerHeaders,
              content,
            },
          }),
      ...errorAnswers,
    },
  };
};

/** How to read the schema of a stream. */
const streamDescriptions: Readonly<Record<string, string>> = {
  'text/event-stream': 'Server-sent events: the `data` of each is one of these as JSON.',
  'application/x-ndjson': 'One line of JSON for each step, the last one with `result` or `problem`.',
};

const operationId = ({ method, path }: Operation): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '' && part !== 'api')
    .map((part) => part[0]?.toUpperCase() + part.slice(1))
    .join('');

type ObjectSchema = { properties?: Record<string, Json>; required?: readonly string[] };

const inPath = (path: string, schema: ObjectSchema | undefined): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schema?.properties?.[name] ?? { type: 'string' },
  }));

const inQuery = (schema: ObjectSchema | undefined): Json[] =>
  Object.entries(schema?.properties ?? {}).map(([name, each]) => ({
    name,
    in: 'query',
    required: schema?.required?.includes(name) === true,
    schema: each,
  }));

const headers = ({ asked, method }: Operation): Json[] => [
  ...(asked.some(({ of }) => of === 'key') ? [idempotencyKey] : []),
  ...(['GET', 'HEAD'].includes(method) ? [] : [sessionWord]),
];

/** The headers of every answer, including refusals. */
const answerHeaders: Json = {
  'X-Tillgate-Mode': {
    required: true,
    description: 'Whether money moves at this till: only with `live`.',
    schema: { enum: ['test', 'training', 'live'] },
  },
};

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'One key for each intended action; the same key for repetitions.',
  schema: { type: 'string', pattern: '^[\\w-]{8,64}$' },
};

const sessionWord: Json = {
  name: 'X-Csrf-Token',
  in: 'header',
  required: false,
  description: 'The CSRF token of the session, from GET /api/session. Programs with a key do not need it.',
  schema: { type: 'string' },
};

const fileBody: Json = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
};

// Refusals and failures all have the same shape.

const refusal = {
  type: 'object',
  required: ['problem'],
  properties: { problem: { $ref: '#/components/schemas/Problem' } },
} as const;

const answer = (description: string) => ({ description, content: { 'application/json': { schema: refusal } } });

const fileOf = (media: string) => {
  if (media === 'application/json') return { [media]: { schema: { type: 'object' } } };
  const binary = media.startsWith('text/') ? undefined : 'binary';
  return { [media]: { schema: { type: 'string', format: binary } } };
};

const errorAnswers = {
  '400': answer('The request is not valid; `fields` says why.'),
  '401': answer('Nobody is signed in, or the key is unknown.'),
  '403': answer('Not allowed, or from a page that is not allowed to ask.'),
  '404': answer('Not found.'),
  '409': answer(
    'Conflicts with the current state: the key was used for another request, the terminal is busy, or the customer ' +
      'may have been charged already.',
  ),
  '422': answer('Refused; nothing was done.'),
  '5XX': answer('Failed. `money` says what it means for the money, `remedy` whether trying again is safe.'),
} as const;
