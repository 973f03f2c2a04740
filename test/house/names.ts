/**
 * Names must be unambiguous and clear to a newcomer: an exported type's name is unique in the whole product, and every
 * name uses words of the field.
 */
import { posix } from 'node:path';
import { isBelow, lineOf, nameOf, nodeAt, nodesAt, type Rule, type Source } from './source.ts';

const KINDS = ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'];

const typesExported = ({ path, tree }: Source): { name: string; path: string }[] =>
  nodesAt(tree, 'body').flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? nodeAt(node, 'declaration') : undefined;
    const name = KINDS.includes(declared?.type ?? '') ? nameOf(nodeAt(declared, 'id')) : undefined;
    return name === undefined ? [] : [{ name, path }];
  });

/** Names of types that several files of the product export. */
export const typeNamesShared = (sources: readonly Source[]): string[] => {
  const product = sources.filter(({ path }) => isBelow(path, ['src', 'drivers', 'electron']));
  return [...Map.groupBy(product.flatMap(typesExported), ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: exported by ${places.map(({ path }) => path).join(' and ')}; rename one`);
};

/** Participles and metaphors that describe how something is told instead of naming the thing. */
const PICTURES = new Set(
  `asked asking told heard shown given standing errand errands clockwork clockworks bell stray strays stranger turnstile
   behind foreign doing undoing takings deed desk`.split(/\s+/),
);
/** Uses of them that are terms of the field. */
const OF_THE_FIELD = /standing instructions?|given names?|foreign (key|exchange|currency)|help desk/;

const pictureIn = (name: string): string | undefined => {
  const output = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase();
  if (OF_THE_FIELD.test(output)) return undefined;
  return /way ?back/.exec(output)?.[0] ?? output.split(' ').find((picture) => PICTURES.has(picture));
};

const complaintsAbout = (location: string, name: string): string[] => {
  const picture = pictureIn(name);
  return picture === undefined ? [] : [`${location}: ${name}: “${picture}” is not a term of the field; use one`];
};

/** Checks file names, and the functions, constants and types at the top level of the product's files. */
export const fieldWords: Rule = (source) => {
  const { path, tree } = source;
  if (!isBelow(path, ['src', 'drivers', 'electron'])) return [];
  const declared = nodesAt(tree, 'body').map((node) => nodeAt(node, 'declaration') ?? node);
  const names = declared.flatMap((node) =>
    [node, ...nodesAt(node, 'declarations')].flatMap((identifierHolder) => nodeAt(identifierHolder, 'id') ?? []),
  );
  return [
    ...complaintsAbout(path, posix.basename(path).replace(/\.tsx?$/, '')),
    ...names.flatMap((id) => complaintsAbout(`${path}:${lineOf(source, id.start)}`, nameOf(id) ?? '')),
  ];
};
