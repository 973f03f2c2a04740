/**
 * `npm run build:widget [-- --if-stale]` builds dist/widget/ from src/gateway/widget/browser: the script, the card
 * frame, their style sheets, a file for each language except the first, and a manifest with sizes and hashes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Features, transform } from 'lightningcss';
import { languages, tagOf, type WidgetLanguage } from '../src/gateway/widget/browser/languages.ts';
import type { Manifest } from '../src/gateway/widget/pages.ts';
import { shopperTexts } from '../src/locales/shopper.ts';
import { cssTargets, targets } from './browsers.ts';
import { filesBelow, hashOf, putInPlace, root } from './made.ts';

const source = join(root, 'src/gateway/widget/browser');
const target = join(root, 'dist/widget');

/** The sources of the widget. */
const inputs = (): string[] => [
  join(root, 'build/widget.ts'),
  join(root, 'build/browsers.ts'),
  join(root, 'build/made.ts'),
  join(root, 'src/locales/shopper.ts'),
  join(root, 'package-lock.json'),
  join(root, 'src/base/code-meanings.ts'),
  join(root, 'src/base/placeholders.ts'),
  join(root, 'src/locales/translation.ts'),
  join(root, 'src/gateway/spec/iban.ts'),
  join(root, 'src/gateway/spec/return-url.ts'),
  ...['src/gateway/widget/browser', 'src/locales/shopper'].flatMap(filesBelow),
];

const sourceHash = (): string => hashOf(inputs());

/** Whether dist/widget/ is up to date with the sources. */
export const isFresh = (): boolean => {
  const manifest = join(target, 'manifest.json');
  return existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest).source === sourceHash();
};

type BuiltFile = { name: string; bytes: Buffer };

/** Builds, and returns the manifest. Throws the bundler's errors. */
export const buildWidget = async (): Promise<Manifest> => {
  const languageFiles = languages.filter((language) => language !== 'en').map(languageFile);
  const stylesheet = hashedFile('page', 'css', styles(['tokens', 'fields', 'page']));
  const script = await bundle('main.ts', {
    LANGUAGE_FILES: JSON.stringify(Object.fromEntries(languageFiles.map(({ name }) => [name.slice(0, 2), name]))),
    STYLESHEET: JSON.stringify(stylesheet.name),
  });
  const files: BuiltFile[] = [
    { name: 'paymentWidgets.js', bytes: script },
    stylesheet,
    ...languageFiles,
    hashedFile('card', 'js', await bundle('card-frame.ts', {})),
    hashedFile('card', 'css', styles(['tokens', 'fields', 'frame'])),
  ];
  const manifest: Manifest = {
    source: sourceHash(),
    files: Object.fromEntries(
      files.map(({ name, bytes }) => [
        name,
        {
          bytes: bytes.length,
          gzipped: gzipSync(bytes, { level: 9 }).length,
          integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
        },
      ]),
    ),
  };
  publish(files, manifest);
  return manifest;
};

/** Moves everything into place atomically, so that no reader sees a partial result. */
const publish = (files: readonly BuiltFile[], manifest: Manifest): void => {
  const staging = `${target}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  for (const { name, bytes } of files) writeFileSync(join(staging, name), bytes);
  writeFileSync(join(staging, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  putInPlace(staging, target, isFresh);
};

/** Puts part of its hash into the file name: the file can be cached for ever. */
const hashedFile = (name: string, ending: string, bytes: Buffer): BuiltFile => ({
  name: `${name}.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.${ending}`,
  bytes,
});

const languageFile = (language: WidgetLanguage): BuiltFile =>
  hashedFile(language, 'json', Buffer.from(JSON.stringify(shopperTexts[tagOf(language)].widget)));

const bundle = async (entry: string, define: Readonly<Record<string, string>>): Promise<Buffer> => {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: join(source, entry),
    platform: 'browser',
    transform: { define: { ...define }, target: targets },
  });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  return Buffer.from(output[0].code);
};

/** `light-dark()` is left as it is written: it is used only inside `@supports`. */
const styles = (names: readonly string[]): Buffer => {
  const text = names.map((name) => readFileSync(join(source, `${name}.css`), 'utf8')).join('');
  const { code } = transform({
    filename: `${names.at(-1)}.css`,
    code: Buffer.from(text),
    minify: true,
    targets: cssTargets,
    exclude: Features.LightDark,
  });
  return Buffer.from(code);
};

const report = ({ files }: Manifest): string =>
  Object.entries(files)
    .filter(([name]) => !name.endsWith('.json'))
    .map(([name, { bytes, gzipped }]) => `${name.padEnd(24)} ${kilobytes(bytes)}  gzipped ${kilobytes(gzipped)}\n`)
    .join('');

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1).padStart(6)} kB`;

/** Global setup for vitest. */
export const setup = async (): Promise<void> => {
  if (!isFresh()) await buildWidget();
};

if (import.meta.main && !(process.argv.includes('--if-stale') && isFresh())) {
  process.stdout.write(report(await buildWidget()));
}
