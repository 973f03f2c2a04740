/** Checks an OpenAPI 3.1 document by those rules of its specification that concern this one. */
import type { Json } from '../../../../src/gateway/spec/json.ts';

type Node = { readonly [name: string]: Json };

const isNode = (json: Json | undefined): json is Node =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
const nodeAt = (node: Node, name: string): Node => {
  const inner = node[name];
  return isNode(inner) ? inner : {};
};
const listAt = (node: Node, name: string): readonly Json[] => {
  const inner = node[name];
  return Array.isArray(inner) ? inner : [];
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const inComponents = ['schemas', 'responses', 'parameters', 'securitySchemes'];
const schemaWords = new Set([
  '$ref',
  'type',
  'description',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'examples',
  'writeOnly',
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'items',
  'allOf',
]);

/** One sentence for each problem. */
export const openApiProblems = (document: Node): readonly string[] => {
  const info = nodeAt(document, 'info');
  const components = nodeAt(document, 'components');
  return [
    ...(/^3\.1\.\d+$/.test(String(document['openapi'])) ? [] : ['openapi is not 3.1']),
    ...(['title', 'version'].some((name) => typeof info[name] !== 'string') ? ['info needs title and version'] : []),
    ...unknownKeys(document, ['openapi', 'info', 'servers', 'security', 'paths', 'components'], 'the document'),
    ...listAt(document, 'servers').flatMap((server) =>
      isNode(server) && typeof server['url'] === 'string' ? [] : ['a server needs a url'],
    ),
    ...Object.entries(components).flatMap(([kind, entries]) => [
      ...(inComponents.includes(kind) ? [] : [`components.${kind} is not known`]),
      ...Object.keys(isNode(entries) ? entries : {})
        .filter((key) => !/^[a-zA-Z0-9._-]+$/.test(key))
        .map((key) => `components.${kind} has the key ${key}`),
    ]),
    ...Object.entries(nodeAt(components, 'schemas')).flatMap(([name, schema]) => schemaProblems(schema, name)),
    ...refsOf(document)
      .filter((ref) => !isResolvable(document, ref))
      .map((ref) => `${ref} leads nowhere`),
    ...Object.entries(nodeAt(document, 'paths')).flatMap(([path, item]) => pathProblems(document, path, item)),
    ...repeat(operationsOf(document).map(({ operation }) => String(operation['operationId']))).map(
      (id) => `operationId ${id} occurs twice`,
    ),
    ...[document, ...operationsOf(document).map(({ operation }) => operation)]
      .flatMap((place) => listAt(place, 'security'))
      .flatMap((scheme) => Object.keys(isNode(scheme) ? scheme : {}))
      .filter((name) => !Object.hasOwn(nodeAt(components, 'securitySchemes'), name))
      .map((name) => `there is no security scheme ${name}`),
  ];
};

const unknownKeys = (node: Node, knownKeys: readonly string[], location: string): readonly string[] =>
  Object.keys(node)
    .filter((name) => !knownKeys.includes(name))
    .map((name) => `${location} has ${name}`);

const repeat = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

const operationsOf = (document: Node) =>
  Object.entries(nodeAt(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(isNode(item) ? item : {}).flatMap(([method, operation]) =>
      isNode(operation) ? [{ path, method, operation }] : [],
    ),
  );

const pathProblems = (document: Node, path: string, item: Json): readonly string[] => {
  if (!path.startsWith('/')) return [`the path ${path} does not begin with a slash`];
  if (!isNode(item)) return [`the path ${path} is not an object`];
  return Object.entries(item).flatMap(([method, operation]) =>
    methods.includes(method) && isNode(operation)
      ? operationProblems(document, { operation, path, location: `${method} ${path}` })
      : [`${path} has ${method}`],
  );
};

const operationWords = [
  'operationId',
  'summary',
  'description',
  'tags',
  'security',
  'parameters',
  'requestBody',
  'responses',
];

type Place = { operation: Node; path: string; location: string };

const operationProblems = (document: Node, { operation, path, location }: Place): readonly string[] => {
  const parameters = listAt(operation, 'parameters').map((parameter) => resolve(document, parameter));
  const templates = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
  const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
  const responses = Object.entries(nodeAt(operation, 'responses'));
  const contents = Object.values(nodeAt(nodeAt(operation, 'requestBody'), 'content'));
  return [
    ...unknownKeys(operation, operationWords, location),
    ...(typeof operation['operationId'] === 'string' ? [] : [`${location} has no operationId`]),
    ...(responses.length === 0 ? [`${location} has no responses`] : []),
    ...responses.flatMap(([status, response]) => [
      ...(/^([1-5]([0-9]{2}|XX)|default)$/.test(status) ? [] : [`${location} answers ${status}`]),
      ...(typeof resolve(document, response)['description'] === 'string'
        ? []
        : [`${location} ${status} has no description`]),
    ]),
    ...templates
      .filter((name) => !inPath.some((parameter) => parameter['name'] === name))
      .map((name) => `${location} does not declare {${name}}`),
    ...inPath
      .filter(({ name, required }) => required !== true || !templates.includes(String(name)))
      .map(({ name }) => `${location} has the undeclared path parameter ${name}`),
    ...repeat(parameters.map((parameter) => `${parameter['in']} ${parameter['name']}`)).map(
      (name) => `${location} has ${name} twice`,
    ),
    ...parameters.flatMap((parameter) => parameterProblems(parameter, location)),
    ...contents.flatMap((content) =>
      isNode(content) ? schemaProblems(content['schema'] ?? null, `${location} body`) : [],
    ),
  ];
};

const parameterProblems = (parameter: Node, location: string): readonly string[] => [
  ...unknownKeys(parameter, ['name', 'in', 'required', 'description', 'schema'], `a parameter of ${location}`),
  ...(['path', 'query', 'header', 'cookie'].includes(String(parameter['in']))
    ? []
    : [`${location} has a parameter without a place`]),
  ...schemaProblems(parameter['schema'] ?? null, `${location} ${parameter['name']}`),
];

const schemaProblems = (schema: Json, location: string): readonly string[] => {
  if (typeof schema === 'boolean') return [];
  if (!isNode(schema)) return [`${location} is not a schema`];
  const properties = nodeAt(schema, 'properties');
  const patterns = Object.keys(nodeAt(schema, 'patternProperties'));
  const inner = [
    ...Object.entries(properties),
    ...Object.entries(nodeAt(schema, 'patternProperties')),
    ...listAt(schema, 'allOf').map((part, index) => [String(index), part] as const),
    ...['items', 'additionalProperties'].flatMap((name) =>
      schema[name] === undefined ? [] : [[name, schema[name]] as const],
    ),
  ];
  const isClosed = schema['properties'] !== undefined;
  return [
    ...Object.keys(schema)
      .filter((keyword) => !schemaWords.has(keyword))
      .map((keyword) => `${location} has the unknown keyword ${keyword}`),
    ...[schema['pattern'], ...patterns].flatMap((pattern) =>
      isPattern(pattern) ? [] : [`${location}: ${pattern} is not a pattern`],
    ),
    ...listAt(schema, 'examples')
      .filter((example) => !fits(schema, example))
      .map((example) => `${location}: the example ${example} does not match`),
    ...listAt(schema, 'required')
      .filter((name) => isClosed && !Object.hasOwn(properties, String(name)))
      .map((name) => `${location}: the required ${name} is not a property`),
    ...inner.flatMap(([name, part]) => schemaProblems(part, `${location}.${name}`)),
  ];
};

const isPattern = (pattern: Json | undefined): boolean => {
  if (pattern === undefined) return true;
  try {
    return new RegExp(String(pattern), 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Whether a text fits its schema: only texts have examples here. */
const fits = (schema: Node, example: Json): boolean => {
  const { enum: allowedValues, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (typeof example !== 'string') return false;
  const length = [...example].length;
  if (length < Number(minLength) || length > Number(maxLength)) return false;
  if (Array.isArray(allowedValues) && !allowedValues.includes(example)) return false;
  return pattern === undefined || !isPattern(pattern) || new RegExp(String(pattern), 'u').test(example);
};

const refsOf = (json: Json): readonly string[] => {
  if (Array.isArray(json)) return json.flatMap(refsOf);
  if (!isNode(json)) return [];
  return Object.entries(json).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : refsOf(inner),
  );
};

const target = (document: Node, ref: string): Json | undefined =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>(
      (json, step) => (isNode(json) && Object.hasOwn(json, step) ? json[step] : undefined),
      document,
    );

const isResolvable = (document: Node, ref: string): boolean =>
  ref.startsWith('#/') && target(document, ref) !== undefined;

const resolve = (document: Node, json: Json): Node => {
  if (!isNode(json)) return {};
  const { $ref } = json;
  const found = typeof $ref === 'string' ? target(document, $ref) : json;
  return isNode(found) ? found : {};
};
