/** Rules about imports: each must be allowed by the table. */
import { posix } from 'node:path';
import {
  complain,
  isBelow,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  nodesOfTypes,
  type Rule,
  type Source,
  textOf,
} from './source.ts';
import { emptyNames, natives, ownCiphers, sees, withoutSource } from './table.ts';

type Import = { at: Node; from: string | undefined; typeOnly: boolean };

const NAMING = [
  ...['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'],
  ...['TSImportType', 'ImportExpression', 'NewExpression'],
];

/** Every way one file can name another: imports, re-exports, types, `import()`, and URLs of workers. */
export const importsOf = ({ tree }: Source): Import[] =>
  nodesOfTypes(tree, ...NAMING).flatMap((at): Import[] => {
    switch (at.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        return nodeAt(at, 'source') === undefined
          ? []
          : [{ at, from: textOf(nodeAt(at, 'source')), typeOnly: isTypeOnly(at) }];
      case 'TSImportType':
        return [{ at, from: textOf(nodeAt(at, 'source') ?? nodeAt(at, 'argument')), typeOnly: true }];
      case 'ImportExpression':
        return [{ at, from: textOf(nodeAt(at, 'source')), typeOnly: false }];
      case 'NewExpression': {
        const url = nameOf(nodeAt(at, 'callee')) === 'URL' ? textOf(nodesAt(at, 'arguments')[0]) : undefined;
        return url?.startsWith('.') && url.endsWith('.ts') ? [{ at, from: url, typeOnly: false }] : [];
      }
      default:
        return [];
    }
  });

const isTypeOnly = (node: Node): boolean => {
  const parts = nodesAt(node, 'specifiers');
  const kind = (part: Node) => part['importKind'] ?? part['exportKind'];
  return kind(node) === 'type' || (parts.length > 0 && parts.every((part) => kind(part) === 'type'));
};

const rowOf = (path: string): string | undefined =>
  Object.keys(sees)
    .filter((folder) => isBelow(path, [folder]))
    .sort((a, b) => b.length - a.length)[0];

const mayImport = (from: string, to: string, typeOnly: boolean): boolean => {
  const row = rowOf(from);
  if (row === undefined) return false;
  if (rowOf(to) === row) return true;
  return (sees[row] ?? []).some((seen) => {
    const place = seen.replace(/^type /, '');
    if (seen !== place && !typeOnly) return false;
    return place.endsWith('/*') ? posix.dirname(to) === place.slice(0, -2) : isBelow(to, [place]);
  });
};

/** Only folders that the table allows. */
export const imports: Rule = (source) =>
  importsOf(source).flatMap(({ at, from, typeOnly }) => {
    if (from === undefined) return [complain(source, at, 'import a module by a literal name')];
    if (!from.startsWith('.')) return [];
    const to = posix.join(posix.dirname(source.path), from);
    if (mayImport(source.path, to, typeOnly)) return [];
    const row = rowOf(source.path);
    const doors = row === undefined ? 'nothing: it is not in test/house/table.ts' : (sees[row] ?? []).join(', ');
    const kind = typeOnly ? 'types of ' : '';
    return [
      complain(source, at, `imports ${kind}${to}, but ${row ?? source.path} may import only ${doors || 'itself'}`),
    ];
  });

/** Native code loads only where it is expected, and Electron only in its shell. */
export const packages: Rule = (source) =>
  importsOf(source).flatMap(({ at, from = '.', typeOnly }) => {
    if (typeOnly) return [];
    if (isBelow(from, natives.packages) && !isBelow(source.path, natives.places)) {
      return [complain(source, at, `loads ${from}; native modules load only in ${natives.places.join(', ')}`)];
    }
    return isBelow(from, ['electron']) && !isBelow(source.path, ['electron'])
      ? [complain(source, at, 'imports electron; only electron/ does')]
      : [];
  });

/** Every folder has a row in the table, and no folder has a name that says nothing. Takes the paths of all files. */
export const folders = (paths: readonly string[]): string[] => {
  const all = new Set(paths.flatMap(foldersAbove));
  const rows = Object.keys(sees);
  return [...all].sort().flatMap((folder) => {
    const parts = folder.split('/');
    if (emptyNames.includes(parts.at(-1) ?? '')) return [`${folder}: name the folder for what is in it`];
    const ruled = parts.length === 1 || (parts.length === 2 && ['src', 'drivers'].includes(parts[0] ?? ''));
    if (!ruled || withoutSource.includes(folder) || rows.some((row) => isBelow(row, [folder]))) return [];
    return [`${folder}: give the folder a row in test/house/table.ts that says what it may import`];
  });
};

const foldersAbove = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** Our own ciphers are used only where everything is simulated. */
export const ciphers: Rule = (source) =>
  importsOf(source).flatMap(({ at, from, typeOnly }) => {
    const [, file = ''] = /emv\/([\w-]+)\.ts$/.exec(from ?? '') ?? [];
    if (typeOnly || ownCiphers.places.test(source.path) || !(ownCiphers.files as readonly string[]).includes(file))
      return [];
    const names = nodesAt(at, 'specifiers').map((part) => nameOf(nodeAt(part, 'imported')) ?? '');
    const isOpen = names.length > 0 && names.every((name) => ownCiphers.open.test(name));
    return isOpen ? [] : complain(source, at, `uses our own ciphers (${file}.ts), which are for simulated keys only`);
  });
