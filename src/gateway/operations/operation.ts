/** What one endpoint takes: which rows, which of them it needs, which rules hold between them. */
import * as z from 'zod';
import { type ParameterError, parameterErrors, type Sent } from '../parameters/errors.ts';
import { isMap } from '../parameters/kinds.ts';
import type { Rows } from '../parameters/section.ts';

/** The parsed parameters: needed ones present, the others perhaps. A misspelt name does not compile. */
export type Parameters<R extends Rows, N extends keyof R> = { [K in N]: z.output<R[K]> } & {
  [K in Exclude<keyof R, N>]?: z.output<R[K]>;
};

/** A rule between parameters. It sees whatever was sent, so every field may be missing or malformed. */
export type Rule<R extends Rows> = {
  /** The parameter that the error names. */
  name: keyof R & string;
  /** The error's words. */
  says: string;
  holds: (sent: { [K in keyof R]?: z.output<R[K]> }) => boolean;
};

export type Operation<R extends Rows = Rows, N extends keyof R = keyof R> = {
  method: 'GET' | 'POST';
  /** With `:id` for the payment's id. */
  path: string;
  says: string;
  accepts: R;
  needs: readonly N[];
  rules: readonly Rule<R>[];
};

export type Parsed<P> = { request: P } | { errors: readonly ParameterError[] };

/** Each of these names is needed when `when` holds. */
export const needed = <R extends Rows>(
  when: Rule<R>['holds'],
  names: readonly (keyof R & string)[],
  says = 'may not be empty',
): Rule<R>[] => names.map((name) => ({ name, says, holds: (sent) => !when(sent) || sent[name] !== undefined }));

/**
 * The parser of an operation. Format errors and broken rules are reported together: zod would skip the rules after a
 * format error, and the client would learn of them only on its second try.
 */
export const parserOf = <R extends Rows, N extends keyof R>(
  operation: Operation<R, N>,
): ((sent: Sent) => Parsed<Parameters<R, N>>) => {
  const needs: ReadonlySet<PropertyKey> = new Set<PropertyKey>(operation.needs);
  const shape = Object.fromEntries(
    Object.entries(operation.accepts).map(([name, row]) => [name, needs.has(name) ? row : row.optional()]),
  );
  const schema = operation.rules.reduce<z.ZodType>(
    (all, rule) =>
      all.refine((sent) => rule.holds(sent as Parameters<R, never>), {
        when: () => true,
        path: [rule.name],
        error: rule.says,
      }),
    z.strictObject(shape),
  );
  return (sent) => {
    const result = schema.safeParse(sent);
    if (result.success) return { request: result.data as Parameters<R, N> };
    return { errors: parameterErrors(operation.accepts, sent, result.error.issues) };
  };
};

/** The names of the accepted free maps, for the form decoder that groups their keys. */
export const mapsOf = ({ accepts }: Pick<Operation, 'accepts'>): ReadonlySet<string> =>
  new Set(Object.entries(accepts).flatMap(([name, row]) => (isMap(row) ? [name] : [])));
