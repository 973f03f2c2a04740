/** Errors of a configuration, with texts that name the place and never the value: it may be a secret. */
import * as z from 'zod';
import { Fault } from '../../../base/fault.ts';
import { printable } from '../../../base/mask.ts';
import { nearestName } from '../../spec/parameters/nearest.ts';

/** `where` as a person finds it: `gateway.json: channels[0].token`, `TILLGATE_PORT`, `--port`. */
export type ConfigProblem = { where: string; why: string };

/** Reports all of them at once. */
export const configFault = (problems: readonly ConfigProblem[]): Fault =>
  new Fault('gateway.configuration', {
    problems: problems.map(({ where, why }) => `\n  ${printable(where)}: ${why}`).join(''),
  });

export const unknownName = (name: string, names: readonly string[]): string => {
  const suggestion = nearestName(name, names);
  return suggestion === undefined ? 'is not known' : `is not known; did you mean ${suggestion}?`;
};

/** The value in the shape's form, or its errors. `where` is the value's place. */
export const checked = <T>(
  shape: z.ZodType<T>,
  value: unknown,
  where: string,
): { value: T } | readonly ConfigProblem[] => {
  const parsed = shape.safeParse(value, { error: plainMessage });
  return parsed.success
    ? { value: parsed.data }
    : parsed.error.issues.flatMap((issue) => problemsOf(issue, shape, where));
};

/** The text for shapes without one of their own. */
const plainMessage = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.input === undefined) return 'is missing';
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : undefined;
};

const problemsOf = (issue: z.core.$ZodIssue, shape: z.ZodType, where: string): ConfigProblem[] => {
  const location = `${where}${pathText(issue.path)}`;
  if (issue.code !== 'unrecognized_keys') return [{ where: location, why: issue.message }];
  const names = namesAt(shape, issue.path);
  return issue.keys.map((key) => ({ where: `${location}.${key}`, why: unknownName(key, names) }));
};

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');

const namesAt = (shape: unknown, path: readonly PropertyKey[]): readonly string[] => {
  if (shape instanceof z.ZodExactOptional || shape instanceof z.ZodOptional) return namesAt(shape.unwrap(), path);
  const [segment, ...rest] = path;
  if (shape instanceof z.ZodArray) return namesAt(shape.element, rest);
  if (!(shape instanceof z.ZodObject)) return [];
  return segment === undefined ? Object.keys(shape.shape) : namesAt(shape.shape[String(segment)], rest);
};
