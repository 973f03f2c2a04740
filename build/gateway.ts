/**
 * `npm run build:gateway [-- --if-stale]`: makes dist/gateway/, the command line as `npm run gateway` runs it: few
 * files without types, of which two threads start in half the time and with less memory than of hundreds of sources.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesBelow, hashOf, putInPlace, root } from './made.ts';

const target = join(root, 'dist/gateway');

/** What is made follows from these, whatever of the program is built. */
export const inputs = (): string[] => [
  join(root, 'build/gateway.ts'),
  join(root, 'build/made.ts'),
  join(root, 'package.json'),
  join(root, 'package-lock.json'),
  ...filesBelow('drivers'),
  ...filesBelow('src').filter((path) => !path.startsWith(join(root, 'src/ui')) && !path.endsWith('.woff')),
];

export const isGatewayFresh = (): boolean => {
  const note = join(target, 'source.txt');
  return existsSync(note) && readFileSync(note, 'utf8') === hashOf(inputs());
};

/** Native code, and what finds files of its own beside itself, stay where npm put them. */
const external = [
  /^better-sqlite3$/,
  /^@serialport\//,
  /^serialport$/,
  /^node-hid$/,
  /^@lydell\/node-pty$/,
  /^@resvg\/resvg-wasm/,
  /^fontkit$/,
  /^pdfkit$/,
  /^ssh2/,
  /^pg/,
];

/** An import by this name would meet the source's own. */
const FILE_PATH = "process.getBuiltinModule('node:url').fileURLToPath";

/** A source file that looks for others beside itself finds them from where its text went. */
export const fromItsPlace = (code: string, path: string): string => {
  const file = relative(target, path).replaceAll('\\', '/');
  const places: Readonly<Record<string, string>> = {
    "new URL('./core.ts', import.meta.url)": "new URL('./core.js', import.meta.url)",
    'import.meta.dirname': `${FILE_PATH}(new URL('${dirname(file)}', import.meta.url))`,
    'import.meta.url': `new URL('${file}', import.meta.url).href`,
  };
  const found = /new URL\('\.\/core\.ts', import\.meta\.url\)|import\.meta\.(?:dirname|url)/g;
  return code.replace(found, (place) => places[place] ?? place);
};

const beside = {
  name: 'beside-the-source',
  transform: (code: string, id: string) =>
    id.startsWith(join(root, 'src')) && code.includes('import.meta.') ? fromItsPlace(code, id) : undefined,
};

/** What the program uses of Node's HTTP and HTTPS. */
const httpNames = ['IncomingMessage', 'STATUS_CODES', 'Server', 'ServerResponse', 'createServer', 'request'];

/**
 * Node's HTTP as an object. An `import` of it reads every name that it exports, and some of those load Node's `fetch`
 * and `WebSocket` when they are read: a fifteenth of the work of each start.
 */
const httpAsObject = {
  name: 'http-as-object',
  // What a package takes by `require` is the object already, with all its names.
  resolveId: (id: string, _: unknown, { kind }: { kind: string }) =>
    kind === 'import-statement' && /^(node:)?https?$/.test(id) ? `\0${id.replace('node:', '')}` : undefined,
  load: (id: string) =>
    /^\0https?$/.test(id)
      ? `export const { ${httpNames.join(', ')} } = process.getBuiltinModule('node:${id.slice(1)}');`
      : undefined,
};

/** What every command needs some of is one file: as fifty small ones it takes a tenth more of each start. */
const codeSplitting = { groups: [{ name: 'base', test: /[\\/]src[\\/](base|emv)[\\/]/ }] };

/** Programs of this tree, by the names of their files in `dir`, a folder of `dist`. Throws what the bundler throws. */
export const bundle = async (input: Readonly<Record<string, string>>, dir: string): Promise<void> => {
  const { rolldown } = await import('rolldown');
  const plugins = [beside, httpAsObject];
  const build = await rolldown({ input, platform: 'node', external, plugins, logLevel: 'warn' });
  try {
    await build.write({ dir, format: 'esm', cleanDir: true, codeSplitting });
  } finally {
    await build.close();
  }
};

/** Throws what the bundler throws. */
export const buildGateway = async (): Promise<void> => {
  const source = hashOf(inputs());
  const fresh = `${target}.${process.pid}`;
  try {
    await bundle(
      { main: join(root, 'src/cli/main.ts'), core: join(root, 'src/gateway/server/threads/core.ts') },
      fresh,
    );
    writeFileSync(join(fresh, 'source.txt'), source);
    putInPlace(fresh, target, isGatewayFresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
};

/** vitest's global set-up. */
export const setup = async (): Promise<void> => {
  if (!isGatewayFresh()) await buildGateway();
};

if (import.meta.main && !(process.argv.includes('--if-stale') && isGatewayFresh())) await buildGateway();
