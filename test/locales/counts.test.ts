/** A count stands behind what is counted, or beside words that fit one as well as many: never "1 sales". */
import { expect, test } from 'vitest';
import { load } from '../../src/locales/load.ts';
import { languages } from '../../src/locales/screens.ts';

type Tag = keyof typeof languages;

/** By their last name: what follows the number fits one too, or the number is never one. */
const fitsOne = [
  ...['more', 'shown', 'takenBegun', 'notReady', 'left', 'changed', 'times', 'refusedMore', 'paused', 'lostAnswers'],
  ...['waitingJobs', 'splitParts', 'cure', 'madeOf', 'differ'],
];

const wordsIn = (tree: unknown, path: string): [string, string][] =>
  typeof tree === 'string'
    ? [[path, tree]]
    : Object.entries(tree as object).flatMap(([name, part]) => wordsIn(part, `${path}.${name}`));

test.each(Object.keys(languages) as Tag[])('%s', async (tag) => {
  const { words } = await load[tag]();
  const found = wordsIn(words, tag).filter(([, text]) => /\{(?:count|seen)\} \p{L}/u.test(text));
  expect(found.filter(([path]) => !fitsOne.includes(path.split('.').at(-1) ?? ''))).toEqual([]);
});
