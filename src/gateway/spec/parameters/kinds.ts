/** The types of the spec's tables (2.0): each function makes a row. */
import { isCurrency } from '../../../base/money.ts';
import { alphabets, isAbsoluteUrl, isDate, isDateTime, isWebUrl } from './formats.ts';
import type { AlphabetName, ParameterRow, RowOptions } from './row.ts';

type Bounds = readonly [min: number, max: number];

/** For texts whose length the spec leaves open: the length of its longest text. */
export const UNSTATED: Bounds = [1, 2048];

/** The keys of customParameters, risk.parameters and merchant.data. */
export const freeKey = {
  pattern: /^[A-Za-z0-9._]{3,64}$/,
  mustBe: 'a name of 3 to 64 letters, digits, dots or underscores',
};

/** Just an example, or an example with the other columns of the row. */
type Options = RowOptions | string;

export const required = (example: string) => ({ example, req: 'R' }) as const;
export const conditional = (example: string) => ({ example, req: 'C' }) as const;
export const echoed = (example: string) => ({ example, echo: true }) as const;

const createRow = <F extends ParameterRow['form']>(form: F, mustBe: string, text: string, options: Options) => ({
  form,
  mustBe,
  description: text,
  req: 'O' as const,
  ...(typeof options === 'string' ? { example: options } : options),
});

const lengthText = (min: number, max: number, unit: string): string =>
  min === max ? `${max} ${unit}` : min === 1 ? `up to ${max} ${unit}` : `${min} to ${max} ${unit}`;

/** A text in an alphabet, with its length in code points, so that one emoji counts once. */
export const chars = (alphabet: AlphabetName, bounds: Bounds, text: string, options: Options): ParameterRow => {
  const [min, max] = bounds;
  return createRow(
    { kind: 'text', of: alphabet, min, max },
    lengthText(min, max, alphabets[alphabet].words),
    text,
    options,
  );
};

/** AN: any characters. */
export const text = (bounds: Bounds, text: string, options: Options): ParameterRow =>
  chars('any', bounds, text, options);

/** N: digits. */
export const n = (bounds: Bounds, text: string, options: Options): ParameterRow =>
  chars('digits', bounds, text, options);

/** Letters and digits, where the spec says so. */
export const an = (bounds: Bounds, text: string, options: Options): ParameterRow =>
  chars('alphanumeric', bounds, text, options);

/** A: letters of names. */
export const letters = (bounds: Bounds, text: string, options: Options): ParameterRow =>
  chars('letters', bounds, text, options);

type Shape = { mustBe: string; good: readonly string[]; bad: readonly string[]; check?: (value: string) => boolean };

/** A text that matches this pattern. `good` and `bad` are samples at its limits: every pattern is tested with them. */
export const regex = (pattern: RegExp, { mustBe, ...limits }: Shape, text: string, options: Options): ParameterRow =>
  createRow({ kind: 'shape', pattern, ...limits }, mustBe, text, options);

/** A kind of text with this pattern. */
const shaped =
  (pattern: RegExp, limits: Shape) =>
  (text: string, options: Options): ParameterRow =>
    regex(pattern, limits, text, options);

/** The spec's amount: up to 10 digits, then optionally a dot and exactly 2 decimals. */
export const amount = shaped(/^[0-9]{1,10}(\.[0-9]{2})?$/, {
  mustBe: 'up to 10 digits, then optionally a dot and 2 decimals',
  good: ['0', '1', '9999999999', '0.01', '9999999999.99'],
  bad: ['10000000000', '10000000000.00', '1.5', '1.', '.50', '1.500', '1,50', '-1.00', '+1', '1e3', ' 1'],
});

/** AMT: up to 10 digits, a dot, exactly 2 decimals. */
export const amt = shaped(/^[0-9]{1,10}\.[0-9]{2}$/, {
  mustBe: 'up to 10 digits, a dot and 2 decimals',
  good: ['0.00', '0.01', '9999999999.99'],
  bad: ['1', '9999999999', '10000000000.00', '1.5', '.50', '1.500', '1,50', '-1.00'],
});

/** CCY: three upper-case letters that ISO 4217 lists. */
export const currency = shaped(/^[A-Z]{3}$/, {
  mustBe: 'an ISO 4217 currency code such as EUR',
  check: isCurrency,
  good: ['EUR', 'USD', 'JPY', 'KWD'],
  bad: ['eur', 'EU', 'EURO', 'E1R', 'ZZZ', '978'],
});

/** CTRY2: two upper-case letters, as in ISO 3166-1. */
export const country = shaped(/^[A-Z]{2}$/, {
  mustBe: 'a country code of two upper-case letters',
  good: ['DE', 'AT'],
  bad: ['D', 'DEU', 'de', 'D1', '27'],
});

/** DATE: an existing day of a year that starts with 19 or 20. */
export const date = shaped(/^(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$/, {
  mustBe: 'a date, yyyy-MM-dd',
  check: isDate,
  good: ['1900-01-01', '2026-11-21', '2024-02-29', '2099-12-31'],
  bad: ['1899-12-31', '2100-01-01', '2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '21.11.2026', '20261121'],
});

/** DATETIME: to the second. */
export const dateTime = shaped(/^(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$/, {
  mustBe: 'a date and time, yyyy-MM-dd HH:mm:ss',
  check: isDateTime,
  good: ['1900-01-01 00:00:00', '2026-11-21 23:59:59'],
  bad: ['2026-11-21', '2026-11-21T23:59:59', '2026-11-21 24:00:00', '2026-11-21 23:60:00', '2026-02-30 00:00:00'],
});

export const month = shaped(/^(0[1-9]|1[0-2])$/, {
  mustBe: '01 to 12',
  good: ['01', '09', '10', '12'],
  bad: ['00', '13', '1', '012', 'Ja'],
});

export const year = shaped(/^(19|20)[0-9]{2}$/, {
  mustBe: 'a year of four digits starting 19 or 20',
  good: ['1900', '2034', '2099'],
  bad: ['1899', '2100', '34', '02034', '20x4'],
});

/** A telephone number, checked only by its first character: a plus sign or a digit. */
export const phone = ([min, max]: Bounds, text: string, options: Options): ParameterRow =>
  regex(
    new RegExp(`^[+0-9][\\s\\S]{${min - 1},${max - 1}}$`, 'u'),
    {
      mustBe: `${min} to ${max} characters, first a plus sign or a digit`,
      good: [`+${'4'.repeat(min - 1)}`, `0${'x'.repeat(max - 1)}`],
      bad: ['4'.repeat(min - 1), '4'.repeat(max + 1), `(${'4'.repeat(min)}`, ` +${'4'.repeat(min)}`],
    },
    text,
    options,
  );

const HOST = 'https://shop.example.com/';

/** An absolute URL; only a web address, or also one that opens an app. */
export const url = (
  [min, max]: Bounds,
  text: string,
  { of, ...options }: RowOptions & { of: 'web' | 'any' },
): ParameterRow =>
  regex(
    new RegExp(`^\\S{${min},${max}}$`, 'u'),
    {
      mustBe: `an absolute URL of up to ${max} characters, without spaces`,
      check: of === 'web' ? isWebUrl : isAbsoluteUrl,
      good: [
        `${HOST}${'x'.repeat(max - HOST.length)}`,
        'http://127.0.0.1:8080/back?id=7#top',
        'https://käse.example/ö',
        ...(of === 'web' ? [`http://${'a'.repeat(Math.max(1, min - 7))}`] : ['shop://paid', 'ab://c']),
      ],
      bad: [
        `${HOST}${'x'.repeat(max - HOST.length + 1)}`,
        '/back',
        '//shop.example.com/back',
        'shop.example.com/back',
        'https://',
        'https:// shop.example.com',
        'https://shop.example.com/a b',
        'javascript://shop.example.com/%0aalert(1)',
        'JavaScript:alert(1)',
        'data:text/html,x',
        'file:///etc/passwd',
        ...(of === 'web' ? ['shop://paid', 'ftp://shop.example.com/'] : ['a://b']),
      ],
    },
    text,
    options,
  );

/** A number from 1, with this many digits, optionally with leading zeros. */
export const count = (digits: 2 | 3, text: string, options: Options): ParameterRow =>
  regex(
    new RegExp(`^(?!0+$)[0-9]{1,${digits}}$`),
    {
      mustBe: `a number from 1 to ${'9'.repeat(digits)}`,
      good: ['1', '01', '9'.repeat(digits)],
      bad: ['0', '00', `1${'0'.repeat(digits)}`, '1.0', '-1', 'x', ' 1'],
    },
    text,
    options,
  );

/** One of the listed values. Clients of this interface know the text of the error. */
export const oneOf = <const W extends readonly [string, ...string[]]>(
  words: W,
  text: string,
  options: Options,
): ParameterRow<W[number]> => createRow({ kind: 'words', words }, `one of [${words.join(', ')}]`, text, options);

/** true or false; PHP clients send 1 and 0 for them. */
export const flag = (text: string, options: Options): ParameterRow<'true' | 'false' | '1' | '0'> =>
  createRow({ kind: 'words', words: ['true', 'false', '1', '0'] }, 'true or false', text, options);

/** Whether a flag was sent and is true. */
export const isSet = (value: string | undefined): boolean => value === 'true' || value === '1';
