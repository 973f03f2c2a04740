/** The screens load the styles of the Mantine components they use, and no others; the test names what is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const screens = join(import.meta.dirname, '../../src/ui');
const mantine = join(import.meta.dirname, '../../node_modules/@mantine/core');
const charts = join(import.meta.dirname, '../../node_modules/@mantine/charts');
const read = (path: string): string => readFileSync(path, 'utf8');

const sources = readdirSync(screens, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => read(join(screens, file)));

/** The names, including types, that these texts import from a package. */
const namesUsed = (texts: readonly string[], name: string): Set<string> =>
  new Set(
    texts
      .flatMap((text) => [...text.matchAll(new RegExp(`import \\{([^}]*)\\} from ['"]${name}['"]`, 'g'))])
      .flatMap(([, names = '']) => names.split(',').map((one) => one.trim()))
      .filter((one) => one !== '' && !one.startsWith('type ')),
  );

/** The file of the package that each name comes from. */
const filesOf = (names: ReadonlySet<string>, packed: string): string[] =>
  [...read(join(packed, 'esm/index.mjs')).matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(
    ([, own = '', file = '']) =>
      own.split(',').some((name) => names.has(name.trim().split(' ')[0] ?? '')) ? [join(packed, 'esm', file)] : [],
  );

/** These files and all that they import within the package. */
const reachableFrom = (files: readonly string[], seen = new Set<string>()): Set<string> => {
  for (const file of files) {
    if (seen.has(file) || !file.endsWith('.mjs')) continue;
    seen.add(file);
    const imports = [...read(file).matchAll(/from "(\.[^"]+)"/g)].map(([, path = '']) => join(dirname(file), path));
    reachableFrom(imports, seen);
  }
  return seen;
};

const classesIn = (text: string): string[] => [...new Set(text.match(/\bm_[0-9a-f]+\b/g))];

test('each class of a used component has its styles', () => {
  const drawnFiles = [...reachableFrom(filesOf(namesUsed(sources, '@mantine/charts'), charts))].map(read);
  expect(drawnFiles.length).toBeGreaterThan(5);
  const files = filesOf(namesUsed([...sources, ...drawnFiles], '@mantine/core'), mantine);
  expect(files.length).toBeGreaterThan(20);
  const loaded = sources.flatMap((text) => [...text.matchAll(/import '@mantine\/core\/(.*\.css)'/g)]);
  const styles = new Set(loaded.flatMap(([, path = '']) => classesIn(read(join(mantine, path)))));
  const all = new Set(classesIn(read(join(mantine, 'styles.css'))));
  const missing = [...reachableFrom(files)]
    .filter((file) => file.endsWith('.module.mjs'))
    .flatMap((file) => classesIn(read(file)).map((name) => ({ file: file.slice(mantine.length), name })))
    .filter(({ name }) => all.has(name) && !styles.has(name));
  expect(missing).toEqual([]);
});

test('the styles are in the package’s own order, in which a later one overrides an earlier one', () => {
  const all = read(join(mantine, 'styles.css'));
  const places = [...read(join(screens, 'mantine-styles.ts')).matchAll(/import '@mantine\/core\/(.*\.css)'/g)].map(
    ([, path = '']) => all.indexOf(read(join(mantine, path)).trim().slice(0, 200)),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
