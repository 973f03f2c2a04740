/** The local API described for programs: OpenAPI 3.1, made of the routes' own guards and one line of words for each. */
import type { Hono } from 'hono';
import * as z from 'zod';
import { type RequestPart, requestPartOf } from './actor.ts';
import { openApiWords } from './openapi-words.ts';

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };
type Content = { readonly [media: string]: Json };
type Operation = { method: string; path: string; asked: RequestPart[] };

/** `GET /api/sales/{receipt}`: as the words are found by. */
export const keyOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`;

/** Each operation of the app with what its guards ask for. */
export const operationsOf = ({ routes }: Pick<Hono, 'routes'>): Operation[] => {
  const found = new Map<string, Operation>();
  for (const { method, path, handler } of routes) {
    if (method === 'ALL') continue;
    const plain = path.replace(/:(\w+)(\{[^}]*\}+)?/g, '{$1}');
    const key = keyOf({ method, path: plain });
    const operation = found.get(key) ?? { method, path: plain, asked: [] };
    const asked = requestPartOf(handler);
    if (asked !== undefined) operation.asked.push(asked);
    found.set(key, operation);
  }
  return [...found.values()];
};

/** What each operation answers, made from its types by `npm run build:docs`, and the types that stand in several. */
export type AnswerSchemas = {
  schemas: Readonly<Record<string, Json>>;
  answers: Readonly<Record<string, Json>>;
  /** What each event of a stream holds. */
  events: Readonly<Record<string, Json>>;
  /** What each line of long work holds. */
  lines: Readonly<Record<string, Json>>;
};

/** `app`: with all its routes. */
export const openApiOf = (app: Pick<Hono, 'routes'>, version: string, answered: AnswerSchemas): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operationsOf(app)) {
    const { path } = operation;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, answered) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tillgate local API', version, description: intro },
    servers: [{ url: '/' }],
    security: [{ key: [] }, { session: [] }],
    paths,
    components: {
      schemas: { ...answered.schemas, Problem: problemSchema },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key made with `npm run till -- pos-key add NAME`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tillgate-8800',
          description: 'Somebody signed in at the screens. The number is the port at which the till is asked.',
        },
      },
    },
  };
};

const intro =
  'Every action and list of the till. Times are ms since 1970 UTC; amounts are text with their currency. ' +
  'A program sells with POST /api/sales and its own Idempotency-Key: the same key again is never a second sale. ' +
  'Money moves only where `mode` is `live`: it stands in every answer about sales or money, and in the header ' +
  '`X-Tillgate-Mode` of all.';

/** JSON, a stream of it, or a file; nothing where the answer has no content. */
const contentOf = (key: string, { answers, events, lines }: AnswerSchemas): Content | undefined => {
  const [answer, event, line] = [answers[key], events[key], lines[key]];
  if (answer !== undefined) return { 'application/json': { schema: answer } };
  if (event !== undefined) return { 'text/event-stream': { schema: event } };
  if (line !== undefined) return { 'application/x-ndjson': { schema: line } };
  return fileAnswers[key] as Content | undefined;
};

const describe = (operation: Operation, answered: AnswerSchemas): Json => {
  const { asked, path } = operation;
  const key = keyOf(operation);
  const body = schemaOf(asked, 'json');
  const content = contentOf(key, answered);
  const permissions = asked.flatMap((one) => (one.of === 'permission' ? [one.permission] : []));
  return {
    operationId: operationId(operation),
    summary: openApiWords[key] ?? key,
    description: permissions.length > 0 ? `Needs the permission ${permissions.join(', ')}.` : undefined,
    parameters: [
      ...inPath(path, schemaOf(asked, 'param')),
      ...inQuery(schemaOf(asked, 'query')),
      ...headers(operation),
    ],
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

/** How the schema of a stream is to be read. */
const streamDescriptions: Readonly<Record<string, string>> = {
  'text/event-stream': 'Server-sent events: `data` of each is one of these as JSON.',
  'application/x-ndjson': 'A line of JSON for each step, the last with `result` or `problem`.',
};

const operationId = ({ method, path }: Operation): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '' && part !== 'api')
    .map((part) => part[0]?.toUpperCase() + part.slice(1))
    .join('');

type ObjectSchema = { properties?: Record<string, Json>; required?: readonly string[] };

const schemaOf = (asked: readonly RequestPart[], of: 'json' | 'query' | 'param'): ObjectSchema | undefined => {
  const found = asked.find((one) => one.of === of);
  if (found === undefined || !('schema' in found)) return undefined;
  const { $schema: _, ...schema } = z.toJSONSchema(found.schema, { io: 'input', unrepresentable: 'any' });
  return schema as ObjectSchema;
};

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

/** Of every answer, refusals too. */
const answerHeaders: Json = {
  'X-Tillgate-Mode': {
    required: true,
    description: 'Whether money moves at the till that answers: only with `live`.',
    schema: { enum: ['test', 'training', 'live'] },
  },
};

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'One for each thing that is wanted, the same for its repetitions.',
  schema: { type: 'string', pattern: '^[\\w-]{8,64}$' },
};

const sessionWord: Json = {
  name: 'X-Csrf-Token',
  in: 'header',
  required: false,
  description: 'Of a session: its own word, from GET /api/session. A program with a key leaves it out.',
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

// How the local API says no, for its document: one shape for every refusal and failure.

const problemSchema = {
  type: 'object',
  required: ['code', 'says', 'money', 'next', 'remedy'],
  properties: {
    code: { type: 'string', description: 'By this a program decides; the words may change.' },
    says: { type: 'string', description: 'What happened.' },
    money: { type: 'string', description: 'What it means for the money.' },
    next: { type: 'string', description: 'What to do now.' },
    remedy: { enum: ['retry', 'inquire', 'queue', 'halt', 'refuse'] },
    facts: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    fields: {
      type: 'array',
      description: 'Of a malformed request: each wrong field.',
      items: {
        type: 'object',
        required: ['name', 'says'],
        properties: { name: { type: 'string' }, says: { type: 'string' } },
      },
    },
    sales: {
      type: 'array',
      description:
        'Of `sale.likely`: the sales that may have been charged. A yes names the receipt of each in `again`.',
      items: { $ref: '#/components/schemas/SaleRow' },
    },
  },
} as const;

const problem = {
  type: 'object',
  required: ['problem'],
  properties: { problem: { $ref: '#/components/schemas/Problem' } },
} as const;

const answer = (description: string) => ({ description, content: { 'application/json': { schema: problem } } });

const file = { type: 'string', format: 'binary' } as const;
const form = (type: string) => ({ [type]: { schema: type.startsWith('text/') ? { type: 'string' } : file } });

/** Files, by operation: what no type of a route can say. */
const fileAnswers: Readonly<Record<string, object>> = {
  'GET /api/openapi.json': { 'application/json': { schema: { type: 'object' } } },
  'GET /api/sales/{receipt}/receipt': {
    ...form('text/plain'),
    ...form('image/svg+xml'),
    ...form('application/pdf'),
    ...form('application/octet-stream'),
    ...form('message/rfc822'),
  },
  'GET /api/downloads/{of}/{as}': { ...form('text/csv'), ...form('application/pdf') },
  'GET /api/configuration': { 'application/json': { schema: { type: 'object' } } },
  'POST /api/bundle': form('text/plain'),
};

const errorAnswers = {
  '400': answer('The request is not as it must be; `fields` names what.'),
  '401': answer('Nobody is signed in, or the key is not known.'),
  '403': answer('Not allowed, or from another page than may ask.'),
  '404': answer('There is no such thing.'),
  '409': answer(
    'It does not fit what stands: a key that was used for something else, a terminal that is busy, a customer who may ' +
      'have been charged already.',
  ),
  '422': answer('Refused; nothing was done.'),
  '5XX': answer('Failed. `money` says what became of the money, `remedy` whether trying again is safe.'),
} as const;
