/** The files of the project, and what none of them, sources or not, may mention. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { notOurs } from './table.ts';

/** Paths of all files, relative to the root, without generated files. */
export const pathsBelow = (root: string, folder = ''): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (folder === '' && notOurs.includes(entry.name)) return [];
    if (entry.isDirectory()) return pathsBelow(root, path);
    return entry.isFile() ? [path] : [];
  });

/** The text of a file; undefined for one with zero bytes, such as pictures and databases. */
export const textAt = (root: string, path: string): string | undefined => {
  const text = readFileSync(join(root, path), 'utf8');
  return text.includes('\0') ? undefined : text;
};

// Written so that this file does not match itself.
const outsidePaths = [
  /(?<![\w.])\/(?:work)(?=\/|\b(?!-))/,
  /(?<![\w/.-])(?:shared)\//,
  /(?<![\w.])\/(?:tmp|home|root)\/\w/,
];

/**
 * The project mentions no places of the machine it was written on, and no documents that it does not contain. Vectors
 * name the public documents they were taken from. Their JSON is exempt altogether: the files are kept byte for byte as
 * they were made, with the sources they name, so that they can be compared with other copies.
 */
export const outsideMentions = (path: string, text: string, documentNames: ReadonlySet<string>): string[] => {
  if (/^test\/vectors\/[^/]+\.json$/.test(path)) return [];
  return text.split('\n').flatMap((line, index) => {
    const location = `${path}:${index + 1}`;
    const place = outsidePaths.map((pattern) => pattern.exec(line)?.[0]).find((found) => found !== undefined);
    const documents = path.startsWith('test/vectors/')
      ? []
      : [...line.matchAll(/[\w-]+\.md\b/g)].map(([name]) => name).filter((name) => !documentNames.has(name));
    return [
      ...(place === undefined ? [] : [`${location}: names ${place}, a place outside the project`]),
      ...documents.map((name) => `${location}: names ${name}, a document that is not in the project`),
    ];
  });
};
