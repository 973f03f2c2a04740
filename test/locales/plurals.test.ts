/**
 * Plurals: the categories of each language are those of `Intl`, each text has a form for each, and no number stands
 * before its noun without them: never "1 sales". The types ensure that translations have them at all.
 */
import { expect, test } from 'vitest';
import { faults } from '../../src/base/faults.ts';
import { wantWords } from '../../src/base/field-wants.ts';
import { formatMessage, formsOfText } from '../../src/base/placeholders.ts';
import { formatsOf } from '../../src/locales/formats.ts';
import { load } from '../../src/locales/load.ts';
import * as books from '../../src/locales/messages/en/books.ts';
import * as machine from '../../src/locales/messages/en/machine.ts';
import * as sales from '../../src/locales/messages/en/sales.ts';
import { reportLanguage } from '../../src/locales/reports.ts';
import { languages } from '../../src/locales/screens.ts';
import { shopperTexts } from '../../src/locales/shopper.ts';
import { type LanguageTag, pluralCategories } from '../../src/locales/translation.ts';

const tags = Object.keys(pluralCategories) as LanguageTag[];

test.each(tags)('%s has the categories of Intl', (tag) => {
  const { pluralCategories: known } = new Intl.PluralRules(tag).resolvedOptions();
  expect([...pluralCategories[tag]].sort()).toEqual([...known].sort());
});

test.each(tags)(
  '%s: 3 and 4, the lengths of a security code, have the same form, so the widget needs only that one',
  (tag) => {
    const rules = new Intl.PluralRules(tag);
    expect(rules.select(3)).toBe(rules.select(4));
  },
);

const textsIn = (tree: unknown, path = ''): [string, string][] => {
  if (typeof tree === 'string') return [[path, tree]];
  if (typeof tree !== 'object') return [];
  return Object.entries(tree ?? {}).flatMap(([name, part]) => textsIn(part, `${path}.${name}`));
};

const textsOf = async (tag: LanguageTag): Promise<[string, string][]> => {
  const english = tag === 'en' ? [faults, wantWords, { ...books }, { ...machine }, { ...sales }] : [];
  const screens = tag in languages ? await load[tag as keyof typeof languages]() : undefined;
  const { language, reports } = await reportLanguage(tag);
  return textsIn([{ ...shopperTexts[tag] }, screens, language === tag ? reports : undefined, ...english]);
};

/** Numbers without a noun, as in `3 of 12 are shown`; and units, which no language inflects. */
const countsNothing = [
  'shown',
  'notReady',
  'left',
  'cure',
  'sent',
  'more',
  'silent',
  'tested',
  'answered',
  'answeredSlowly',
  'answersStopped',
  'unknownHere',
];
const UNITS = /^(ms|s|mm|MB|Mo|h|of|von|sur|de|من|ث|ميغابايت)$/;

test.each(tags)('%s: each count has its forms, and no other number stands before a noun', async (tag) => {
  const texts = await textsOf(tag);
  const forms = texts.flatMap(([path, text]) =>
    [...text.matchAll(/\{\w+, plural, ((?:\w+ \{[^{}]*\} ?)+)\}/g)].map(([, all = '']) => [
      path,
      [...all.matchAll(/(\w+) \{/g)].map(([, name]) => name),
    ]),
  );
  expect(forms.filter(([, names]) => `${names}` !== `${pluralCategories[tag]}`)).toEqual([]);
  expect(
    texts.filter(([, text]) => text.replace(/\{\w+, plural, (?:\w+ \{[^{}]*\} ?)+\}/g, '').includes('plural')),
  ).toEqual([]);
  const bare = texts.filter(([path, text]) => {
    const [, after = ''] =
      /\{(?:count|seen|days|sales|minutes|seconds|uses|differences|waiting|bytes)\} (\p{L}+)/u.exec(text) ?? [];
    return (
      after !== '' &&
      !UNITS.test(after) &&
      !countsNothing.includes(path.split('.').findLast((name) => !/^(says|money|next)$/.test(name)) ?? '')
    );
  });
  expect(bare).toEqual([]);
});

test.each([
  ['en', 1, '1 sale'],
  ['en', 1_234, '1,234 sales'],
  ['en', Number.NaN, '? sales'],
] as const)('in %s %d is %s', (tag, n, written) => {
  expect(formatMessage(tag)('{n, plural, one {# sale} other {# sales}}', { n })).toBe(written);
});

test('in Arabic each of the six forms has its numbers', async () => {
  const { words } = await load.ar();
  const lines = [0, 1, 2, 3, 11, 100].map((count) => formatMessage('ar')(words.cashier.splitParts, { count }));
  expect(new Set(lines.map((text) => text.replace(/\d+/, '#'))).size).toBe(6);
});

test('a text that counts is recognised in each of its forms', () => {
  const text = '{n, plural, one {# byte that is} other {# bytes that are}} no answer from {whom}';
  expect(formsOfText(text)).toEqual([
    '{n} byte that is no answer from {whom}',
    '{n} bytes that are no answer from {whom}',
  ]);
});

test.each([
  ['en', '4, 7 and 9'],
  ['de', '4, 7 und 9'],
  ['ar', '4 و7 و9'],
] as const)('%s joins a list as the language does: %s', (language, list) => {
  expect(formatsOf({ language, timeZone: 'UTC' }).list(['4', '7', '9'])).toBe(list);
});
