/**
 * Loads tests and what they test with Node itself, as in a shop, and not with the test runner, whose loader takes a
 * third more work, when loading and at every use of an import. Before the first file of each process this adds what
 * Node's loader lacks.
 */
import { readFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The runner imports each test file under a new address, but compiled code is cached by address. */
const MARK = /(?<=\.test\.ts)\?vitest=\d+$/;

const load = createRequire(import.meta.url);

/** Node strips types, but does not compile the JSX in the screens' sources. */
const fromTsx = (path: string): string => {
  const { transformSync } = load('rolldown/utils') as typeof import('rolldown/utils');
  return transformSync(path, readFileSync(path, 'utf8'), { lang: 'tsx', jsx: { runtime: 'automatic' } }).code;
};

const NO_STYLES = 'export default {};';

const isOurs = (url = ''): boolean => url.startsWith('file:') && !url.includes('/node_modules/');

const addHooks = (): void => {
  registerHooks({
    resolve(specifier, context, next) {
      // The project's imports have full file names. The runner's extra message to its main process for each import is
      // only needed in watch mode.
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

const globals = globalThis as { testsLoadByNode?: true };

if (globals.testsLoadByNode === undefined) {
  globals.testsLoadByNode = true;
  enableCompileCache();
  addHooks();
  // The runner ends its processes with SIGTERM; only a process that exits by itself saves its compiled code.
  process.once('SIGTERM', () => process.exit());
}
