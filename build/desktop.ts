/**
 * `npm run desktop`: makes dist/desktop/, the program for Electron, and starts it. Types are stripped file by file and
 * the tree stays as it is, so that a place named in a crash report is a place in the sources. `-- --build` only makes
 * it.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { buildUi, isUiFresh } from './ui.ts';
import { buildWidget, isFresh } from './widget.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/desktop');

/** Code for browsers is bundled separately. */
const inBrowsers = ['src/ui', 'src/gateway/widget/browser'];

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return inBrowsers.includes(path) ? [] : sources(path);
    return /\.(ts|json|woff)$/.test(path) ? [path] : [];
  });

/** Imports, and file names of workers and programs beside this one. */
const relative = /(?<=['"])(\.{1,2}\/[^'"\n]+)\.ts(?=['"])/g;

export const asScript = (text: string): string => stripTypeScriptTypes(text).replace(relative, '$1.js');

/** Makes dist/desktop/ anew. Throws what the bundlers throw. */
export const buildDesktop = async (): Promise<void> => {
  if (!isUiFresh()) await buildUi();
  if (!isFresh()) await buildWidget();
  rmSync(target, { recursive: true, force: true });
  for (const path of ['src', 'drivers', 'electron'].flatMap(sources)) {
    const file = join(target, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    if (path.endsWith('.ts')) writeFileSync(file, asScript(readFileSync(join(root, path), 'utf8')));
    else cpSync(join(root, path), file);
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify({ name: 'tillgate', version, type: 'module' }, null, 2)}\n`,
  );
  for (const folderName of ['ui', 'widget'])
    cpSync(join(root, 'dist', folderName), join(target, 'dist', folderName), { recursive: true });
};

/** Where npm's package put Electron's program; undefined if it was never downloaded. */
export const electronBinary = (folder = join(root, 'node_modules/electron')): string | undefined => {
  const pathFile = join(folder, 'path.txt');
  const binary = existsSync(pathFile) ? join(folder, 'dist', readFileSync(pathFile, 'utf8')) : undefined;
  return binary !== undefined && existsSync(binary) ? binary : undefined;
};

const missingBinaryText = `Electron's program is not on this machine: npm's package fetches it from GitHub when it is first needed.
Nothing was charged, and nothing is lost.
Fetch it with: node_modules/.bin/install-electron   Or use the same screens in a browser: npm start
`;

const main = async (): Promise<void> => {
  await buildDesktop();
  if (process.argv.includes('--build')) return;
  const binary = electronBinary();
  if (binary === undefined) {
    process.stderr.write(missingBinaryText);
    process.exitCode = 2;
    return;
  }
  const child = spawn(binary, [join(target, 'electron/main.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
};

if (import.meta.main) await main();
