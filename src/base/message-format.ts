/** Texts that count, in the reader's language: each language has its own forms for a number and what it counts. */
import { fill, type PlaceholderValues } from './placeholders.ts';

const PLURAL = /\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/g;

type Counting = { category(count: number): string; written(count: number): string };

const made = new Map<string, Counting>();

/** Latin digits in every language: people compare them with the terminal's. */
const countingIn = (language: string): Counting => {
  const known = made.get(language);
  if (known !== undefined) return known;
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const counting = {
    category: (count: number) => rules.select(count),
    written: (count: number) => numbers.format(count),
  };
  made.set(language, counting);
  return counting;
};

/** `one {# sale} other {# sales}` for 2 is `2 sales`; a number that is missing shows as a question mark. */
const formFor = (language: string, forms: string, count: unknown): string => {
  const number = count === undefined || count === '' ? Number.NaN : Number(count);
  const { category, written } = countingIn(language);
  const byCategory = new Map([...forms.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, name, form]) => [name, form]));
  const form = byCategory.get(category(number)) ?? byCategory.get('other') ?? '#';
  return form.replaceAll('#', Number.isNaN(number) ? '?' : written(number));
};

/**
 * Writes texts of a language, by its tag (BCP 47): `formatMessage('en')('{n, plural, one {# sale} other {# sales}}',
 * { n })`. What is no count is written as `fill` does.
 */
export const formatMessage =
  (language: string) =>
  <Text extends string, Value = string | number>(
    text: Text,
    values: PlaceholderValues<Text, Value>,
    written?: (value: Value | '?') => string,
  ): string =>
    fill<string, Value>(
      text.replace(PLURAL, (_, name: string, forms: string) =>
        formFor(language, forms, (values as Readonly<Record<string, unknown>>)[name]),
      ),
      values as Readonly<Record<string, Value>>,
      written,
    );

/** What a text with counts may read, a plain `{count}` in place of each number: to know such a text again. */
export const formsOfText = (text: string): string[] => {
  const [found] = text.matchAll(PLURAL);
  if (found === undefined) return [text];
  const [whole, name, forms = ''] = found;
  return [...forms.matchAll(/\w+ \{([^{}]*)\}/g)].flatMap(([, form = '']) =>
    formsOfText(text.replace(whole, form.replaceAll('#', `{${name}}`))),
  );
};

/** What the till says itself: the command line, the journal, the local API. */
export const formatEnglish = formatMessage('en');
