/** Archives that the kernel unpacks into its first file system: the "newc" form of cpio. */

export type Entry = { path: string } & (
  | { kind: 'file'; bytes: Uint8Array; program?: boolean }
  | { kind: 'folder' }
  | { kind: 'link'; to: string }
);

const modes = { folder: 0o040755, link: 0o120777, file: 0o100644, program: 0o100755 } as const;

/** One archive of these entries; their parent folders are added. Several archives may follow one another. */
export const cpio = (entries: readonly Entry[]): Buffer => {
  const known = new Set<string>();
  const parts: Buffer[] = [];
  const add = (entry: Entry): void => {
    const path = entry.path.replace(/^\//, '');
    if (known.has(path)) return;
    const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (above !== '') add({ kind: 'folder', path: above });
    known.add(path);
    parts.push(...written(path, modeOf(entry), contentOf(entry), known.size));
  };
  for (const entry of entries) add(entry);
  return Buffer.concat([...parts, ...written('TRAILER!!!', 0, Buffer.alloc(0), 0)]);
};

const modeOf = (entry: Entry): number => modes[entry.kind === 'file' && entry.program ? 'program' : entry.kind];

const contentOf = (entry: Entry): Uint8Array => {
  if (entry.kind === 'file') return entry.bytes;
  return Buffer.from(entry.kind === 'link' ? entry.to : '');
};

/** Header, name and content, the last two padded to whole words. Owner, times and devices are zero. */
const written = (path: string, mode: number, content: Uint8Array, inode: number): Buffer[] => {
  const name = Buffer.from(`${path}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, name.length, 0];
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return [fill(Buffer.concat([Buffer.from(header), name])), fill(Buffer.from(content))];
};

const fill = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
