/**
 * `node test/support/browsers/write-newer.ts DATA.JSON`: writes newer.json, the names that the oldest browsers of
 * build/browsers.ts do not know, from MDN's browser data (the file data.json of the npm package
 * `@mdn/browser-compat-data`, CC0). Run it when those browsers change, or when the data is updated.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oldestBrowsers } from '../../../build/browsers.ts';
import type { Newer } from './newer.ts';

type Support = {
  version_added: string | false;
  version_removed?: string | false;
  flags?: unknown;
  prefix?: string;
  alternative_name?: string;
};
type Compat = { support: Readonly<Record<string, Support | Support[]>> };
type Feature = { readonly [name: string]: Feature } & { readonly __compat?: Compat };

/** Mobile browsers have the versions of their desktop counterparts. */
const oldest = Object.entries(oldestBrowsers).flatMap(([name, version]) => [
  [name, version] as const,
  [name === 'safari' ? 'safari_ios' : `${name}_android`, version] as const,
]);

const isUpTo = (version: string, last: string): boolean => {
  const [had, may] = [version, last].map((text) => text.replace('≤', '').split('.').map(Number));
  const index = (had ?? []).findIndex((part, place) => part !== (may?.[place] ?? 0));
  return index < 0 || (had?.[index] ?? 0) < (may?.[index] ?? 0);
};

const has = (row: Support, last: string, mayHavePrefix: boolean): boolean => {
  const { version_added: added, version_removed: removed, flags, prefix, alternative_name: alternativeName } = row;
  if (typeof added !== 'string' || added === 'preview' || flags !== undefined) return false;
  if ((prefix !== undefined && !mayHavePrefix) || alternativeName !== undefined || !isUpTo(added, last)) return false;
  return typeof removed !== 'string' || !isUpTo(removed, last);
};

/** A feature without data for any browser counts as known. */
const isKnownBy = (browsers: typeof oldest, { __compat: compat }: Feature, mayHavePrefix: boolean): boolean =>
  browsers.every(([name, last]) => {
    const rows = compat?.support[name];
    return rows === undefined || [rows].flat().some((row) => has(row, last, mayHavePrefix));
  });

const isKnown = (feature: Feature): boolean => isKnownBy(oldest, feature, false);

/** The bundler adds prefixes where needed, and a phone has no cursor to style. */
const isKnownInCss = (feature: Feature): boolean =>
  isKnownBy(
    oldest.filter(([name]) => name in oldestBrowsers),
    feature,
    true,
  );

const partsOf = (feature: Feature | undefined): [string, Feature][] =>
  Object.entries<Feature>({ ...feature }).filter(([name]) => name !== '__compat');

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !/_(event|static)$/.test(name);
const baseName = (name: string): string => name.replace(/_static$/, '');
const unknownIn = (feature: Feature | undefined): string[] =>
  partsOf(feature).flatMap(([name, part]) => (isKnownInCss(part) ? [] : [name]));

/** Interfaces and builtins, including those within `Intl` and similar. */
const interfacesOf = (data: Feature): [string, Feature][] => {
  const builtins = partsOf(data['javascript']?.['builtins']);
  const within = builtins.flatMap(([, feature]) => partsOf(feature).filter(([name]) => /^[A-Z][a-z]/.test(name)));
  return [...partsOf(data['api']), ...builtins, ...within];
};

/**
 * Of each existing interface; a member that needs another interface is found by that one's name. `CSS` units share
 * their names with many other things.
 */
const membersOf = (data: Feature) => {
  const known = new Set<string>();
  const unknown: { owner: string; name: string; isOfInstances: boolean }[] = [];
  for (const [owner, feature] of interfacesOf(data)) {
    const isApi = data['api']?.[owner] === feature;
    for (const [key, part] of partsOf(feature)) {
      const name = baseName(key);
      if (!isName(name)) continue;
      if (isKnown(part) || owner === 'CSS') known.add(name);
      if (isKnown(part)) continue;
      if (isKnown(feature)) unknown.push({ owner, name, isOfInstances: isApi && key === name && owner !== 'CSS' });
    }
  }
  return { known, unknown };
};

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

const newerIn = (data: Feature, version: string): Newer => {
  const { known, unknown } = membersOf(data);
  const css = data['css'];
  const globals = [...interfacesOf(data), ...partsOf(data['api']?.['Window'])].flatMap(([name, feature]) =>
    // A name of two letters comes from a minifier.
    isKnown(feature) || !isName(name) || name.length < 3 ? [] : [name],
  );
  return {
    browsers: oldestBrowsers,
    source: `@mdn/browser-compat-data ${version}`,
    globals: sorted(globals.filter((name) => !known.has(name))),
    members: sorted(unknown.flatMap(({ name }) => (known.has(name) ? [] : [name]))),
    statics: sorted(
      unknown.flatMap(({ owner, name, isOfInstances }) =>
        known.has(name) && !isOfInstances ? [`${owner}.${name}`] : [],
      ),
    ),
    atRules: sorted(unknownIn(css?.['at-rules'])),
    selectors: sorted(unknownIn(css?.['selectors'])),
    properties: sorted(unknownIn(css?.['properties'])),
    values: Object.fromEntries(
      partsOf(css?.['properties']).flatMap(([property, feature]) => {
        const values = unknownIn(feature).filter((name) => /^[a-z][a-z-]*$/.test(name));
        return values.length === 0 || !isKnownInCss(feature) ? [] : [[property, sorted(values)]];
      }),
    ),
    functions: sorted(
      [css?.['types'], ...partsOf(css?.['types']).map(([, feature]) => feature)].flatMap((feature) =>
        unknownIn(feature),
      ),
    ),
  };
};

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Which data.json? See the head of this file.');
const read = JSON.parse(readFileSync(path, 'utf8')) as { __meta: { version: string } };
const { __meta: meta, ...data } = read;
const newer = newerIn(data as unknown as Feature, meta.version);
writeFileSync(join(import.meta.dirname, 'newer.json'), `${JSON.stringify(newer, null, 2)}\n`);
