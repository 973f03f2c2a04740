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

/** The plural categories that a text has forms for, of the number with this name; never where it counts nothing. */
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
  written: (value: Value | '?') => string = String,
): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) =>
    written((values as Readonly<Record<string, Value | null | undefined>>)[name] ?? '?'),
  );
