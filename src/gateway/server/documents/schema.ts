/** A row of the parameter tables as a JSON Schema (draft 2020-12, used by OpenAPI 3.1). */
import type { Json } from '../../spec/json.ts';
import { alphabets } from '../../spec/parameters/formats.ts';
import { documentationOf, type ParameterRow, type Rows } from '../../spec/parameters/row.ts';

export type Schema = { readonly [keyword: string]: Json | undefined };

/** The format of a value. Secrets are marked write-only: no answer returns them. */
export const schemaOf = (row: ParameterRow): Schema => ({
  type: 'string',
  description: `${documentationOf(row)} Must be ${row.mustBe}.`,
  ...formOf(row),
  examples: [row.example],
  writeOnly: row.secret === 'account' || row.secret === 'authentication' || undefined,
});

const formOf = ({ form }: ParameterRow): Schema => {
  if (form.kind === 'words') return { enum: form.words };
  if (form.kind === 'shape') return { pattern: form.pattern.source };
  const { min, max } = form;
  if (form.of === 'any') return { minLength: min, maxLength: max };
  const { set, somewhere } = alphabets[form.of];
  return {
    minLength: min,
    maxLength: max,
    pattern: `^${somewhere === undefined ? '' : `(?=.*${somewhere})`}[${set}]+$`,
  };
};

/** `cart.items[n].name` and `customParameters[key]` stand for many names. */
export const isMany = (name: string): boolean => name.includes('[n]') || name.endsWith('[key]');

/** The pattern of the names that such a row stands for. Indexes run from 0 to 999 (spec 8). */
export const namePattern = (name: string, { key }: ParameterRow): string => {
  const inside = key === undefined ? '[^\\[\\]]+' : `(?:${key.pattern.source.replace(/^\^|\$$/g, '')})`;
  const escaped = name.replace(/[.[\]]/g, '\\$&');
  return `^${escaped.replaceAll('\\[n\\]', '\\[(?:0|[1-9][0-9]{0,2})\\]').replace('\\[key\\]', `\\[${inside}\\]`)}$`;
};

/** A form of flat names. `refOf` returns the reference for a row that several operations use. */
export const formSchema = (
  rows: Rows,
  needs: readonly string[],
  refOf: (name: string, row: ParameterRow) => Schema,
): Schema => {
  const allRows = Object.entries(rows);
  const repeatedRows = allRows.filter(([name]) => isMany(name));
  return {
    type: 'object',
    properties: Object.fromEntries(
      allRows.filter(([name]) => !isMany(name)).map(([name, row]) => [name, refOf(name, row)]),
    ),
    patternProperties:
      repeatedRows.length === 0
        ? undefined
        : Object.fromEntries(repeatedRows.map(([name, row]) => [namePattern(name, row), refOf(name, row)])),
    additionalProperties: false,
    required: needs.length === 0 ? undefined : needs,
  };
};
