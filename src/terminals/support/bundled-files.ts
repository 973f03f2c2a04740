/** The logs and terminal recordings of a till's folder that go into a support bundle: the newest, and their ends. */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join as joined, type PlatformPath } from 'node:path';
import { dateTime } from '../../base/clock.ts';
import { hidden, printable } from '../../base/mask.ts';
import { entryOf } from '../../journal/chain.ts';
import { openSqlToRead, type Sql } from '../../journal/sql.ts';

/** The most files of each kind, and the most bytes from the end of each file. */
const FILES = 5;
const BYTES = 256 * 1024;

/** Where the till and its users put files for support, below its folder. */
const places: readonly { folder: string; kind: string; pattern: RegExp }[] = [
  { folder: '', kind: 'log', pattern: /\.(log|jsonl)$/ },
  { folder: '', kind: 'recording', pattern: /\.tape$/ },
  { folder: 'logs', kind: 'log', pattern: /\.(log|jsonl|txt)$/ },
  { folder: 'recordings', kind: 'recording', pattern: /\.(tape|txt|jsonl|log)$/ },
  { folder: 'traces', kind: 'recording', pattern: /\.(tape|txt|jsonl|log)$/ },
];

/** Files to be read later, the newest of each kind and place. Their names are the same on every system. */
export const bundledFiles = (
  folder: string,
  { join }: Pick<PlatformPath, 'join'> = { join: joined },
): { name: string; read: () => string[] }[] =>
  places.flatMap(({ folder: subfolder, kind, pattern }) => {
    const at = join(folder, subfolder);
    if (!existsSync(at) || !statSync(at).isDirectory()) return [];
    return readdirSync(at, { withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name))
      .map(({ name }) => ({ name, file: join(at, name), changed: statSync(join(at, name)).mtimeMs }))
      .sort((a, b) => b.changed - a.changed)
      .slice(0, FILES)
      .map(({ name, file }) => ({
        name: `${kind} ${subfolder === '' ? name : `${subfolder}/${name}`}`,
        read: () => readEnding(file),
      }));
  });

const readEnding = (file: string): string[] => {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const buffer = Buffer.alloc(Math.min(size, BYTES));
    const read = readSync(handle, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.subarray(0, read).toString('utf8').replace(/\n$/, '').split('\n');
    if (size <= BYTES) return lines;
    // A truncated first line could hide what it begins with.
    return [`The first ${size - BYTES} bytes are left out.`, ...lines.slice(1)];
  } finally {
    closeSync(handle);
  }
};

// The last entries of the journal for remote support: what happened and how it ended, and nothing else.

/** Values that may be shown, by their names in an event. Any other value is masked, and only its name shown. */
const clearFields = new Set(
  [
    'on ending reason why how words kind code description statusText operation minor currency terminalId sequence receipt',
    'at entryMode maskedPan verification aid decision approved label value tvr tsi offline duplicate by risk allowed',
  ]
    .join(' ')
    .split(' '),
);

/** A line for each of the last `most` entries, oldest first. Throws `journal.busy`, or the fault of reading. */
export const journalTail = (path: string, most: number): string[] => {
  if (!existsSync(path)) return ['There is no journal yet.'];
  const sql = openSqlToRead(path);
  try {
    return lastEntries(sql, most);
  } finally {
    sql.close();
  }
};

/** The same for an open journal: while its till is running, nobody else can open it. */
export const lastEntries = (sql: Sql, most: number): string[] =>
  sql
    .all('SELECT * FROM entry ORDER BY entry DESC LIMIT ?', most)
    .map(entryOf)
    .reverse()
    .map(({ entry, at, subject, kind, body }) => `${entry}  ${dateTime(at)}  ${subject}  ${kind}  ${mask(body)}`);

const mask = (body: string): string => {
  try {
    return JSON.stringify(maskedValue(JSON.parse(body) as unknown, false));
  } catch {
    // Text that is not JSON was not written by this program, so its content is unknown.
    return hidden;
  }
};

const maskedValue = (value: unknown, isShown: boolean): unknown => {
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, isShown));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, maskedValue(each, clearFields.has(name))]),
    );
  }
  if (typeof value === 'boolean') return value;
  if (!isShown) return hidden;
  return typeof value === 'string' ? printable(value) : value;
};
