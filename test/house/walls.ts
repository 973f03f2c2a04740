/** Rules about imports: each must be allowed by the table. */
import { posix } from 'node:path';
import {
  complaintAt,
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
import { allowedImports, emptyNames, natives, ownCiphers, withoutSource } from './table.ts';

type Import = { node: Node; from: string | undefined; typeOnly: boolean };

const NAMING = [
  ...['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'],
  ...['TSImportType', 'ImportExpression', 'NewExpression'],
];

/** Every way one file can name another: imports, re-exports, types, `import()`, and URLs of workers. */
export const importsOf = ({ tree }: Source): Import[] =>
  nodesOfTypes(tree, ...NAMING).flatMap((node): Import[] => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        return nodeAt(node, 'source') === undefined
          ? []
          : [{ node, from: textOf(nodeAt(node, 'source')), typeOnly: isTypeOnly(node) }];
      case 'TSImportType':
        return [{ node, from: textOf(nodeAt(node, 'source') ?? nodeAt(node, 'argument')), typeOnly: true }];
      case 'ImportExpression':
        return [{ node, from: textOf(nodeAt(node, 'source')), typeOnly: false }];
      case 'NewExpression': {
        const url = nameOf(nodeAt(node, 'callee')) === 'URL' ? textOf(nodesAt(node, 'arguments')[0]) : undefined;
        return url?.startsWith('.') && url.endsWith('.ts') ? [{ node, from: url, typeOnly: false }] : [];
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

const tableRowOf = (path: string): string | undefined =>
  Object.keys(allowedImports)
    .filter((folder) => isBelow(path, [folder]))
    .sort((a, b) => b.length - a.length)[0];

const mayImport = (from: string, to: string, typeOnly: boolean): boolean => {
  const row = tableRowOf(from);
  if (row === undefined) return false;
  if (tableRowOf(to) === row) return true;
  return (allowedImports[row] ?? []).some((allowed) => {
    const place = allowed.replace(/^type /, '');
    if (allowed !== place && !typeOnly) return false;
    return place.endsWith('/*') ? posix.dirname(to) === place.slice(0, -2) : isBelow(to, [place]);
  });
};

/** Only folders that the table allows. */
export const imports: Rule = (source) =>
  importsOf(source).flatMap(({ node, from, typeOnly }) => {
    if (from === undefined) return [complaintAt(source, node, 'import a module by a literal name')];
    if (!from.startsWith('.')) return [];
    const to = posix.join(posix.dirname(source.path), from);
    if (mayImport(source.path, to, typeOnly)) return [];
    const row = tableRowOf(source.path);
    const allowedText =
      row === undefined ? 'nothing: it is not in test/house/table.ts' : (allowedImports[row] ?? []).join(', ');
    const kind = typeOnly ? 'types of ' : '';
    return [
      complaintAt(
        source,
        node,
        `imports ${kind}${to}, but ${row ?? source.path} may import only ${allowedText || 'itself'}`,
      ),
    ];
  });

/** Native code loads only where it is expected, and Electron only in its shell. */
export const packages: Rule = (source) =>
  importsOf(source).flatMap(({ node, from = '.', typeOnly }) => {
    if (typeOnly) return [];
    if (isBelow(from, natives.packages) && !isBelow(source.path, natives.places)) {
      return [complaintAt(source, node, `loads ${from}; native modules load only in ${natives.places.join(', ')}`)];
    }
    return isBelow(from, ['electron']) && !isBelow(source.path, ['electron'])
      ? [complaintAt(source, node, 'imports electron; only electron/ does')]
      : [];
  });

/** Every folder has a row in the table, and no folder has a name that says nothing. Takes the paths of all files. */
export const folders = (paths: readonly string[]): string[] => {
  const all = new Set(paths.flatMap(foldersAbove));
  const rows = Object.keys(allowedImports);
  return [...all].sort().flatMap((folder) => {
    const parts = folder.split('/');
    if (emptyNames.includes(parts.at(-1) ?? '')) return [`${folder}: name the folder for what is in it`];
    const needsRow = parts.length === 1 || (parts.length === 2 && ['src', 'drivers'].includes(parts[0] ?? ''));
    if (!needsRow || withoutSource.includes(folder) || rows.some((row) => isBelow(row, [folder]))) return [];
    return [`${folder}: give the folder a row in test/house/table.ts that says what it may import`];
  });
};

const foldersAbove = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** Our own ciphers are used only where everything is simulated. */
export const ciphers: Rule = (source) =>
  importsOf(source).flatMap(({ node, from, typeOnly }) => {
    const [, file = ''] = /emv\/([\w-]+)\.ts$/.exec(from ?? '') ?? [];
    if (typeOnly || ownCiphers.places.test(source.path) || !(ownCiphers.files as readonly string[]).includes(file))
      return [];
    const names = nodesAt(node, 'specifiers').map((part) => nameOf(nodeAt(part, 'imported')) ?? '');
    const isOpen = names.length > 0 && names.every((name) => ownCiphers.open.test(name));
    return isOpen
      ? []
      : complaintAt(source, node, `uses our own ciphers (${file}.ts), which are for simulated keys only`);
  });
