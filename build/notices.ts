/**
 * `node build/notices.ts` writes dist/THIRD-PARTY-NOTICES.txt: the licences of everything that is shipped with this
 * product, from package-lock.json: the packages that run with it, and those that are bundled into its pages. Fails with
 * the package's name if a licence is missing or is not approved.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, root } from './made.ts';

/** A package-lock.json describes it. */
export type LockedPackage = {
  version?: string;
  license?: string;
  dev?: boolean;
  dependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
};
export type Lock = { packages: Readonly<Record<string, LockedPackage>> };

const MODULES = 'node_modules/';

/**
 * The approved licences. Each allows redistribution in a product like this one if its text is included; MPL-2.0 also
 * asks for the address of the source.
 */
const approvedLicences: ReadonlySet<string> = new Set([
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'Python-2.0', 'Unlicense'],
  ...['OFL-1.1', 'MPL-2.0', 'CC0-1.0', 'X11'],
]);

/** Accepts one licence, several joined by AND, or a choice by OR: SPDX expressions without nesting. */
const isApproved = (expression: string): boolean => {
  const flat = expression.replace(/^\((.*)\)$/, '$1');
  const [all, any] = [flat.split(' AND '), flat.split(' OR ')];
  return all.length > 1
    ? all.every((licence) => approvedLicences.has(licence))
    : any.some((licence) => approvedLicences.has(licence));
};

/** Licences of packages whose package.json names none, as their licence text states them. */
const licencesFromText: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

/** The packages that the pages import, and that are therefore bundled into them. */
const importedByPages = (): string[] => {
  const pages = [...filesBelow('src/ui'), ...filesBelow('src/gateway/widget/browser')];
  const names = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:from|import|@import) ['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)/g)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(names)].filter((name) => !name.startsWith('node:'));
};

/**
 * The place in the lock file of the package that a package at `from` finds under this name: its own copy, or one
 * further up.
 */
const placeInLock = ({ packages }: Lock, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf(`/${MODULES}`))) {
    const place = folder === '' ? `${MODULES}${name}` : `${folder}/${MODULES}${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return undefined;
    if (!folder.includes(`/${MODULES}`)) folder = '';
  }
};

/** Every package that is shipped, by its place in the lock file. Development dependencies are not. */
export const shippedPlaces = (lock: Lock, inPages: readonly string[]): string[] => {
  const places = new Set<string>();
  const addWithDependencies = (place: string | undefined): void => {
    if (place === undefined || places.has(place)) return;
    places.add(place);
    const { dependencies, peerDependencies } = lock.packages[place] ?? {};
    // A peer dependency is installed because a page has it: the package that requires it imports it. Pages
    // contain no types.
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      if (!name.startsWith('@types/')) addWithDependencies(placeInLock(lock, place, name));
  };
  for (const [place, { dev }] of Object.entries(lock.packages)) if (place !== '' && dev !== true) places.add(place);
  for (const name of [...inPages, 'electron']) {
    const place = placeInLock(lock, '', name);
    if (place === undefined) continue;
    if (name === 'electron') places.add(place);
    else addWithDependencies(place);
  }
  return [...places].toSorted();
};

const nameOf = (place: string): string => place.slice(place.lastIndexOf(MODULES) + MODULES.length);

type Manifest = {
  license?: string | { type?: string };
  licenses?: { type?: string }[];
  author?: string | { name?: string };
  repository?: string | { url?: string };
};

const manifestAt = (place: string): Manifest | undefined => {
  const path = join(root, place, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : undefined;
};

/** As the lock file or the manifest states it. Older manifests have objects and lists. */
const licenceOf = (place: string, { license }: LockedPackage): string => {
  const { license: manifestLicence, licenses } = manifestAt(place) ?? {};
  const statedLicence =
    license ?? (typeof manifestLicence === 'string' ? manifestLicence : manifestLicence?.type) ?? licenses?.[0]?.type;
  return statedLicence ?? licencesFromText[nameOf(place)] ?? '';
};

const licenceTextsIn = (place: string): string[] => {
  const folder = join(root, place);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name) && !/\.(js|ts|json)$/.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
};

const authorOf = (place: string): string => {
  const { author } = manifestAt(place) ?? {};
  return (typeof author === 'string' ? author : author?.name) ?? `the authors of ${nameOf(place)}`;
};

/** The licence text of opensource.org, for packages that name this licence and do not include its text. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The text for a package that includes none; undefined if there is no standard text. */
const standardText = (place: string, licence: string): string | undefined => {
  if (licence === 'MIT') return `Copyright (c) ${authorOf(place)}\n\n${MIT}`;
  if (licence === 'Unlicense') return 'Released into the public domain by its authors: https://unlicense.org';
  if (licence !== 'MPL-2.0') return undefined;
  const { repository } = manifestAt(place) ?? {};
  const source = typeof repository === 'string' ? repository : repository?.url;
  return `This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0: https://mozilla.org/MPL/2.0/\nSource: ${source ?? `https://www.npmjs.com/package/${nameOf(place)}`}`;
};

export type Notice = { name: string; version: string; licence: string; text: string };

/** Throws with the package's name if its licence is not approved or has no text. */
export const noticeOf = (place: string, locked: LockedPackage): Notice => {
  const [name, licence] = [nameOf(place), licenceOf(place, locked)];
  if (!isApproved(licence)) throw new Error(`${name}: "${licence}" is not an approved licence: see build/notices.ts`);
  // A package for one system has the licence of the package it belongs to, on every machine.
  const ownTexts = licenceTextsIn(place.replace(/-(?:darwin|linux|win32)-\w+$/, ''));
  const text = ownTexts.length > 0 ? ownTexts.join('\n\n') : standardText(place, licence);
  if (text === undefined) throw new Error(`${name}: the text of its licence is missing: ${licence}`);
  return { name, version: locked.version ?? '', licence, text };
};

const RULE = '='.repeat(80);

const formatNotice = ({ name, version, licence, text }: Notice): string =>
  `${RULE}\n${name} ${version} (${licence})\n\n${text}\n`;

/** Third-party files in this project: receipt fonts and icons. Their README names their version. */
const copiedFiles = [
  { name: 'noto-sans', folder: 'src/receipt/noto', licence: 'OFL-1.1', textFile: 'OFL.txt' },
  { name: 'tabler-icons', folder: 'src/ui/icons', licence: 'MIT', textFile: 'LICENSE.txt' },
];

const copiedNotices = (): Notice[] =>
  copiedFiles.map(({ name, folder, licence, textFile }) => {
    const readText = (file: string) => readFileSync(join(root, folder, file), 'utf8');
    const [version = ''] = /(?<=version )\d+\.\d+\.\d+/.exec(readText('README.md')) ?? [];
    return { name, version, licence, text: readText(textFile).trim() };
  });

/** The whole file. The same lock file gives the same text, sorted by name. */
export const notices = (): string => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const all = shippedPlaces(lock, importedByPages()).map((place) => noticeOf(place, lock.packages[place] ?? {}));
  const uniqueNotices = new Map(
    [...all, ...copiedNotices()].map((notice) => [`${notice.name} ${notice.version}`, notice]),
  );
  const header =
    'Tillgate is shipped with these packages. The notices of Chromium, which is part of Electron, are in the file\n' +
    'LICENSES.chromium.html beside the program.\n\n';
  return `${header}${[...uniqueNotices.values()].map(formatNotice).join('\n')}`;
};

export const NOTICES = join(root, 'dist/THIRD-PARTY-NOTICES.txt');

export const writeNotices = (): void => {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(NOTICES, notices());
};

if (import.meta.main) {
  writeNotices();
  process.stdout.write(`${NOTICES}\n`);
}
