/**
 * The answers of routes. A schema among the route's guards types the answer and appears in the OpenAPI document;
 * tests check each answer against it.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { stream } from 'hono/streaming';
import type { TypedResponse } from 'hono/types';
import * as z from 'zod';
import type { DisplayMode } from '../base/mode.ts';
import { describeGuard, type Env } from './actor.ts';
import { type Problem, problem, problemAnswer } from './contract/problem.ts';
import { problemOf } from './problems.ts';

type Media = 'application/json' | 'text/event-stream' | 'application/x-ndjson';

/** The type of the promised answer is part of the context's type, as are the inputs that guards have parsed. */
type CheckedHandler<Out extends object> = MiddlewareHandler<Env, string, { out: Out }>;
type ContextOf<Out extends object, E extends Env> = Context<E, string, { out: Out }>;

const withSchema = <Out extends object>(media: Media, schema: z.ZodType): CheckedHandler<Out> =>
  describeGuard<CheckedHandler<Out>>(
    async (context, next) => {
      context.set('answerSchema', schema);
      await next();
    },
    { of: 'answer', media, schema },
  );

/** The route answers with JSON of this schema, through `answer`. */
export const answers = <T>(schema: z.ZodType<T>) => withSchema<{ answer: T }>('application/json', schema);

export const answer = <T, E extends Env, Status extends 200 | 201 = 200>(
  context: ContextOf<{ answer: T }, E>,
  value: NoInfer<T>,
  status?: Status,
) => context.json(value as object, status) as unknown as Response & TypedResponse<T, Status, 'json'>;

/** The route answers with server-sent events, each of this schema. */
export const answersEvents = (schema: z.ZodType) => withSchema<object>('text/event-stream', schema);

/** The route answers with files of these media types. */
export const answersFiles = (...media: string[]): MiddlewareHandler<Env> =>
  describeGuard<MiddlewareHandler<Env>>((_, next) => next(), { of: 'files', media });

type Line<Step, Result> = { step: Step } | { result: Result } | { problem: Problem };

/**
 * For long work: the route answers with a line of JSON for each step, and a last one with the result, through `lines`.
 */
export const answersLines = <Step, Result>(step: z.ZodType<Step>, result: z.ZodType<Result>) =>
  withSchema<{ step: Step; result: Result }>(
    'application/x-ndjson',
    z.union([z.strictObject({ step }), z.strictObject({ result }), z.strictObject({ problem })]),
  );

export const lines = <Step, Result, E extends Env>(
  context: ContextOf<{ step: Step; result: Result }, E>,
  work: (send: (step: NoInfer<Step>) => Promise<void>) => Promise<NoInfer<Result>>,
) => {
  context.header('content-type', 'application/x-ndjson');
  const streamed = stream(context, async (to) => {
    const write = async (line: Line<Step, Result>): Promise<void> => {
      await to.write(`${JSON.stringify(checked(context, line))}\n`);
    };
    try {
      await write({ result: await work((step) => write({ step })) });
    } catch (error) {
      await write({ problem: problemOf(error) });
    }
  });
  // The client reads each line as JSON of this type.
  return streamed as Response & TypedResponse<Line<Step, Result>, 200, 'json'>;
};

// Checks of answers against their schemas, for tests only.

/** Throws if the value, as JSON, does not match. `schema`: undefined if the route does not answer with JSON. */
export type AnswerCheck = (value: unknown, schema: z.ZodType | undefined) => void;

/** Checks one event or line of this request's answer, and returns it. */
export const checked = <T>({ var: { answerCheck, answerSchema } }: Pick<Context<Env>, 'var'>, value: T): T => {
  answerCheck?.(value, answerSchema);
  return value;
};

/** Checks each JSON answer, including refusals. */
export const checkAnswers =
  (check: AnswerCheck): MiddlewareHandler<Env> =>
  async (context, next) => {
    context.set('answerCheck', check);
    await next();
    const { res } = context;
    const isFile = res.headers.has('content-disposition');
    if (isFile || !/^application\/json/.test(res.headers.get('content-type') ?? '')) return;
    check(await res.clone().json(), res.ok ? context.get('answerSchema') : problemAnswer);
  };

export type InMode<T> = T & {
  /** Whether money moves at this till: only `live` does. */
  mode: DisplayMode;
};

/** Set on every answer, including refusals and files. */
export const MODE_HEADER = 'x-tillgate-mode';

export const inMode = <T extends object>(context: Context<Env>, answer: T): InMode<T> => ({
  ...answer,
  mode: context.get('mode'),
});

/** For a bare list, which has no other place for the mode. */
export const eachInMode = <T extends object>(context: Context<Env>, rows: readonly T[]): InMode<T>[] =>
  rows.map((row) => inMode(context, row));
