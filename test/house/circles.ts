/**
 * Import circles of files. Files that import each other can only be read, tested and moved together. Imports of types
 * count.
 */
import { posix } from 'node:path';
import { isBelow, type Source } from './source.ts';
import { importsOf } from './walls.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** The circles among the program's own files. */
export const circles = (sources: readonly Source[]): string[] => {
  const productSources = sources.filter(({ path }) => !isBelow(path, ['test']));
  return circlesIn(graphOf(productSources)).map(
    (files) => `${files.join(', ')}: these files import each other in a circle`,
  );
};

/** A worker thread runs its own file. The URL that starts it is not an import. */
const graphOf = (sources: readonly Source[]): Graph => {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map((source) => {
      const names = importsOf(source).flatMap(({ node: at, from }) =>
        at.type === 'NewExpression' ? [] : (from ?? []),
      );
      const to = names.map((from) => posix.join(posix.dirname(source.path), from));
      return [source.path, to.filter((path) => paths.has(path))];
    }),
  );
};

/** Files in order, circles by their first file. */
const circlesIn = (graph: Graph): string[][] => {
  const circular = withoutLeaves(reverse(withoutLeaves(graph)));
  const reachable = new Map([...circular.keys()].sort().map((path) => [path, reachedFrom(path, circular)]));
  const groups = [...reachable.keys()].map((path) =>
    [...reachable.keys()].filter((other) => reachable.get(path)?.has(other) && reachable.get(other)?.has(path)),
  );
  return groups.filter(([first], index) => first !== undefined && first === [...reachable.keys()][index]);
};

/**
 * Repeatedly removes the files that import none of the others. The files that are left are in a circle or import one.
 */
const withoutLeaves = (graph: Graph): Graph => {
  const remaining = new Map([...graph].filter(([, to]) => to.some((path) => graph.has(path))));
  return remaining.size === graph.size ? remaining : withoutLeaves(remaining);
};

const reverse = (graph: Graph): Graph => {
  const from = new Map([...graph.keys()].map((path) => [path, [] as string[]]));
  for (const [path, to] of graph) for (const each of to) from.get(each)?.push(path);
  return from;
};

const reachedFrom = (start: string, graph: Graph): ReadonlySet<string> => {
  const reached = new Set<string>();
  const next = [start];
  for (const path of next) {
    const unreached = (graph.get(path) ?? []).filter((to) => !reached.has(to));
    for (const to of unreached) reached.add(to);
    next.push(...unreached);
  }
  return reached;
};
