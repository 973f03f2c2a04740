/** What one row of the spec's tables is: data, from which parser, words, documents and tests are made. */

/**
 * How far a value may travel. personal: not into logs. account: not into logs, error answers or the store.
 * authentication: sensitive authentication data; not even a hash of it outlives the request.
 */
export type Secrecy = 'personal' | 'account' | 'authentication';

/** The spec's Req column: required of every request that uses the structure, conditional, optional. */
export type Req = 'R' | 'C' | 'O';

/** What a value may look like. */
export type ValueFormat<T extends string = string> =
  /** So many characters (code points) of an alphabet of `formats.ts`. */
  | { kind: 'text'; of: AlphabetName; min: number; max: number }
  | { kind: 'words'; words: readonly T[] }
  /** A shape, and sometimes a check beyond it. `good` and `bad` stand at its limits, for the tests. */
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
  /** What it is, for the documents. */
  readonly says: string;
  /** The words after "must be". */
  readonly wants: string;
  readonly example: string;
  readonly secret?: Secrecy;
  /** Kept with the payment and given back in its answer. */
  readonly echo?: true;
  /**
   * Made by a machine: a long number in it is a serial number or a count. In every other text that is kept a card's
   * number, its track or its security code is refused.
   */
  readonly machine?: true;
  /**
   * Customer and address data: a lenient channel lets a wrong format pass, and a broken rule. `short`: of a text, one
   * that has too few characters.
   */
  readonly lenient?: true | 'short';
  /** Ours: no table of the specification has it. Documents say so. */
  readonly extension?: true;
  /** Of rows named `…[key]`: what a key may be. */
  readonly key?: { readonly pattern: RegExp; readonly wants: string };
};

/** Rows under their full wire names. `[n]` stands for an index from 0, `[key]` for a key of a map. */
export type Rows = Readonly<Record<string, ParameterRow>>;

export type RowOptions = Pick<ParameterRow, 'example'> &
  Partial<Pick<ParameterRow, 'req' | 'secret' | 'echo' | 'machine' | 'lenient' | 'extension' | 'key'>>;

/** The type of a row's value. */
export type ValueOf<R> = R extends ParameterRow<infer T> ? T : never;

// A section of the spec: rows under one prefix. Their wire names are the only names they have.

type Named<P extends string, R extends Rows> = {
  readonly [K in keyof R & string as P extends '' ? K : `${P}.${K}`]: R[K];
};

/** The rows under their full, flat wire names: `section('card', { number })` gives `{ 'card.number' }`. */
export const section = <const P extends string, R extends Rows>(prefix: P, rows: R): Named<P, R> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [prefix === '' ? name : `${prefix}.${name}`, row]),
  ) as Named<P, R>;

/** What documents say of a row. */
export const saidOf = ({ says, extension }: ParameterRow): string =>
  extension ? `${says} An extension of the specification.` : says;

/** The same rows with some marks changed: customer data that a lenient channel lets pass, copies that are optional. */
export const marked = <R extends Rows>(
  rows: R,
  marks: Partial<Pick<ParameterRow, 'req' | 'lenient' | 'extension' | 'echo' | 'secret'>>,
): R => Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, ...marks }])) as R;
