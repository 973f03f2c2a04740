/**
 * What the local API answers as JSON Schema, read from the types of its routes: src/api/answers.json, which the OpenAPI
 * document takes in. Types that have a name in src/api/ports stand there once.
 */
import { join } from 'node:path';
import * as TJS from 'typescript-json-schema';
import type { AnswerSchemas } from '../../src/api/openapi.ts';

type Schema = { [name: string]: unknown };

/** By `GET /api/sales/{receipt}`; files are not there. */
export const answered = (): AnswerSchemas => {
  const { Answers, EachEvent, EachLine, Names } = generated();
  const schemas = Object.fromEntries(Object.entries(Names).map(([name, schema]) => [name, tidy(schema)]));
  const shapes = new Map(Object.entries(schemas).map(([name, schema]) => [shapeOf(schema), name]));
  return {
    schemas: sorted(
      Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, foldedWithin(schema, shapes)])),
    ),
    answers: sorted(byRoute(Answers, shapes)),
    events: sorted(byRoute(EachEvent, shapes)),
    lines: sorted(byRoute(EachLine, shapes)),
  } as AnswerSchemas;
};

const byRoute = (routes: Record<string, Schema>, shapes: Shapes): Record<string, Schema> => {
  const found: Record<string, Schema> = {};
  for (const [path, methods] of Object.entries(routes))
    for (const [method, schema] of Object.entries(propertiesOf(methods))) {
      const folded = fold(tidy(schema), shapes);
      if (Object.keys(folded).length === 0 || 'not' in folded) continue;
      found[`${method.slice(1).toUpperCase()} /api${path.replace(/:(\w+)(\{[^}]*\}+)?/g, '{$1}')}`] = folded;
    }
  return found;
};

/** Only what it is made of: the whole would be a reference to itself. */
const foldedWithin = (schema: Schema, shapes: Shapes): Schema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, foldAny(value, shapes)]));

type Generated = Record<'Answers' | 'EachEvent' | 'EachLine' | 'Names', Record<string, Schema>>;

const generated = (): Generated => {
  const file = join(import.meta.dirname, 'answer-types.ts');
  const whole = TJS.getProgramFromFiles([file], compiler);
  // The generator looks at each type of each file that it is shown, the packages' too: the four stand in this one.
  const shown = whole.getSourceFiles().filter(({ fileName }) => fileName.endsWith('/build/docs/answer-types.ts'));
  const program: typeof whole = { ...whole, getSourceFiles: () => shown };
  const options = { required: true, ref: false, strictNullChecks: true, ignoreErrors: true };
  // One for each: how deep a type that holds itself is followed hangs on what a generator has met before.
  const of = (symbol: string) =>
    propertiesOf(TJS.buildGenerator(program, options)?.getSchemaForSymbol(symbol) as Schema);
  return { Answers: of('Answers'), EachEvent: of('EachEvent'), EachLine: of('EachLine'), Names: of('Names') };
};

const compiler = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, resolveJsonModule: true },
  ...{ target: 'esnext', module: 'nodenext', moduleResolution: 'nodenext', allowImportingTsExtensions: true },
  types: ['node'],
};

const propertiesOf = ({ properties = {} }: Schema): Record<string, Schema> => properties as Record<string, Schema>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without the generator's own notes. What holds itself without end is told as deep as its type was followed. */
const tidy = (schema: Schema): Schema =>
  mapped(schema, ({ $schema: _, ...rest }) => (isEndless(rest) ? { description: 'And so on.' } : rest));

const isEndless = ({ $ref, anyOf }: Schema): boolean =>
  String($ref).startsWith('#/definitions/') ||
  (Array.isArray(anyOf) && anyOf.filter(isSchema).some((one) => isEndless(one) || isAnything(one)));

/** All that JSON has but lists: a type that holds itself, followed one step further. */
const isAnything = ({ type }: Schema): boolean => Array.isArray(type) && type.length === 5;

const mapped = (schema: Schema, change: (schema: Schema) => Schema): Schema =>
  Object.fromEntries(
    Object.entries(change(schema)).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one: unknown) => (isSchema(one) ? mapped(one, change) : one))
        : isSchema(value)
          ? mapped(value, change)
          : value,
    ]),
  );

/** Two that allow the same, whatever is said of them. A field that is called description is no description. */
const shapeOf = (schema: Schema): string =>
  JSON.stringify(
    mapped(schema, ({ description, ...rest }) => sorted(isSchema(description) ? { ...rest, description } : rest)),
  );

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));

type Shapes = ReadonlyMap<string, string>;

const fold = (schema: Schema, shapes: Shapes): Schema => {
  const name = shapes.get(shapeOf(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return foldedWithin(schema, shapes);
};

const foldAny = (value: unknown, shapes: Shapes): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => foldAny(one, shapes));
  return isSchema(value) ? fold(value, shapes) : value;
};
