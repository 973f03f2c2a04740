/**
 * Texts with placeholders, `{name}`. The type requires exactly the placeholders of a text that the compiler knows. It
 * imports nothing, so that any table of texts can be loaded first.
 */

/** The names in a text; `string` for a text known only at run time. */
export type Placeholders<Text extends string> = string extends Text
  ? string
  : Text extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Placeholders<Rest>
    : never;

export type PlaceholderValues<Text extends string, Value = string | number> = Readonly<
  Record<Placeholders<Text>, Value>
>;

/** A table's keys with other texts: those of another language. */
export type Translated<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends string ? string : Translated<Table[Key]>;
};

/** `fill('{count} are left', { count: 3 })`. A missing value shows as a question mark, never as `{count}`. */
export const fill = <Text extends string, Value = string | number>(
  text: Text,
  values: PlaceholderValues<Text, Value>,
  written: (value: Value | '?') => string = String,
): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) =>
    written((values as Readonly<Record<string, Value | null | undefined>>)[name] ?? '?'),
  );
