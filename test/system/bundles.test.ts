/**
 * What browsers are sent, held to the oldest ones that the documents name: nothing newer than those, unless it is first
 * looked for. What a check finds and what not is in test/support/browsers/newer.test.ts.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oldestBrowsers } from '../../build/browsers.ts';
import { lookAtScript, newer, newerCssSyntax, newerInSheet, newerSyntax } from '../support/browsers/newer.ts';

const dist = join(import.meta.dirname, '../../dist');
const filesOf = (ending: string): [string, string][] =>
  globSync(`{ui/assets,widget}/*.${ending}`, { cwd: dist })
    .toSorted()
    .map((path) => [path, readFileSync(join(dist, path), 'utf8')]);
const [scripts, sheets] = [filesOf('js'), filesOf('css')];
const looked = scripts.map(([path, code]) => ({ path, ...lookAtScript(code) }));

/** What this finds in files, by file. */
const found = (files: readonly [string, string][], find: (text: string) => unknown): [string, unknown][] =>
  files.flatMap(([path, text]) => {
    const what = find(text);
    return what === undefined || what === false || (Array.isArray(what) && what.length === 0) ? [] : [[path, what]];
  });

/** Asked for without looking first, and no harm where it is missing; or another thing of the same name. */
const harmless: Readonly<Record<string, string>> = {
  displayName: 'the name of a part of React',
  toArray: 'of React’s children',
  take: 'of the screens’ own desk and readers of lines',
  letterSpacing: 'of a text’s style in Recharts',
  scrollMargin: 'an option of TanStack Virtual',
  cssFloat: 'React sets it where a part floats: none does',
  userAgentData: 'Floating UI does without',
  startViewTransition: 'React calls it for a part that no screen has',
  'text-wrap': 'lines are balanced less well',
  'text-box-trim': 'Mantine’s titles keep the height of their line',
  'text-box-edge': 'the same',
  'font-family: ui-monospace': 'the next family of the list',
  'scrollbar-width': 'a bar as wide as the system has it',
  'scrollbar-color': 'a bar in the system’s colours',
  'scrollbar-gutter': 'a long paper scrolls sideways by the width of its bar',
  '-webkit-tap-highlight-color': 'a tap is coloured as the browser does it',
  rx: 'a corner of a drawing is not round',
  'rect()': 'of clip, which is older than the shape of this name',
};

const without = (names: readonly string[]): string[] => names.filter((name) => harmless[name] === undefined);

test('what is let off is there', () => {
  const all = [...looked.flatMap((script) => script.newer), ...sheets.flatMap(([, css]) => newerInSheet(css))];
  expect(Object.keys(harmless).filter((name) => !all.includes(name))).toEqual([]);
});

test('both bundles are looked at, by what the oldest browsers lack', () => {
  expect(scripts.map(([path]) => path.replace(/[.-][^/]*/, ''))).toEqual(
    expect.arrayContaining(['ui/assets/cashier', 'ui/assets/manager', 'widget/paymentWidgets', 'widget/card']),
  );
  expect(sheets.length).toBeGreaterThan(5);
  expect(newer.browsers).toEqual(oldestBrowsers);
});

test('no script is written in newer syntax', () => {
  expect(found(scripts, newerSyntax)).toEqual([]);
});

test('no script calls what is newer', () => {
  const calls = looked.map((script) => ({ path: script.path, calls: without(script.newer) }));
  expect(calls.filter((script) => script.calls.length > 0)).toEqual([]);
});

test('no stylesheet is written in newer syntax', () => {
  expect(found(sheets, newerCssSyntax)).toEqual([]);
});

test('no stylesheet asks for what is newer', () => {
  expect(found(sheets, (css) => without(newerInSheet(css)))).toEqual([]);
});

test('no module waits while it is run: WebKit gives those that import it their turn too early', () => {
  expect(looked.filter(({ waits }) => waits).map(({ path }) => path)).toEqual([]);
});
