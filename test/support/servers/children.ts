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
const note = join(target, 'source.txt');

const sources = {
  'till-child': join(root, 'test/system/till-child.ts'),
  'till-utility-child': join(root, 'test/system/till-utility-child.ts'),
};

const madeOf = (): string =>
  hashOf([import.meta.filename, ...inputs(), ...Object.values(sources), ...filesBelow('electron')]);

const isFresh = (): boolean => existsSync(note) && readFileSync(note, 'utf8') === madeOf();

/** vitest's global set-up. */
export const setup = async (): Promise<void> => {
  if (isFresh()) return;
  const fresh = `${target}.${process.pid}`;
  const source = madeOf();
  try {
    await bundle(sources, fresh);
    writeFileSync(join(fresh, 'source.txt'), source);
    putInPlace(fresh, target, isFresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
};

/** The file to start. */
export const childProgram = (name: keyof typeof sources): string =>
  !isNight && isFresh() ? join(target, `${name}.js`) : sources[name];
