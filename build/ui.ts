/**
 * `npm run build:ui [-- --if-stale | --watch]` builds dist/ui/, the till's screens, from src/ui and src/locales.
 * built.json holds the hash of the sources and the size of each area. `--watch` rebuilds on each change.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Manifest, type Plugin } from 'vite';
import { targets } from './browsers.ts';
import { filesBelow, hashOf, putInPlace, root } from './made.ts';

const target = join(root, 'dist/ui');

export type Size = { bytes: number; gzipped: number };
/** `first` is what every screen loads before anything is shown. The size of an area includes it. */
export type Built = { source: string; first: Size; areas: Record<string, Size> };

/** The sources of the screens. */
const inputs = (): string[] => [
  join(root, 'build/ui.ts'),
  join(root, 'build/browsers.ts'),
  join(root, 'build/installers/icon.svg'),
  join(root, 'build/made.ts'),
  join(root, 'package-lock.json'),
  join(root, 'src/api/contract/roles.ts'),
  ...['src/base', 'src/locales', 'src/ui'].flatMap(filesBelow),
];

const sourceHash = (): string => hashOf(inputs());

/** The content of dist/ui/built.json; undefined if nothing was built. */
export const builtUi = (): Built | undefined => {
  const path = join(target, 'built.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Built) : undefined;
};

/** Whether dist/ui/ is up to date with the sources. */
export const isUiFresh = (): boolean => builtUi()?.source === sourceHash();

/**
 * The script that asks the till for the session runs as soon as it is loaded, and waits for no other script or style
 * sheet.
 */
const prefetchPlugin: Plugin = {
  name: 'asking-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      // The file is among the scripts or the preloads, depending on how the bundler split the code.
      const named = /<(?:script|link)[^>]* (?:src|href)="(\/assets\/prefetched-session-[^"]+)">(?:<\/script>)?\s*/;
      const [originalTag, file] = named.exec(html) ?? [];
      if (originalTag === undefined)
        throw new Error('src/ui/prefetched-session.ts was not built into a file of its own');
      const scriptTag = `<script type="module" async crossorigin src="${file}"></script>`;
      return html.replace(originalTag, '').replace('<script type="module"', `${scriptTag}\n    <script type="module"`);
    },
  },
};

const settings = (outDir: string) => ({
  root: join(root, 'src/ui'),
  base: '/',
  configFile: false as const,
  plugins: [react(), prefetchPlugin],
  logLevel: 'warn' as const,
  build: {
    outDir,
    emptyOutDir: true,
    target: targets,
    cssTarget: targets,
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // The tables in src/base are made by calls, so this is needed to leave out those that no screen uses.
      treeshake: { moduleSideEffects: (id: string) => !id.includes('/src/base/') },
      // Everything that is always loaded is one file, instead of one file for each combination of areas.
      output: {
        codeSplitting: {
          groups: [
            { name: 'prefetched-session', test: /prefetched-session/, priority: 1 },
            { name: 'first', tags: ['$initial' as const] },
          ],
        },
      },
    },
  },
});

/** Builds, and returns a description of the result. Throws the bundler's errors. */
export const buildUi = async (): Promise<Built> => {
  const staging = `${target}.${process.pid}`;
  // Before the build: a change during the build makes the result stale.
  const source = sourceHash();
  // A test runner sets `test`, and React would then include its development checks.
  const { NODE_ENV: previousNodeEnv } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    await build(settings(staging));
    const description = { source, ...sizesIn(staging) };
    writeFileSync(join(staging, 'built.json'), `${JSON.stringify(description, null, 2)}\n`);
    putInPlace(staging, target, isUiFresh);
    return description;
  } finally {
    if (previousNodeEnv === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = previousNodeEnv;
    rmSync(staging, { recursive: true, force: true });
  }
};

/** Each screen is a dynamic import: it needs its own file, and all files that this one names. */
const sizesIn = (folder: string): Omit<Built, 'source'> => {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const addNeeded = (key: string, files: Set<string>): Set<string> => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return files;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const other of chunk.imports ?? []) addNeeded(other, files);
    return files;
  };
  const sizeOf = (files: ReadonlySet<string>): Size => {
    const bytes = [...files].map((file) => readFileSync(join(folder, file)));
    return {
      bytes: bytes.reduce((sum, { length }) => sum + length, 0),
      gzipped: bytes.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0),
    };
  };
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = new Set(
    [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file),
  );
  const areas = Object.keys(manifest)
    .filter((key) => /^[^/]+\/[^/]+\.tsx$/.test(key) && manifest[key]?.isDynamicEntry === true)
    .map((key) => [key.replace(/^.*\/|\.tsx$/g, ''), sizeOf(addNeeded(key, new Set(first)))] as const);
  return { first: sizeOf(first), areas: Object.fromEntries(areas) };
};

const report = ({ first, areas }: Built): string =>
  Object.entries({ 'before any screen': first, ...areas })
    .map(([name, { bytes, gzipped }]) => `${name.padEnd(24)} ${kilobytes(bytes)}  gzipped ${kilobytes(gzipped)}\n`)
    .join('');

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1).padStart(7)} kB`;

/** Global setup for vitest. */
export const setup = async (): Promise<void> => {
  if (!isUiFresh()) await buildUi();
};

const main = async (): Promise<void> => {
  if (process.argv.includes('--watch')) {
    const { build: buildOptions, ...rest } = settings(target);
    await build({ ...rest, logLevel: 'info', build: { ...buildOptions, watch: {} } });
    return;
  }
  if (!(process.argv.includes('--if-stale') && isUiFresh())) process.stdout.write(report(await buildUi()));
};

if (import.meta.main) await main();
