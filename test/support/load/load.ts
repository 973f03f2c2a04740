/**
 * Tests and what they test are loaded by Node itself, as in a shop, and not by the test runner: its way takes a third
 * more work, in loading and at every use of an import. Before the first file of each process this adds what Node's own
 * way lacks.
 */
import { readFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The runner imports each file of tests under a new address; what was compiled of it is kept by its address. */
const MARK = /(?<=\.test\.ts)\?vitest=\d+$/;

const load = createRequire(import.meta.url);

/** Node reads types, but not the tags of the screens' sources. */
const fromTsx = (path: string): string => {
  const { transformSync } = load('rolldown/utils') as typeof import('rolldown/utils');
  return transformSync(path, readFileSync(path, 'utf8'), { lang: 'tsx', jsx: { runtime: 'automatic' } }).code;
};

const NO_STYLES = 'export default {};';

const isOurs = (url = ''): boolean => url.startsWith('file:') && !url.includes('/node_modules/');

const addHooks = (): void => {
  registerHooks({
    resolve(specifier, context, next) {
      // The project names its own files in full. What the runner adds, a message to its main process for each, is for
      // those who watch.
      if (/^\.\.?\//.test(specifier) && isOurs(context.parentURL))
        return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
      const found = next(specifier, context);
      return { ...found, url: found.url.replace(MARK, '') };
    },
    load(url, context, next) {
      const source = url.endsWith('.tsx') ? fromTsx(fileURLToPath(url)) : url.endsWith('.css') ? NO_STYLES : undefined;
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
};

const here = globalThis as { testsLoadByNode?: true };

if (here.testsLoadByNode === undefined) {
  here.testsLoadByNode = true;
  enableCompileCache();
  addHooks();
  // The runner ends its processes so; only one that exits by itself keeps what it compiled.
  process.once('SIGTERM', () => process.exit());
}
