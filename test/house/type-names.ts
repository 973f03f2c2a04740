/** An exported type has a name of its own in the whole product: a search for it ends at one file. */
import { isBelow, nameOf, nodeAt, nodesAt, type Source } from './source.ts';

const KINDS = ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'];

const typesExported = ({ path, tree }: Source): { name: string; path: string }[] =>
  nodesAt(tree, 'body').flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? nodeAt(node, 'declaration') : undefined;
    const name = KINDS.includes(declared?.type ?? '') ? nameOf(nodeAt(declared, 'id')) : undefined;
    return name === undefined ? [] : [{ name, path }];
  });

/** Names that several files of the product export. */
export const typeNamesShared = (sources: readonly Source[]): string[] => {
  const product = sources.filter(({ path }) => isBelow(path, ['src', 'drivers', 'electron']));
  return [...Map.groupBy(product.flatMap(typesExported), ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: exported by ${places.map(({ path }) => path).join(' and ')}; one needs another`);
};
