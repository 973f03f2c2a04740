/** Values at the limits of a row, made from its format, and an operation that accepts only this row. */
import type { ApiOperation } from '../../../../src/gateway/spec/operation.ts';
import { sections } from '../../../../src/gateway/spec/parameters/all.ts';
import { alphabets } from '../../../../src/gateway/spec/parameters/formats.ts';
import { type Parsed, parserOf, type Strictness } from '../../../../src/gateway/spec/parameters/parser.ts';
import type { ParameterRow, Rows, ValueFormat } from '../../../../src/gateway/spec/parameters/row.ts';

/** Every row of every section by its full name. */
export const allRows: readonly (readonly [section: string, name: string, row: ParameterRow])[] = Object.entries<Rows>(
  sections,
).flatMap(([section, rows]) => Object.entries(rows).map(([name, row]) => [section, name, row] as const));

export type Limits = { allowed: readonly string[]; refused: readonly string[] };

/** Just inside and just outside both limits of the row's format. */
export const limitsOf = ({ form }: ParameterRow): Limits => {
  if (form.kind === 'text') return textLimits(form);
  if (form.kind === 'shape') return { allowed: form.good, refused: ['', ...form.bad] };
  const otherCaseWords = form.words.map((word) =>
    word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase(),
  );
  const wrongValues = [
    '',
    'no such word',
    ...otherCaseWords,
    ...form.words.flatMap((word) => [`${word}x`, ` ${word}`, `${word} `]),
  ];
  return { allowed: form.words, refused: wrongValues.filter((word) => !form.words.includes(word)) };
};

const textLimits = ({ of, min, max }: ValueFormat & { kind: 'text' }): Limits => {
  const { in: allowedLetter, out, somewhere: requiredLetter } = alphabets[of];
  const letter = requiredLetter === undefined ? '' : 'a';
  const textOfLength = (count: number) => `${letter}${allowedLetter.repeat(Math.max(0, count - letter.length))}`;
  const points = of === 'any' ? [min, max].map((count) => '😀'.repeat(count)) : [];
  const foreign =
    out === undefined
      ? ['😀'.repeat(max + 1)]
      : [`${textOfLength(max - 1)}${out}`, `${out}${textOfLength(max - 1)}`, out.repeat(min)];
  const withoutRequired = requiredLetter === undefined ? [] : ['.'.repeat(min)];
  return {
    allowed: [textOfLength(min), textOfLength(max), ...points],
    refused: ['', ...(min === 1 ? [] : [textOfLength(min - 1)]), textOfLength(max + 1), ...foreign, ...withoutRequired],
  };
};

export const parseAlone = (name: string, row: ParameterRow) => parserFor({ [name]: row });

/** A parser that accepts these rows, requires none of them and has no rules. */
export const parserFor = (
  accepts: Rows,
  extra: Partial<Pick<ApiOperation, 'needs' | 'rules'>> = {},
): ((form: Readonly<Record<string, string>>, strictness?: Strictness) => Parsed<Record<string, string>>) => {
  const operation: ApiOperation = { method: 'POST', path: '/', summary: '', accepts, needs: [], rules: [], ...extra };
  const parse = parserOf(operation);
  return (fields, strictness = 'strict') =>
    parse(Object.assign(Object.create(null), fields), strictness) as Parsed<Record<string, string>>;
};

/** The name as it may be sent: indexes 0, and a key that every map accepts. */
export const sendable = (template: string): string => template.replaceAll('[n]', '[0]').replace('[key]', '[VISA]');
