/**
 * What only a nightly run tests is listed in test/README.md, and names the daytime test that notices a failure first.
 */
import { isBelow } from './source.ts';

export type Text = { readonly path: string; readonly text: string };

const isNightly = (path: string): boolean => path.endsWith('.nightly.test.ts');

/** The file named in ``By day: `test/…` `` in the opening comment, ignoring line breaks. */
const dayTestOf = (text: string): string | undefined =>
  /\bBy day: `(test\/[^`]+\.test\.ts)`/.exec(text.replace(/\n \* /g, ' '))?.[1];

/** Whether a file tests a wider range by night than by day. */
const isWiderByNight = ({ path, text }: Text): boolean =>
  path.startsWith('test/') &&
  /\bbyNight\(|\bisNight\b/.test(text) &&
  !isBelow(path, ['test/support/night', 'test/house']);

/** `list` is the text that lists them. A file is listed by its path, or by the path of a folder above it. */
export const unlistedNightTests = (texts: readonly Text[], list: string): string[] => {
  const names = [...list.matchAll(/`(test\/[^`]*?)\/?`/g)].map(([, path = '']) => path);
  const days = new Set(texts.map(({ path }) => path).filter((path) => !isNightly(path)));
  const unlisted = texts
    .filter((text) => (isNightly(text.path) || isWiderByNight(text)) && !isBelow(text.path, names))
    .map(({ path }) => `${path}: name it under "By night" in test/README.md, with the reason`);
  const withoutDayTest = texts
    .filter(({ path, text }) => isNightly(path) && !days.has(dayTestOf(text) ?? ''))
    .map(({ path }) => `${path}:1: say "By day: \`test/….test.ts\` notices …", a test that runs by day`);
  return [...unlisted, ...withoutDayTest];
};
