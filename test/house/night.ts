/** What only a nightly run tries says which test of the day notices first, and stands in CONTRIBUTING.md. */
import { isBelow } from './source.ts';

export type Text = { readonly path: string; readonly text: string };

const isNightly = (path: string): boolean => path.endsWith('.nightly.test.ts');

/** `By day: `test/…`` in the comment at the head of the file, line breaks of the comment aside. */
const noticedBy = (text: string): string | undefined =>
  /\bBy day: `(test\/[^`]+\.test\.ts)`/.exec(text.replace(/\n \* /g, ' '))?.[1];

/** What is tried at another width by night than by day. */
const isWider = ({ path, text }: Text): boolean =>
  path.startsWith('test/') &&
  /\bbyNight\(|\bisNight\b/.test(text) &&
  !isBelow(path, ['test/support/night', 'test/house']);

/** `list` is the text that names them all: a file is named by its path, or by the path of a folder above it. */
export const nightUntold = (texts: readonly Text[], list: string): string[] => {
  const named = [...list.matchAll(/`(test\/[^`]*?)\/?`/g)].map(([, path = '']) => path);
  const days = new Set(texts.map(({ path }) => path).filter((path) => !isNightly(path)));
  const unnamed = texts
    .filter((one) => (isNightly(one.path) || isWider(one)) && !isBelow(one.path, named))
    .map(({ path }) => `${path}: name it under "What is tried by night" in CONTRIBUTING.md, with the reason`);
  const unnoticed = texts
    .filter(({ path, text }) => isNightly(path) && !days.has(noticedBy(text) ?? ''))
    .map(({ path }) => `${path}:1: say "By day: \`test/….test.ts\` notices …", a test that runs by day`);
  return [...unnamed, ...unnoticed];
};
