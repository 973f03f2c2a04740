/** A source file with its syntax tree, read by the compiler that vitest brings along. */
import { parseAst } from 'vitest/node';

/** An ESTree node with TypeScript's own kinds; offsets in UTF-16 units. */
export type Node = { type: string; start: number; end: number } & Readonly<Record<string, unknown>>;
export type Source = { path: string; text: string; lines: readonly string[]; tree: Node };
/** Says what is wrong in a file, each as `path:line: what, and what to do instead`. */
export type Rule = (source: Source) => string[];

/** Throws with the path if the text is no TypeScript. */
export const sourceOf = (path: string, text: string): Source => {
  try {
    const tree = parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' }) as unknown as Node;
    return { path, text, lines: text.split('\n'), tree };
  } catch (error) {
    throw new Error(`${path} cannot be parsed`, { cause: error });
  }
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

export const nodeAt = (node: Node | undefined, name: string): Node | undefined => {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
};

export const nodesAt = (node: Node, name: string): Node[] => {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** Each rule walks the same trees. */
const walked = new WeakMap<Node, readonly Node[]>();

/** All nodes at and below one, in the order of the text. */
export const nodesOf = (root: Node): readonly Node[] => {
  const known = walked.get(root);
  if (known !== undefined) return known;
  const nodes: Node[] = [];
  collect(root, nodes);
  walked.set(root, nodes);
  return nodes;
};

/** Those of these types alone: most rules ask for a few, and a file has thousands of nodes. */
export const nodesOfTypes = (root: Node, ...types: readonly string[]): Node[] =>
  nodesOf(root).filter(({ type }) => types.includes(type));

const collect = (node: Node, into: Node[]): void => {
  into.push(node);
  for (const value of Object.values(node)) {
    if (isNode(value)) collect(value, into);
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) collect(each, into);
  }
};

/** The name of an identifier, the key of a member access, or nothing. */
export const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' ? String(node['name']) : undefined;

/** `Date.now` for that member access, whatever stands before a `globalThis.`; nothing for other nodes. */
export const memberOf = (node: Node | undefined): string | undefined => {
  if (node?.type !== 'MemberExpression') return undefined;
  const [object, property] = [nodeAt(node, 'object'), nodeAt(node, 'property')];
  const key = node['computed'] === true ? textOf(property) : nameOf(property);
  const holder = nameOf(object) ?? memberOf(object);
  return key === undefined || holder === undefined ? undefined : `${holder}.${key}`.replace(/^globalThis\./, '');
};

/** The value of a string literal, or nothing. */
export const textOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;

export const lineOf = ({ text }: Source, offset: number): number => text.slice(0, offset).split('\n').length;

/** One complaint about a place. */
export const complain = (source: Source, node: { start: number }, words: string): string =>
  `${source.path}:${lineOf(source, node.start)}: ${words}`;

/** Whether a path is one of these files or lies below one of these folders. */
export const isBelow = (path: string, places: readonly string[]): boolean =>
  places.some((place) => path === place || path.startsWith(`${place}/`));
