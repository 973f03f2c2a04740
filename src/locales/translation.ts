/**
 * What a translation is: the keys of the English, and in each text its places and its counts. A table that differs does
 * not compile; the type of the text then says what is wrong. It imports no code, so any table may be loaded
 * first.
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
/** What a row leaves out is as the till says it, its money in the words of the language's `money`. */
export type MessageRow = Partial<MessageParts> & Pick<MessageParts, 'next'>;

/** The keys of a table with other texts: those of another language. */
export type Translated<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends string ? string : Translated<Table[Key]>;
};

/** Facts that are whole sentences of this program, in English: another language leaves them out. */
export type OurSentence = 'why' | 'differs';

type Missing<English extends string, Text extends string, Left> = Exclude<
  Placeholders<English>,
  Placeholders<Text> | Left
>;
type Unknown<English extends string, Text extends string, Left> = Exclude<
  Placeholders<Text>,
  Exclude<Placeholders<English>, Left>
>;

/** The names whose forms are not those of the language: of a number that English counts, and of no other. */
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

/** The text itself where it is right, else what is wrong with it. */
type Checked<Tag extends LanguageTag, English extends string, Text extends string, Left> = string extends Text
  ? 'write this text as one literal'
  : [Missing<English, Text, Left>] extends [never]
    ? [Unknown<English, Text, Left>] extends [never]
      ? [WrongForms<Tag, English, Text>] extends [never]
        ? Text
        : `{${WrongForms<Tag, English, Text>}, plural, …} needs each form of this language: ${Category<Tag>}`
      : `English has no {${Unknown<English, Text, Left>}}`
    : `{${Missing<English, Text, Left>}} is missing`;

type Parts = keyof MessageParts;

/** A message that a translation has by its parts: without the money where one table has that for many messages. */
type SaysAndNext = Pick<MessageParts, 'says' | 'next'>;
type PartsOf<English> = { readonly [Part in Parts & keyof English]: string };
type AnyPart<Row> = Row[Parts & keyof Row] & string;

/** The parts tell the facts of the English together, whichever part has them. */
type CheckedParts<Tag extends LanguageTag, English, Row, Left> = {
  readonly [Part in keyof Row]: Part extends keyof English
    ? Checked<Tag, AnyPart<English>, AnyPart<Row>, Left> extends Row[Part]
      ? Row[Part]
      : Checked<Tag, AnyPart<English>, AnyPart<Row>, Left>
    : never;
};

type CheckedTable<Tag extends LanguageTag, English, Table, Left> = {
  readonly [Name in keyof English]: Name extends keyof Table
    ? English[Name] extends string
      ? Table[Name] extends string
        ? Checked<Tag, English[Name], Table[Name], Left>
        : string
      : English[Name] extends SaysAndNext
        ? Table[Name] extends PartsOf<English[Name]>
          ? CheckedParts<Tag, English[Name], Table[Name], Left>
          : PartsOf<English[Name]>
        : CheckedTable<Tag, English[Name], Table[Name], Left>
    : English[Name];
} & { readonly [Name in Exclude<keyof Table, keyof English>]: never };

/**
 * `translator<CashierIn>()('de', { … })`: the table of a language, by the type of the English one. No code of the
 * English is loaded with it. `Left` are the names of facts that are English sentences: no other language shows them.
 */
export const translator =
  <English, Left extends string = never>() =>
  <const Tag extends LanguageTag, const Table>(
    _: Tag,
    table: Table extends CheckedTable<Tag, English, Table, Left> ? Table : CheckedTable<Tag, English, Table, Left>,
  ): Table =>
    table as Table;

/** `row(says, next)` where its English means for the money what many do; else `row(says, money, next)`. */
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
