/** Answers of a local API held against its contract: a key too many, a key too few or another type is wrong. */
import type * as z from 'zod';
import type { AnswerCheck } from '../../../src/api/answers.ts';
import { type ApiPorts, localApi } from '../../../src/api/app.ts';
import { keyOf, operationsOf } from '../../../src/api/openapi.ts';

const wrongIn = (value: unknown, schema: z.ZodType): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

/** For the API's own option: the till answers that it failed where an answer is wrong. */
export const answerCheck: AnswerCheck = (value, schema) => {
  const wrong = schema === undefined ? ['the route promises no JSON'] : wrongIn(value, schema);
  if (wrong.length > 0) throw new Error(`The answer does not fit its contract: ${wrong.join('; ')}`);
};

/** `/api/sales/{receipt}` for each path that it stands for; those without a name in them come first. */
const routes = operationsOf(localApi({} as ApiPorts, { hosts: () => [] }))
  .flatMap((operation) => {
    const key = keyOf(operation);
    const answer = operation.asked.find((part) => part.of === 'answer');
    return answer?.of === 'answer' ? [{ key, ...answer, at: new RegExp(`^${key.replace(/\{\w+\}/g, '[^/]+')}$`) }] : [];
  })
  .sort((left, right) => left.key.split('{').length - right.key.split('{').length);

/** The routes that promise one JSON answer; events and lines are promised one by one beside them. */
export const promised: readonly string[] = routes
  .filter(({ media }) => media === 'application/json')
  .map(({ key }) => key);

/**
 * What a till in another process answered: the route's key and what is wrong with it. Undefined where nothing is
 * promised: a file, or no content. `path` begins with /api. Of a stream `body` is one event's or line's.
 */
export const againstPromise = (
  method: string,
  path: string,
  body: unknown,
): { key: string; wrong: string[] } | undefined => {
  const route = routes.find(({ at }) => at.test(`${method} ${path.split('?')[0]}`));
  return route && { key: route.key, wrong: wrongIn(body, route.schema) };
};
