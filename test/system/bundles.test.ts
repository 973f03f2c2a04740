/**
 * The browser bundles run on the oldest browsers that the docs name: they use nothing newer without checking for it
 * first. What the check finds and accepts is tested in test/support/browsers/newer.test.ts.
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
const scanned = scripts.map(([path, code]) => ({ path, ...lookAtScript(code) }));

/** What `find` reports, by file. */
const findIn = (files: readonly [string, string][], find: (text: string) => unknown): [string, unknown][] =>
  files.flatMap(([path, text]) => {
    const hit = find(text);
    return hit === undefined || hit === false || (Array.isArray(hit) && hit.length === 0) ? [] : [[path, hit]];
  });

/** Used without a check, but harmless where it is missing, or a different thing with the same name. */
const harmless: Readonly<Record<string, string>> = {
  displayName: 'the name of a React component',
  toArray: 'of React’s children',
  take: 'the screens’ own desk and line readers',
  letterSpacing: 'a text style in Recharts',
  scrollMargin: 'an option of TanStack Virtual',
  cssFloat: 'React sets it on floating elements, and there are none',
  userAgentData: 'Floating UI works without it',
  startViewTransition: 'React calls it for a component that no screen uses',
  'text-wrap': 'lines are less well balanced',
  'text-box-trim': 'Mantine’s titles keep their line height',
  'text-box-edge': 'the same',
  'font-family: ui-monospace': 'the next family in the list',
  'scrollbar-width': 'the system’s own width',
  'scrollbar-color': 'the system’s own colours',
  'scrollbar-gutter': 'a long page scrolls sideways by the width of the bar',
  '-webkit-tap-highlight-color': 'a tap gets the browser’s colour',
  rx: 'corners of drawings are not rounded',
  'rect()': 'the old rect() of clip, not the new shape',
};

const withoutHarmless = (names: readonly string[]): string[] => names.filter((name) => harmless[name] === undefined);

test('every listed exception still occurs', () => {
  const all = [...scanned.flatMap((script) => script.newer), ...sheets.flatMap(([, css]) => newerInSheet(css))];
  expect(Object.keys(harmless).filter((name) => !all.includes(name))).toEqual([]);
});

test('both bundles are checked against the oldest browsers', () => {
  expect(scripts.map(([path]) => path.replace(/[.-][^/]*/, ''))).toEqual(
    expect.arrayContaining(['ui/assets/cashier', 'ui/assets/manager', 'widget/paymentWidgets', 'widget/card']),
  );
  expect(sheets.length).toBeGreaterThan(5);
  expect(newer.browsers).toEqual(oldestBrowsers);
});

test('no script uses newer syntax', () => {
  expect(findIn(scripts, newerSyntax)).toEqual([]);
});

test('no script calls a newer API', () => {
  const calls = scanned.map((script) => ({ path: script.path, calls: withoutHarmless(script.newer) }));
  expect(calls.filter((script) => script.calls.length > 0)).toEqual([]);
});

test('no stylesheet uses newer syntax', () => {
  expect(findIn(sheets, newerCssSyntax)).toEqual([]);
});

test('no stylesheet uses a newer feature', () => {
  expect(findIn(sheets, (css) => withoutHarmless(newerInSheet(css)))).toEqual([]);
});

test('no module uses top-level await: WebKit runs its importers too early', () => {
  expect(scanned.filter(({ waits }) => waits).map(({ path }) => path)).toEqual([]);
});
