/** File sizes, file names and opening comments. */
import { posix } from 'node:path';
import { complaintAt, isBelow, nodeAt, nodesAt, nodesOf, nodesOfTypes, type Rule, type Source } from './source.ts';
import { fourParameters, limits, tables } from './table.ts';

export const fileLength: Rule = ({ path, lines }) =>
  lines.length - 1 > limits.fileLines && !isBelow(path, tables)
    ? [`${path}:${limits.fileLines + 1}: ${lines.length - 1} lines; split the file by purpose`]
    : [];

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const functionsOf = (source: Source) => nodesOfTypes(source.tree, ...FUNCTIONS);

/** One name of a list, on its own line: the formatter put it there, and it is no step of the function. */
const LISTED = /^\s*(\.\.\.)?[\w.]+(: [\w.]+)?,$/;

/** Tests are exempt here and below: a `describe` is a list, and the rows of a table arrive as parameters. */
export const functionLength: Rule = (source) =>
  isBelow(source.path, ['test'])
    ? []
    : functionsOf(source).flatMap((node) => {
        const lines = source.text.slice(node.start, node.end).split('\n');
        const steps = lines.filter((line) => !LISTED.test(line)).length;
        return steps > limits.functionLines
          ? [complaintAt(source, node, `a function of ${steps} lines; move its steps to functions of their own`)]
          : [];
      });

export const parameters: Rule = (source) =>
  functionsOf(source).flatMap((node) => {
    const count = nodesAt(node, 'params').length;
    const parameterMax = fourParameters.includes(source.path) ? 4 : limits.parameters;
    return count > parameterMax && !isBelow(source.path, ['test'])
      ? [complaintAt(source, node, `${count} positional parameters; pass one object with named properties`)]
      : [];
  });

/** A line may be wider only if it has one literal that cannot be broken. */
export const width: Rule = (source) => {
  let start = 0;
  return source.lines.flatMap((line) => {
    const from = start;
    start += line.length + 1;
    if (line.length <= limits.columns) return [];
    const literals = nodesOfTypes(source.tree, 'Literal', 'TemplateLiteral').map(
      (node) => Math.min(node.end, from + line.length) - Math.max(node.start, from),
    );
    return line.length - Math.max(0, ...literals) <= limits.columns
      ? []
      : [complaintAt(source, { start: from }, `${line.length} columns; break the line before ${limits.columns}`)];
  });
};

/** A file starts with a sentence that states its purpose. A test states it in the names of its tests. */
export const opening: Rule = ({ path, text }) =>
  path.endsWith('.test.ts') || /^(#!.*\n)?\/(\*\*?|\/)\s*(\*\s)?[A-Z`'"“]/.test(text)
    ? []
    : [`${path}:1: open the file with a comment: one sentence that states its purpose`];

export const fileName: Rule = ({ path }) => {
  const name = posix.basename(path);
  if (/^index\.tsx?$/.test(name)) return [`${path}:1: no barrels; import from the file that defines it`];
  return /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.tsx?$/.test(name) ? [] : [`${path}:1: name the file in kebab-case`];
};

export const defaultExport: Rule = (source) =>
  /^[^/]+\.config\.ts$/.test(source.path)
    ? []
    : nodesOf(source.tree)
        .filter((node) => node.type === 'ExportDefaultDeclaration' || nodeAt(node, 'exported')?.['name'] === 'default')
        .map((node) => complaintAt(source, node, 'export it by its name'));
