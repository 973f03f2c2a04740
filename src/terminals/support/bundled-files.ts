/** The logs and terminal recordings in a till's folder that go into a support bundle: the newest, and their ends. */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join as joined, type PlatformPath } from 'node:path';

/** Of each kind so many files, and of each file so many bytes from its end. */
const FILES = 5;
const BYTES = 256 * 1024;

/** Where the till and its people put what they write for support, below its folder. */
const places: readonly { folder: string; kind: string; is: RegExp }[] = [
  { folder: '', kind: 'log', is: /\.(log|jsonl)$/ },
  { folder: '', kind: 'recording', is: /\.tape$/ },
  { folder: 'logs', kind: 'log', is: /\.(log|jsonl|txt)$/ },
  { folder: 'recordings', kind: 'recording', is: /\.(tape|txt|jsonl|log)$/ },
  { folder: 'traces', kind: 'recording', is: /\.(tape|txt|jsonl|log)$/ },
];

/** Files to be read later, the newest of each kind and place, by names that are the same on each system. */
export const bundledFiles = (
  folder: string,
  { join }: Pick<PlatformPath, 'join'> = { join: joined },
): { name: string; read: () => string[] }[] =>
  places.flatMap(({ folder: below, kind, is }) => {
    const at = join(folder, below);
    if (!existsSync(at) || !statSync(at).isDirectory()) return [];
    return readdirSync(at, { withFileTypes: true })
      .filter((entry) => entry.isFile() && is.test(entry.name))
      .map(({ name }) => ({ name, file: join(at, name), changed: statSync(join(at, name)).mtimeMs }))
      .sort((a, b) => b.changed - a.changed)
      .slice(0, FILES)
      .map(({ name, file }) => ({
        name: `${kind} ${below === '' ? name : `${below}/${name}`}`,
        read: () => ending(file),
      }));
  });

const ending = (file: string): string[] => {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const held = Buffer.alloc(Math.min(size, BYTES));
    const read = readSync(handle, held, 0, held.length, size - held.length);
    const lines = held.subarray(0, read).toString('utf8').replace(/\n$/, '').split('\n');
    if (size <= BYTES) return lines;
    // A line cut in two could hide what it begins with.
    return [`The first ${size - BYTES} bytes are left out.`, ...lines.slice(1)];
  } finally {
    closeSync(handle);
  }
};
