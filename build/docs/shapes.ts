/** Formats JSON Schemas for readers: a short type for a table cell, and a table for each named schema. */
import { code, plainText, table } from './markdown.ts';

export type Shape = {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Shape[];
  additionalProperties?: Shape | boolean;
};

/** For example `Amount[]`, `'open' | 'closed'`, `{ item?: OpenItem }`. A schema name links to its table. */
export const typeOf = (shape: Shape): string => {
  const name = shape.$ref?.split('/').at(-1);
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`;
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(' | ');
  if (shape.enum !== undefined) return shape.enum.map((literal) => code(JSON.stringify(literal))).join(' | ');
  if (shape.const !== undefined) return code(JSON.stringify(shape.const));
  if (shape.items !== undefined) return listOf(typeOf(shape.items));
  if (shape.properties !== undefined) return inBraces(shape);
  return code([shape.type ?? 'anything'].flat().join(' or '));
};

const listOf = (type: string): string => (type.includes(' ') ? `list of ${type}` : `${type}[]`);

const inBraces = ({ properties = {}, required = [] }: Shape): string => {
  const parts = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(property)}`,
  );
  return `{ ${parts.join(', ')} }`;
};

/** A table for each named schema. */
export const shapesPart = (schemas: Readonly<Record<string, Shape>>): string =>
  ['## What is answered', ...Object.entries(schemas).map(([name, shape]) => shapePart(name, shape).trimEnd())].join(
    '\n\n',
  );

const shapePart = (name: string, shape: Shape): string => {
  const { properties = {}, required = [], description } = shape;
  const rows = Object.entries(properties).map(([field, property]) => [
    code(required.includes(field) ? field : `${field}?`),
    typeOf(property),
    plainText(property.description ?? ''),
  ]);
  const sentences = description === undefined ? [] : [plainText(description)];
  return [
    `### ${name}`,
    ...sentences,
    ...(rows.length === 0 ? [typeOf(shape)] : [table(['field', 'type', ''], rows)]),
  ].join('\n\n');
};
