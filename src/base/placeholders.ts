/**
 * Texts with places for values: `{name}`, and `{count, plural, one {# sale} other {# sales}}` for a number with what it
 * counts, as ICU's MessageFormat writes it. Types ask for exactly the values of a text that the compiler knows. It
 * imports nothing: any table of texts may be loaded first.
 */

/** Each place of a text by its name, with the plural categories that it has a form for. */
type PlacesIn<Text extends string> = Text extends `${string}{${infer Rest}`
  ? Rest extends `${infer Inside}}${infer After}`
    ? Inside extends `${infer Name}, plural, ${infer Form}`
      ? After extends `}${infer Behind}`
        ? { name: Name; forms: CategoriesIn<Form> } | PlacesIn<Behind>
        : After extends `${infer Forms}}}${infer Behind}`
          ? { name: Name; forms: CategoriesIn<`${Form}}${Forms}`> } | PlacesIn<Behind>
          : never
      : { name: Inside; forms: never } | PlacesIn<After>
    : never
  : never;

/** `one {# sale} other {# sales` has `one` and `other`. */
type CategoriesIn<Forms extends string> = Forms extends `${infer Category} {${string}} ${infer More}`
  ? Category | CategoriesIn<More>
  : Forms extends `${infer Category} {${string}`
    ? Category
    : never;

/** The names in a text; `string` for one that only the running program knows. */
export type Placeholders<Text extends string> = string extends Text ? string : PlacesIn<Text>['name'];

/** The plural categories for which a text has forms of the number with this name; `never` for a text without counts. */
export type FormsOf<Text extends string, Name> = Extract<PlacesIn<Text>, { name: Name }>['forms'];

/** The names of the numbers whose forms a text has. */
type Counted<Text extends string> =
  PlacesIn<Text> extends infer Place
    ? Place extends { name: infer Name; forms: infer Forms }
      ? [Forms] extends [never]
        ? never
        : Name
      : never
    : never;

export type PlaceholderValues<Text extends string, Value = string | number> = string extends Text
  ? Readonly<Record<string, Value>>
  : { readonly [Name in Placeholders<Text>]: Name extends Counted<Text> ? number : Value };

type PlainValues<Text extends string, Value> = [Counted<Text>] extends [never]
  ? PlaceholderValues<Text, Value>
  : 'this text counts: it is written by formatMessage, in a language';

/** `fill('{receipt} of {batch}', { receipt, batch })`. A missing value shows as a question mark, not as `{receipt}`. */
export const fill = <Text extends string, Value = string | number>(
  text: Text,
  values: PlainValues<Text, Value>,
  formatValue: (value: Value | '?') => string = String,
): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) =>
    formatValue((values as Readonly<Record<string, Value | null | undefined>>)[name] ?? '?'),
  );

// Texts that count: each language has its own forms for a number and what it counts.

const PLURAL = /\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/g;

type PluralForms = { category(count: number): string; formatValue(count: number): string };

const formsByLanguage = new Map<string, PluralForms>();

/** Latin digits in every language: people compare them with the terminal's. */
const pluralFormsOf = (language: string): PluralForms => {
  const existing = formsByLanguage.get(language);
  if (existing !== undefined) return existing;
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const created = {
    category: (count: number) => rules.select(count),
    formatValue: (count: number) => numbers.format(count),
  };
  formsByLanguage.set(language, created);
  return created;
};

/** `one {# sale} other {# sales}` for 2 is `2 sales`; a number that is missing shows as a question mark. */
const formFor = (language: string, forms: string, count: unknown): string => {
  const number = count === undefined || count === '' ? Number.NaN : Number(count);
  const { category, formatValue } = pluralFormsOf(language);
  const byCategory = new Map([...forms.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, name, form]) => [name, form]));
  const form = byCategory.get(category(number)) ?? byCategory.get('other') ?? '#';
  return form.replaceAll('#', Number.isNaN(number) ? '?' : formatValue(number));
};

/**
 * Writes texts of a language, by its tag (BCP 47): `formatMessage('en')('{n, plural, one {# sale} other {# sales}}',
 * { n })`. Places without a count are filled as by `fill`.
 */
export const formatMessage =
  (language: string) =>
  <Text extends string, Value = string | number>(
    text: Text,
    values: PlaceholderValues<Text, Value>,
    formatValue?: (value: Value | '?') => string,
  ): string =>
    fill<string, Value>(
      text.replace(PLURAL, (_, name: string, forms: string) =>
        formFor(language, forms, (values as Readonly<Record<string, unknown>>)[name]),
      ),
      values as Readonly<Record<string, Value>>,
      formatValue,
    );

/** Every form of a text with counts, with a plain `{count}` for each number, by which the text is recognised. */
export const formsOfText = (text: string): string[] => {
  const [found] = text.matchAll(PLURAL);
  if (found === undefined) return [text];
  const [whole, name, forms = ''] = found;
  return [...forms.matchAll(/\w+ \{([^{}]*)\}/g)].flatMap(([, form = '']) =>
    formsOfText(text.replace(whole, form.replaceAll('#', `{${name}}`))),
  );
};

/** Joins words as a language does, by its tag (BCP 47): `formatList('en')(['4', '7', '9'])` is `4, 7 and 9`. */
export const formatList = (language: string): ((items: readonly string[]) => string) => {
  // Created at the first list: it takes a twentieth of the time in which a command starts.
  let format: Intl.ListFormat | undefined;
  return (items) => {
    // British English has no comma before “and”, unlike American English.
    format ??= new Intl.ListFormat(language === 'en' ? 'en-GB' : language);
    return format.format(items);
  };
};

/** For texts of the till itself: the command line, the journal, the local API. */
export const formatEnglish = formatMessage('en');
