/**
 * What a translation must have: the keys of the English table, and in each text its placeholders and counts. A table
 * that differs does not compile; the compiler then says which text is wrong, and why. It imports no code, so any table
 * can be loaded first.
 */
import type { FormsOf, Placeholders } from '../base/placeholders.ts';

/** The plural categories of each language of the catalogue, as `Intl.PluralRules` knows them (CLDR, cardinals). */
export const pluralCategories = {
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  bg: ['one', 'other'],
  cs: ['one', 'few', 'many', 'other'],
  da: ['one', 'other'],
  de: ['one', 'other'],
  el: ['one', 'other'],
  en: ['one', 'other'],
  es: ['one', 'many', 'other'],
  fi: ['one', 'other'],
  fr: ['one', 'many', 'other'],
  hu: ['one', 'other'],
  it: ['one', 'many', 'other'],
  ja: ['other'],
  ko: ['other'],
  nl: ['one', 'other'],
  no: ['one', 'other'],
  pl: ['one', 'few', 'many', 'other'],
  pt: ['one', 'many', 'other'],
  ro: ['one', 'few', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  sk: ['one', 'few', 'many', 'other'],
  sl: ['one', 'two', 'few', 'other'],
  sv: ['one', 'other'],
  tr: ['one', 'other'],
  zh: ['other'],
} as const;

/** Language tags (BCP 47). */
export type LanguageTag = keyof typeof pluralCategories;
type Category<Tag extends LanguageTag> = (typeof pluralCategories)[Tag][number];

/** What happened, what it means for the money, what to do next. */
export type MessageParts = { readonly says: string; readonly money: string; readonly next: string };
/** Missing parts come from the till; the meaning for the money comes from the language's `money`. */
export type MessageRow = Partial<MessageParts> & Pick<MessageParts, 'next'>;

/** A message in parts, without the money where one table has that for many messages. */
type SaysAndNext = Pick<MessageParts, 'says' | 'next'>;

/** The keys of a table with the texts of another language; for a message only its parts. */
export type Translated<Table> = Table extends SaysAndNext
  ? { readonly [Part in keyof MessageParts & keyof Table]: string }
  : { readonly [Key in keyof Table]: Table[Key] extends string ? string : Translated<Table[Key]> };

/** Facts that are whole English sentences of this program: other languages leave them out. */
export type OurSentence = 'why' | 'differs';

type Missing<English extends string, Text extends string, Left> = Exclude<
  Placeholders<English>,
  Placeholders<Text> | Left
>;
type Unknown<English extends string, Text extends string, Left> = Exclude<
  Placeholders<Text>,
  Exclude<Placeholders<English>, Left>
>;

/** The names of counts whose plural forms are not those of the language; only numbers that English counts have any. */
type WrongForms<Tag extends LanguageTag, English extends string, Text extends string> = {
  [Name in Placeholders<Text>]: [FormsOf<English, Name>] extends [never]
    ? [FormsOf<Text, Name>] extends [never]
      ? never
      : Name
    : [Category<Tag>] extends [FormsOf<Text, Name>]
      ? [FormsOf<Text, Name>] extends [Category<Tag>]
        ? never
        : Name
      : Name;
}[Placeholders<Text>];

/** What is wrong with a text, if anything. Most texts have no placeholder: those are quick to compile. */
type WrongText<Tag extends LanguageTag, English extends string, Text extends string, Left> = string extends Text
  ? 'write this text as one literal'
  : [Extract<English | Text, `${string}{${string}`>] extends [never]
    ? never
    : [Missing<English, Text, Left>] extends [never]
      ? [Unknown<English, Text, Left>] extends [never]
        ? [WrongForms<Tag, English, Text>] extends [never]
          ? never
          : `{${WrongForms<Tag, English, Text>}, plural, …} needs each plural form of this language`
        : `English has no {${Unknown<English, Text, Left>}}`
      : `{${Missing<English, Text, Left>}} is missing`;

type InText<Name, Wrong> = Wrong extends string ? `${Name & string}: ${Wrong}` : never;

type AnyPart<Row> = Row[keyof MessageParts & keyof Row] & string;

/** What is wrong with a table, by the names of its texts. The parts of a message share its facts. */
type WrongTable<Tag extends LanguageTag, English, Table, Left> =
  | {
      [Name in keyof English & keyof Table]: InText<
        Name,
        English[Name] extends string
          ? WrongText<Tag, English[Name], Table[Name] & string, Left>
          : English[Name] extends SaysAndNext
            ?
                | WrongText<Tag, AnyPart<English[Name]>, AnyPart<Table[Name]>, Left>
                | WrongNames<English[Name], Table[Name]>
            : WrongTable<Tag, English[Name], Table[Name], Left>
      >;
    }[keyof English & keyof Table]
  | WrongNames<English, Table>;

type WrongNames<English, Table> = InText<Exclude<keyof Table, keyof English>, 'English has no such text'>;

/**
 * `translator<CashierIn>()('de', { … })`: the table of a language, by the type of the English one. No code of the
 * English is loaded with it. `Left` are the names of facts that are English sentences: no other language shows them.
 */
export const translator =
  <English, Left extends string = never>() =>
  <const Tag extends LanguageTag, const Table extends Translated<English>>(
    _: Tag,
    table: Table & Verdict<WrongTable<Tag, English, Table, Left>>,
  ): Translated<English> =>
    table;

/** `unknown`, or a type that no table fits, so that the compiler's message says what is wrong. */
type Verdict<Wrong> = [Wrong] extends [never] ? unknown : { wrong: Wrong };

/** `row(says, next)` if the English row has a common meaning for the money; otherwise `row(says, money, next)`. */
export function row<const Says extends string, const Next extends string>(
  says: Says,
  next: Next,
): { says: Says; next: Next };
export function row<const Says extends string, const Money extends string, const Next extends string>(
  says: Says,
  money: Money,
  next: Next,
): { says: Says; money: Money; next: Next };
export function row(says: string, second: string, third?: string): MessageRow {
  return third === undefined ? { says, next: second } : { says, money: second, next: third };
}
