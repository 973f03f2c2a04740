/**
 * Tills that tests start in separate processes, built into few files like the command line, which halves the work of a
 * start. By night, and when the build is out of date, their sources.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, inputs } from '../../../build/gateway.ts';
import { filesBelow, hashOf, putInPlace, root } from '../../../build/made.ts';
import { isNight } from '../night/night.ts';

const target = join(root, 'dist/children');
const hashFile = join(target, 'source.txt');

const sources = {
  'till-child': join(root, 'test/system/till-child.ts'),
  'till-utility-child': join(root, 'test/system/till-utility-child.ts'),
};

const sourceHash = (): string =>
  hashOf([import.meta.filename, ...inputs(), ...Object.values(sources), ...filesBelow('electron')]);

const isFresh = (): boolean => existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sourceHash();

/** vitest's global set-up. */
export const setup = async (): Promise<void> => {
  if (isFresh()) return;
  const newFolder = `${target}.${process.pid}`;
  const source = sourceHash();
  try {
    await bundle(sources, newFolder);
    writeFileSync(join(newFolder, 'source.txt'), source);
    putInPlace(newFolder, target, isFresh);
  } finally {
    rmSync(newFolder, { recursive: true, force: true });
  }
};

/** The file to start. */
export const childProgram = (name: keyof typeof sources): string =>
  !isNight && isFresh() ? join(target, `${name}.js`) : sources[name];
