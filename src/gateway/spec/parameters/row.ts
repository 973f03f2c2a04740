/** One row of the spec's tables as data: the source of the parser, texts, documentation and tests. */

/**
 * How far a value may travel. personal: not into logs. account: not into logs, error answers or the store.
 * authentication: sensitive authentication data; not even a hash of it outlives the request.
 */
export type Secrecy = 'personal' | 'account' | 'authentication';

/** The spec's Req column: required in every request that uses the structure, conditional, optional. */
export type Req = 'R' | 'C' | 'O';

export type ValueFormat<T extends string = string> =
  /** A length in code points, in an alphabet of `formats.ts`. */
  | { kind: 'text'; of: AlphabetName; min: number; max: number }
  | { kind: 'words'; words: readonly T[] }
  /** A pattern, and optionally a check beyond it. `good` and `bad` are samples at its limits, for the tests. */
  | {
      kind: 'shape';
      pattern: RegExp;
      check?: (value: string) => boolean;
      good: readonly string[];
      bad: readonly string[];
    };

export type AlphabetName =
  | 'any'
  | 'digits'
  | 'letters'
  | 'latin'
  | 'upper'
  | 'alphanumeric'
  | 'alphanumericPlace'
  | 'alphanumericSpace'
  | 'alphanumericDot'
  | 'alphanumericHyphen'
  | 'alphanumericUnderscore'
  | 'alphanumericHyphenDot';

export type ParameterRow<T extends string = string> = {
  readonly form: ValueFormat<T>;
  readonly req: Req;
  /** A description, for the documentation. */
  readonly description: string;
  /** The text after "must be". */
  readonly mustBe: string;
  readonly example: string;
  readonly secret?: Secrecy;
  /** Stored with the payment and returned in its answer. */
  readonly echo?: true;
  /**
   * Made by a machine: a long number in it is a serial number or a counter. In every other stored text a card's number,
   * track or security code is refused.
   */
  readonly machine?: true;
  /**
   * Customer and address data: a lenient channel accepts a wrong format or a broken rule. `short`: only a text that is
   * too short.
   */
  readonly lenient?: true | 'short';
  /** Our extension: no table of the specification contains it. The documentation says so. */
  readonly extension?: true;
  /** For rows named `…[key]`: the format of a key. */
  readonly key?: { readonly pattern: RegExp; readonly mustBe: string };
};

/** Rows by their full wire names. `[n]` stands for an index from 0, `[key]` for a key of a map. */
export type Rows = Readonly<Record<string, ParameterRow>>;

export type RowOptions = Pick<ParameterRow, 'example'> &
  Partial<Pick<ParameterRow, 'req' | 'secret' | 'echo' | 'machine' | 'lenient' | 'extension' | 'key'>>;

export type ValueOf<R> = R extends ParameterRow<infer T> ? T : never;

// A section of the spec: rows with one prefix. They have no names but their wire names.

type Named<P extends string, R extends Rows> = {
  readonly [K in keyof R & string as P extends '' ? K : `${P}.${K}`]: R[K];
};

/** The rows by their full, flat wire names: `section('card', { number })` gives `{ 'card.number' }`. */
export const section = <const P extends string, R extends Rows>(prefix: P, rows: R): Named<P, R> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [prefix === '' ? name : `${prefix}.${name}`, row]),
  ) as Named<P, R>;

/** The row's description in the documentation. */
export const documentationOf = ({ description, extension }: ParameterRow): string =>
  extension ? `${description} An extension of the specification.` : description;

/** The same rows with some marks changed, for example for customer data that a lenient channel accepts. */
export const withOptions = <R extends Rows>(
  rows: R,
  marks: Partial<Pick<ParameterRow, 'req' | 'lenient' | 'extension' | 'echo' | 'secret'>>,
): R => Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, ...marks }])) as R;
