/** A source file with its syntax tree, parsed by the parser that is part of vitest. */
import { parseAst } from 'vitest/node';

/** An ESTree node with TypeScript's own node types. Offsets are in UTF-16 units. */
export type Node = { type: string; start: number; end: number } & Readonly<Record<string, unknown>>;
export type Source = { path: string; text: string; lines: readonly string[]; tree: Node };
/** Finds what is wrong in a file. Each complaint reads `path:line: what, and what to do instead`. */
export type Rule = (source: Source) => string[];

/** Throws with the path if the text is not TypeScript. */
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

/** All rules walk the same trees. */
const walked = new WeakMap<Node, readonly Node[]>();

/** A node and all nodes below it, in the order of the text. */
export const nodesOf = (root: Node): readonly Node[] => {
  const cachedNodes = walked.get(root);
  if (cachedNodes !== undefined) return cachedNodes;
  const nodes: Node[] = [];
  collectNodes(root, nodes);
  walked.set(root, nodes);
  return nodes;
};

/** Only the nodes of these types: most rules need a few, and a file has thousands of nodes. */
export const nodesOfTypes = (root: Node, ...types: readonly string[]): Node[] =>
  nodesOf(root).filter(({ type }) => types.includes(type));

const collectNodes = (node: Node, target: Node[]): void => {
  target.push(node);
  for (const value of Object.values(node)) {
    if (isNode(value)) collectNodes(value, target);
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) collectNodes(each, target);
  }
};

/** The name of an identifier, the key of a member access, or undefined. */
export const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' ? String(node['name']) : undefined;

/** `Date.now` for that member access, also after `globalThis.`; undefined for other nodes. */
export const memberOf = (node: Node | undefined): string | undefined => {
  if (node?.type !== 'MemberExpression') return undefined;
  const [object, property] = [nodeAt(node, 'object'), nodeAt(node, 'property')];
  const key = node['computed'] === true ? textOf(property) : nameOf(property);
  const holder = nameOf(object) ?? memberOf(object);
  return key === undefined || holder === undefined ? undefined : `${holder}.${key}`.replace(/^globalThis\./, '');
};

/** The value of a string literal, or undefined. */
export const textOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;

export const lineOf = ({ text }: Source, offset: number): number => text.slice(0, offset).split('\n').length;

/** One complaint about a place in a file. */
export const complaintAt = (source: Source, node: { start: number }, text: string): string =>
  `${source.path}:${lineOf(source, node.start)}: ${text}`;

/** Whether a path is one of these files or lies below one of these folders. */
export const isBelow = (path: string, places: readonly string[]): boolean =>
  places.some((place) => path === place || path.startsWith(`${place}/`));
