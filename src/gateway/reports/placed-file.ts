/** Writes a file completely or not at all: under another name, synced to the disk, and then renamed. */
import { createHash } from 'node:crypto';
import { createReadStream, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { replaceFile, syncFolder } from '../../base/files.ts';

type PlacedFile = { readonly path: string; readonly bytes: number; readonly hash: string };

type Place = {
  readonly path: string;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Identifies this write among all that happen at the same time. */
  readonly id: string;
  /** Wall time, ms: half-written files of earlier processes are deleted when they are old. */
  readonly now: number;
  /** Refuses to replace an existing file, with EEXIST. */
  readonly isExclusive?: boolean;
};

/**
 * Resolves when the file is on the disk under its name. Throws what the file system throws, and leaves nothing behind.
 */
export const placeFile = async ({ path, pieces, id, now, isExclusive: fresh = false }: Place): Promise<PlacedFile> => {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOld(path, now);
  const partPath = join(folder, `.${basename(path)}.${id}.part`);
  try {
    const written = await write(partPath, pieces);
    if (fresh) linkSync(partPath, path);
    else replaceFile(partPath, path);
    syncFolder(folder);
    return { path, ...written };
  } finally {
    rmSync(partPath, { force: true });
  }
};

const write = async (partPath: string, pieces: AsyncIterable<Uint8Array>) => {
  const hash = createHash('sha256');
  const file = await open(partPath, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of pieces) {
      hash.update(chunk);
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, hash: hash.digest('hex') };
};

const OLD_MS = 3_600_000;

const removeOld = (path: string, now: number): void => {
  const folder = dirname(path);
  const like = `.${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(like) || !name.endsWith('.part')) continue;
    const leftover = join(folder, name);
    const age = now - (statSync(leftover, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (age > OLD_MS) rmSync(leftover, { force: true });
  }
};

/** Size and SHA-256 of a file, or of its first bytes; undefined if there is none. */
export const hashOfFile = async (path: string, upTo = Number.POSITIVE_INFINITY) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const hash = createHash('sha256');
  if (upTo > 0) for await (const chunk of createReadStream(path, { end: upTo - 1 })) hash.update(chunk as Uint8Array);
  return { bytes: Math.min(found.size, upTo), hash: hash.digest('hex') };
};
