/** Generates docs/reference/local-api.md: the till's own API, from the document that a running till serves. */
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import { openApiOf } from '../../src/api/openapi.ts';
import { code, page, pageHead, plainText, table } from './markdown.ts';
import { type Shape, shapesPart, typeOf } from './shapes.ts';

const intro = `A program can do whatever the screens do. [pos.md](../pos.md) explains how it gets a key and makes a
sale. A running till serves the same reference as an OpenAPI document at \`/api/openapi.json\`. Amounts are strings
with a currency; times are ms since 1970 UTC. Every error response is a fault ([faults.md](faults.md)).`;

type Schema = { properties?: Readonly<Record<string, unknown>>; required?: readonly string[] };
type Operation = {
  summary: string;
  description?: string;
  parameters: readonly { name: string; in: string; required: boolean }[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Shape }>> }>>;
};
type Document = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Shape>> };
};

export const localApiPage = (): string => {
  // The routes are only listed and never called, so no till is needed.
  const app = localApi({} as ApiPorts, { hosts: () => [] });
  const { paths, components } = openApiOf(app, '') as unknown as Document;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const areas = Map.groupBy(all, ({ path }) => path.split('/')[2]?.replace('.json', '') ?? '');
  const parts = [...areas].map(([area, areaOperations]) => {
    const rows = areaOperations.map(({ path, method, operation }) => [
      code(`${method} ${path}`),
      plainText(operation.summary),
      inputsOf(operation),
      answer(operation),
      plainText(operation.description?.match(/permission (.+)\.$/)?.[1] ?? ''),
    ]);
    return `## ${area}\n\n${table(['operation', 'does', 'takes', 'answers', 'permission'], rows)}`;
  });
  const shapes = shapesPart(components.schemas);
  return page(pageHead('Local API of the till', 'the routes and the contract of src/api', intro), ...parts, shapes);
};

/** JSON by its type, anything else by its media types. Empty if the response has no body. */
const answer = ({ responses }: Operation): string =>
  Object.entries(responses['2XX']?.content ?? {})
    .map(([media, { schema }]) => (isFile(schema) ? code(media) : `${streamed[media] ?? ''}${typeOf(schema)}`))
    .join(' ');

const isFile = ({ type, properties }: Shape): boolean => type === 'string' || (type === 'object' && !properties);
const streamed: Readonly<Record<string, string>> = {
  'text/event-stream': 'events: ',
  'application/x-ndjson': 'lines: ',
};

/** Required parameters by name, optional ones with a question mark. */
const inputsOf = ({ parameters, requestBody }: Operation): string => {
  const query = parameters.filter((each) => each.in === 'query').map((each) => [each.name, each.required] as const);
  const keyHeader = parameters.some(({ name }) => name === 'Idempotency-Key') ? ['`Idempotency-Key`'] : [];
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {};
  const file = requestBody?.content['multipart/form-data'] === undefined ? [] : ['a file'];
  const body = Object.keys(properties).map((name) => [name, required.includes(name)] as const);
  return [
    ...keyHeader,
    ...file,
    ...[...query, ...body].map(([name, isRequired]) => code(isRequired ? name : `${name}?`)),
  ].join(' ');
};
