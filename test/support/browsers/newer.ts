/**
 * What a script or a stylesheet asks of a browser that the oldest ones do not have, unless it looks first whether it is
 * there. Names come from newer.json, syntax from what the bundler would have to rewrite for those browsers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Features, transform as transformCss } from 'lightningcss';
import { parseSync, transformSync } from 'rolldown/utils';
import { cssTargets, type oldestBrowsers, targets } from '../../../build/browsers.ts';
import { piecesOf } from './css-pieces.ts';

/** What at least one of the oldest browsers lacks, as write-newer.ts found it. */
export type Newer = {
  browsers: typeof oldestBrowsers;
  source: string;
  /** Interfaces, builtins, and what the window has. */
  globals: string[];
  /** Names that no interface of theirs has. */
  members: string[];
  /** `URL.parse`: other interfaces have one of this name. */
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

/** Each node with those around it, the nearest last. */
const walk = (node: Node, around: readonly Node[], see: (node: Node, around: readonly Node[]) => void): void => {
  see(node, around);
  const within = [...around, node];
  for (const value of Object.values(node).flat()) if (isNode(value)) walk(value, within, see);
};

const nodesOf = (code: string, see: (node: Node, around: readonly Node[]) => void): void => {
  const { program, errors } = parseSync('chunk.js', code, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  walk(program as unknown as Node, [], see);
};

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined;

/** `icon` is more likely somebody's own: a plain word counts where it is called. */
const isPlainWord = (name: string): boolean => !/[a-z][A-Z]/.test(name);

/** The name that a node asks of the browser, by the table's own spelling. */
const askedBy = (node: Node, parent: Node | undefined): string | undefined => {
  if (node.type === 'MemberExpression' && node['computed'] !== true) {
    const name = nameOf(node['property']) ?? '';
    const whole = `${nameOf(node['object'])}.${name}`;
    if (statics.has(whole)) return whole;
    const isCalled = parent?.type === 'CallExpression' && parent['callee'] === node;
    return members.has(name) && (isCalled || !isPlainWord(name)) ? name : undefined;
  }
  const name = nameOf(node);
  if (name === undefined || !globals.has(name)) return undefined;
  // The name of a property, of its own object or of another one, is looked at there.
  const isPart = parent !== undefined && ['MemberExpression', 'Property', 'MethodDefinition'].includes(parent.type);
  return isPart && parent['object'] !== node && parent['value'] !== node ? undefined : name;
};

const conditional = ['IfStatement', 'ConditionalExpression', 'LogicalExpression'];

/** Whether a condition around it, or the call itself, looks first whether it is there. */
const isGuarded = (asked: string, node: Node, { around, code }: { around: readonly Node[]; code: string }): boolean => {
  const last = asked.split('.').at(-1) ?? asked;
  const parent = around.at(-1);
  if (node['optional'] === true || parent?.['optional'] === true) return true;
  if (parent?.type === 'UnaryExpression' && parent['operator'] === 'typeof') return true;
  return around.some((one) => {
    if (!conditional.includes(one.type)) return false;
    const test = (one['test'] ?? one['left']) as Node;
    return code.slice(test.start, test.end).includes(last);
  });
};

const asyncTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Whether the module itself waits here, while it is run. */
const isWaiting = (node: Node, around: readonly Node[]): boolean =>
  (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node['await'] === true)) &&
  !around.some(({ type }) => asyncTypes.includes(type));

export type Script = {
  /** Names that are asked for without looking first, once each. */
  newer: string[];
  /** It is a module that waits while it is run. */
  waits: boolean;
};

export const lookAtScript = (code: string): Script => {
  const found = new Set<string>();
  let waits = false;
  nodesOf(code, (node, around) => {
    const asked = askedBy(node, around.at(-1));
    if (asked !== undefined && !isGuarded(asked, node, { around, code })) found.add(asked);
    waits ||= isWaiting(node, around);
  });
  return { newer: [...found], waits };
};

/** Where two texts part, with a little of what follows. */
const parting = (text: string, other: string): string | undefined => {
  if (text === other) return undefined;
  const at = [...text].findIndex((sign, place) => sign !== other[place]);
  return text.slice(Math.max(0, at - 40), at + 80);
};

/** The first place that would have to be written otherwise. */
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

const declared = (property: string, value: string): string[] => [
  ...(newer.properties.includes(property) ? [property] : []),
  ...(newer.values[property] ?? []).flatMap((word) =>
    value.split(/[\s,()]+/).includes(word) ? [`${property}: ${word}`] : [],
  ),
  ...[...value.matchAll(/([a-z][a-z-]*)\(/g)].flatMap(([, name = '']) =>
    newer.functions.includes(name) ? [`${name}()`] : [],
  ),
];

/** What stands in no `@supports`, once each. */
export const newerInSheet = (css: string): string[] => [
  ...new Set(
    piecesOf(css).flatMap((piece) => {
      if (piece.within.some((one) => one.startsWith('@supports'))) return [];
      if ('property' in piece) return declared(piece.property, piece.value);
      return piece.rule.startsWith('@') ? atRuleIn(piece.rule) : pseudosIn(piece.rule);
    }),
  ),
];

/** The first place of a sheet that would have to be written otherwise, its prefixes apart: the bundler adds those. */
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
