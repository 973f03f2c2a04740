/** The documents: generated pages match the tables, every link leads somewhere, and every command they name exists. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { oldestBrowserText } from '../../build/browsers.ts';
import { referencePages } from '../../build/docs.ts';
import { simulators } from '../../drivers/simulators.ts';
import { wholeProgram } from '../../src/cli/program.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync('{*.md,build/**/*.md,docs/**/*.md,drivers/**/*.md,src/**/*.md,electron/**/*.md}', { cwd: root });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Without code. */
const prose = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '``');

/** The anchors of a Markdown page: headings in lower case, spaces as hyphens, other symbols removed. */
const anchorsOf = (path: string): string[] =>
  [
    ...read(path)
      .replace(/^```.*?^```/gms, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

describe('made documents', async () => {
  const created = await referencePages();

  test.each(Object.entries(created))('%s matches the tables; if not: npm run build:docs', (name, text) => {
    expect(read(`docs/reference/${name}`)).toBe(text);
  });

  test('the folder contains nothing else', () => {
    expect(
      globSync('docs/reference/*', { cwd: root })
        .map((path) => basename(path))
        .sort(),
    ).toEqual(Object.keys(created).sort());
  });
});

test('every visible dialect is listed in the terminals guide, and no other name', () => {
  const section = read('docs/terminals.md')
    .split(/^## /m)
    .find((part) => part.startsWith('What differs between models'));
  const messages = [...(section ?? '').matchAll(/`([a-z]+(?:-[a-z0-9]+)+)`/g)].map(([, name = '']) => name);
  const rows = Object.values(simulators).flatMap(({ dialects = {} }) => Object.entries(dialects));
  expect(messages.toSorted()).toEqual(
    rows.flatMap(([name, { shows }]) => (shows === undefined ? [] : [name])).toSorted(),
  );
});

test.each(pages)('%s: every link leads somewhere', (page) => {
  const links = [...prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const problems = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(problems).toEqual([]);
});

test('the oldest supported browsers are named in the guides for shops and technicians', () => {
  for (const page of ['docs/widget.md', 'docs/technician.md'])
    expect(read(page)).toContain(`run in ${oldestBrowserText}`);
});

test('every page of docs is linked from another page', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      [...prose(read(page)).matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) =>
        relative(root, resolve(root, dirname(page), target)),
      ),
    ),
  );
  const alone = globSync('docs/**/*', { cwd: root }).filter(
    (path) => statSync(join(root, path)).isFile() && !linked.has(path),
  );
  expect(alone).toEqual([]);
});

test('every npm script and every till command that a page names exists', async () => {
  const scripts = new Set(Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts));
  const program = await wholeProgram();
  const till = new Set(
    program.commands.find((command) => command.name() === 'till')?.commands.map((command) => command.name()),
  );
  const texts = pages.map((page) => ({ page, text: read(page) }));
  const problems = texts.flatMap(({ page, text }) => [
    ...named(text, /npm run (?:--silent )?([\w:-]+)/g)
      .filter((name) => !scripts.has(name))
      .map((name) => `${page}: npm run ${name}`),
    ...named(text, /npm run (?:--silent )?till -- ([a-z-]+)/g)
      .filter((name) => !till.has(name))
      .map((name) => `${page}: till ${name}`),
  ]);
  expect(problems).toEqual([]);
  expect(named(texts.map(({ text }) => text).join('\n'), /npm run till -- ([a-z-]+)/g).length).toBeGreaterThan(20);
});

test('a command whose output is saved leaves out what npm prints, and no line holds two commands', () => {
  const problems = pages.flatMap((page) =>
    named(read(page), /(npm run (?!--silent)[^`\n]* > .*|npm run (?:(?!\. )[^`&|\n])*npm run.*)/g).map(
      (line) => `${page}: ${line}`,
    ),
  );
  expect(problems).toEqual([]);
});

const named = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

test('the pictures stay small', () => {
  const sizes = globSync('docs/pictures/*', { cwd: root }).map((path) => statSync(join(root, path)).size);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000);
});
