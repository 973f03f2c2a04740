/** The local API described for programs: OpenAPI 3.1, made of the routes' own guards and one line of words for each. */
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
    const asked = routePartOf(handler);
    if (asked !== undefined) operation.asked.push(asked);
    found.set(key, operation);
  }
  return [...found.values()];
};

/** A route without any is done without an answer. */
type Answer = Extract<RoutePart, { of: 'answer' | 'files' }>;

const answerOf = ({ asked }: Operation): Answer | undefined =>
  asked.find((part) => part.of === 'answer' || part.of === 'files');

/** Schemas of the contract as JSON Schema: those with a name are components, and the others refer to them. */
const jsonSchemas = (schemas: Readonly<Record<string, z.ZodType>>, isOpen: boolean) => {
  const all = z.toJSONSchema(z.object(schemas), {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // A newer till may tell more than it does today: a client passes over what it does not know.
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

/** What routes answer, by their keys, and what they ask for, by key and part; with all that has a name. */
const schemasOf = (operations: readonly Operation[]) => {
  const all = operations.flatMap((operation) => operation.asked.map((part) => ({ key: keyOf(operation), part })));
  const answers = all.flatMap(({ key, part }) => (part.of === 'answer' ? [[key, part.schema] as const] : []));
  const requests = all.flatMap(({ key, part }) =>
    isRequestPart(part) ? [[`${key} ${part.of}`, part.schema] as const] : [],
  );
  // Three shapes have a name and are told only with the mode.
  const published = { problem, batchReport, reconciliationDetail, reconciliationRow };
  const answered = jsonSchemas({ ...Object.fromEntries(answers), ...published }, true);
  const asked = jsonSchemas(Object.fromEntries(requests), false);
  return {
    schemas: { ...answered.schemas, ...asked.schemas },
    named: sorted({ ...asked.named, ...answered.named }),
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
