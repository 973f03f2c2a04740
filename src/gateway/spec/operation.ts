/** The parameters of one endpoint: its rows, the required ones, and the rules between them. */
import type { Rows, ValueOf } from './parameters/row.ts';

/** The parsed parameters: required ones present, others optional. A misspelt name does not compile. */
export type ParsedParameters<R extends Rows, N extends keyof R> = { [K in N]: ValueOf<R[K]> } & {
  [K in Exclude<keyof R, N>]?: ValueOf<R[K]>;
};

/** The values as sent: any field may be missing or malformed. Lists and maps have their full names. */
export type SentValues<R extends Rows = Rows> = { readonly [K in keyof R]?: ValueOf<R[K]> } & Readonly<
  Record<string, string | undefined>
>;

/** A rule between parameters. */
export type Rule<R extends Rows = Rows> = {
  /** The parameter named by the error. */
  name: keyof R & string;
  message: string;
  /** When the rule applies; otherwise it counts as kept. Consecutive rules that share a condition evaluate it once. */
  appliesTo?: (values: SentValues<R>) => boolean;
  holds(values: SentValues<R>): boolean;
  /** Only for channels that authenticate cardholders by 3-D Secure. */
  on?: 'authenticating';
};

export type ApiOperation<R extends Rows = Rows, N extends keyof R = keyof R> = {
  /**
   * checkout: for a shopper's browser, authorised by the checkout's id in the path; a token is accepted too. Absent:
   * only with a token.
   */
  access?: 'checkout';
  method: 'GET' | 'POST' | 'DELETE';
  /** With `:id` for the id in the path. */
  path: string;
  summary: string;
  accepts: R;
  needs: readonly N[];
  rules: readonly Rule[];
};

/** Requires each of these names if `appliesTo` holds. */
export const requireWhen = <R extends Rows>(
  appliesTo: Rule<R>['holds'],
  names: readonly (keyof R & string)[],
  message = 'may not be empty',
): Rule<R>[] =>
  names.map((name) => ({
    name,
    message,
    appliesTo,
    holds: (values) => values[name] !== undefined || !appliesTo(values),
  }));

/** Flat wire names and values; for a stored account including those from the vault. */
export type Flat = Readonly<Record<string, string | undefined>>;
