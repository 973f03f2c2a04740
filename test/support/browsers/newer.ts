/**
 * Finds features in a script or stylesheet that the oldest browsers lack, unless the code checks for them first. Names
 * come from newer.json, syntax from what the bundler would have to rewrite for those browsers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Features, transform as transformCss } from 'lightningcss';
import { parseSync, transformSync } from 'rolldown/utils';
import { cssTargets, type oldestBrowsers, targets } from '../../../build/browsers.ts';
import { piecesOf } from './css-pieces.ts';

/** What at least one of the oldest browsers lacks, as found by write-newer.ts. */
export type Newer = {
  browsers: typeof oldestBrowsers;
  source: string;
  /** Interfaces, builtins, and properties of the window. */
  globals: string[];
  /** Names that none of their interfaces have. */
  members: string[];
  /** `URL.parse`: other interfaces have a member with this name. */
  statics: string[];
  atRules: string[];
  selectors: string[];
  properties: string[];
  values: Record<string, string[]>;
  functions: string[];
};

export const newer = JSON.parse(readFileSync(join(import.meta.dirname, 'newer.json'), 'utf8')) as Newer;

const globals = new Set(newer.globals);
const members = new Set(newer.members);
const statics = new Set(newer.statics);

type Node = { type: string; start: number; end: number } & { [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Visits each node with its enclosing nodes, nearest last. */
const walk = (node: Node, ancestors: readonly Node[], see: (node: Node, ancestors: readonly Node[]) => void): void => {
  see(node, ancestors);
  const within = [...ancestors, node];
  for (const value of Object.values(node).flat()) if (isNode(value)) walk(value, within, see);
};

const nodesOf = (code: string, see: (node: Node, ancestors: readonly Node[]) => void): void => {
  const { program, errors } = parseSync('chunk.js', code, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  walk(program as unknown as Node, [], see);
};

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined;

/** `icon` is more likely an own name: a plain word counts only when it is called. */
const isPlainWord = (name: string): boolean => !/[a-z][A-Z]/.test(name);

/** The browser feature that a node uses, in the table's spelling. */
const featureAskedBy = (node: Node, parent: Node | undefined): string | undefined => {
  if (node.type === 'MemberExpression' && node['computed'] !== true) {
    const name = nameOf(node['property']) ?? '';
    const whole = `${nameOf(node['object'])}.${name}`;
    if (statics.has(whole)) return whole;
    const isCalled = parent?.type === 'CallExpression' && parent['callee'] === node;
    return members.has(name) && (isCalled || !isPlainWord(name)) ? name : undefined;
  }
  const name = nameOf(node);
  if (name === undefined || !globals.has(name)) return undefined;
  // The name of a property is no use of the global with that name.
  const isPart = parent !== undefined && ['MemberExpression', 'Property', 'MethodDefinition'].includes(parent.type);
  return isPart && parent['object'] !== node && parent['value'] !== node ? undefined : name;
};

const conditional = ['IfStatement', 'ConditionalExpression', 'LogicalExpression'];

/** Whether an enclosing condition, or the call itself, checks for the feature first. */
const isGuarded = (
  request: string,
  node: Node,
  { ancestors, code }: { ancestors: readonly Node[]; code: string },
): boolean => {
  const last = request.split('.').at(-1) ?? request;
  const parent = ancestors.at(-1);
  if (node['optional'] === true || parent?.['optional'] === true) return true;
  if (parent?.type === 'UnaryExpression' && parent['operator'] === 'typeof') return true;
  return ancestors.some((one) => {
    if (!conditional.includes(one.type)) return false;
    const test = (one['test'] ?? one['left']) as Node;
    return code.slice(test.start, test.end).includes(last);
  });
};

const asyncTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Whether the module itself awaits here while it runs. */
const isWaiting = (node: Node, ancestors: readonly Node[]): boolean =>
  (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node['await'] === true)) &&
  !ancestors.some(({ type }) => asyncTypes.includes(type));

export type Script = {
  /** Features used without a check, once each. */
  newer: string[];
  /** Whether it is a module that awaits while it runs. */
  waits: boolean;
};

export const lookAtScript = (code: string): Script => {
  const found = new Set<string>();
  let waits = false;
  nodesOf(code, (node, ancestors) => {
    const request = featureAskedBy(node, ancestors.at(-1));
    if (request !== undefined && !isGuarded(request, node, { ancestors, code })) found.add(request);
    waits ||= isWaiting(node, ancestors);
  });
  return { newer: [...found], waits };
};

/** Where two texts first differ, with a little of what follows. */
const parting = (text: string, another: string): string | undefined => {
  if (text === another) return undefined;
  const index = [...text].findIndex((sign, place) => sign !== another[place]);
  return text.slice(Math.max(0, index - 40), index + 80);
};

/** The first place that would have to be rewritten. */
export const newerSyntax = (code: string): string | undefined => {
  const written = (target: string | string[]): string => transformSync('chunk.js', code, { target }).code;
  return parting(written('esnext'), written(targets));
};

const pseudosIn = (selector: string): string[] =>
  [...selector.matchAll(/:{1,2}([a-z][a-z-]*)/g)].flatMap(([whole, name = '']) =>
    newer.selectors.includes(name) ? [whole] : [],
  );

const atRuleIn = (text: string): string[] => {
  const name = /^@([a-z-]+)/.exec(text)?.[1] ?? '';
  return newer.atRules.includes(name) ? [`@${name}`] : [];
};

const declare = (property: string, value: string): string[] => [
  ...(newer.properties.includes(property) ? [property] : []),
  ...(newer.values[property] ?? []).flatMap((known) =>
    value.split(/[\s,()]+/).includes(known) ? [`${property}: ${known}`] : [],
  ),
  ...[...value.matchAll(/([a-z][a-z-]*)\(/g)].flatMap(([, name = '']) =>
    newer.functions.includes(name) ? [`${name}()`] : [],
  ),
];

/** Features outside of `@supports`, once each. */
export const newerInSheet = (css: string): string[] => [
  ...new Set(
    piecesOf(css).flatMap((piece) => {
      if (piece.within.some((one) => one.startsWith('@supports'))) return [];
      if ('property' in piece) return declare(piece.property, piece.value);
      return piece.rule.startsWith('@') ? atRuleIn(piece.rule) : pseudosIn(piece.rule);
    }),
  ),
];

/** The first place of a stylesheet that would have to be rewritten, apart from prefixes, which the bundler adds. */
export const newerCssSyntax = (css: string): string | undefined => {
  const written = (isTargeted: boolean): string => {
    const { code } = transformCss({
      filename: 'sheet.css',
      code: Buffer.from(css),
      minify: true,
      exclude: Features.LightDark,
      targets: isTargeted ? cssTargets : undefined,
    });
    return Buffer.from(code)
      .toString()
      .replace(/;?-(?:webkit|moz)-[\w-]+:[^;}]*/g, '');
  };
  return parting(written(false), written(true));
};
