/** Flat names with their schemas as one schema of nested objects, lists and maps: what an answer looks like. */
import type { Json } from '../../spec/json.ts';
import type { Schema } from './schema.ts';

export type Leaf = { schema: Schema; required: boolean };

type Node = { leaf?: Leaf; children: Map<string, Node> };

/** `redirect.parameters[n].name` is a list of objects, `resultDetails[key]` any further name of its object. */
export const nestedSchema = (leaves: Readonly<Record<string, Leaf>>): Schema => {
  const root: Node = { children: new Map() };
  for (const [name, leaf] of Object.entries(leaves)) {
    let node = root;
    for (const step of name.split(/[.[]/)) node = childOf(node, step);
    node.leaf = leaf;
  }
  return schemaOfNode(root);
};

const childOf = ({ children }: Node, step: string): Node => {
  const child = children.get(step) ?? { children: new Map<string, Node>() };
  children.set(step, child);
  return child;
};

const schemaOfNode = ({ leaf, children }: Node): Schema => {
  if (leaf !== undefined) return leaf.schema;
  const item = children.get('n]');
  if (item !== undefined) return { type: 'array', items: schemaOfNode(item) };
  const entry = children.get('key]');
  const named = [...children].filter(([name]) => name !== 'key]');
  const required = named.filter(([, child]) => child.leaf?.required === true).map(([name]) => name);
  const properties: { [name: string]: Json } = Object.fromEntries(
    named.map(([name, child]) => [name, schemaOfNode(child)]),
  );
  return {
    type: 'object',
    properties: named.length === 0 ? undefined : properties,
    additionalProperties: entry && schemaOfNode(entry),
    required: required.length === 0 ? undefined : required,
  };
};
