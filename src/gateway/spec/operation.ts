/** What one endpoint takes: which rows, which of them it needs, which rules hold between them. */
import type { Rows, ValueOf } from './parameters/row.ts';

/** The parsed parameters: needed ones present, the others perhaps. A misspelt name does not compile. */
export type ParsedParameters<R extends Rows, N extends keyof R> = { [K in N]: ValueOf<R[K]> } & {
  [K in Exclude<keyof R, N>]?: ValueOf<R[K]>;
};

/** Whatever was sent: every field may be missing or malformed. Lists and maps stand under their full names. */
export type SentValues<R extends Rows = Rows> = { readonly [K in keyof R]?: ValueOf<R[K]> } & Readonly<
  Record<string, string | undefined>
>;

/** A rule between parameters. */
export type Rule<R extends Rows = Rows> = {
  /** The parameter that the error names. */
  name: keyof R & string;
  /** The error's words. */
  says: string;
  /** What the rule is about: where it is not so, the rule holds. Of rules in a row with the same, it is asked once. */
  when?: (sent: SentValues<R>) => boolean;
  holds(sent: SentValues<R>): boolean;
  /** Of channels that authenticate cardholders by 3-D Secure alone. */
  on?: 'authenticating';
};

export type ApiOperation<R extends Rows = Rows, N extends keyof R = keyof R> = {
  /**
   * checkout: a shopper's browser asks, and the checkout's id in the path is all that it needs; a token is taken too.
   * Absent: only who has a token is let in.
   */
  access?: 'checkout';
  method: 'GET' | 'POST' | 'DELETE';
  /** With `:id` for the id in the path. */
  path: string;
  says: string;
  accepts: R;
  needs: readonly N[];
  rules: readonly Rule[];
};

/** Each of these names is needed when `when` holds. */
export const needed = <R extends Rows>(
  when: Rule<R>['holds'],
  names: readonly (keyof R & string)[],
  says = 'may not be empty',
): Rule<R>[] => names.map((name) => ({ name, says, when, holds: (sent) => sent[name] !== undefined || !when(sent) }));

/** Flat wire names and values; of a stored account those of the vault among them. */
export type Flat = Readonly<Record<string, string | undefined>>;
