/** Checks answers of a local API against its contract: an extra key, a missing key or another type is wrong. */
import type * as z from 'zod';
import type { AnswerCheck } from '../../../src/api/answers.ts';
import { type ApiPorts, localApi } from '../../../src/api/app.ts';
import { keyOf, operationsOf } from '../../../src/api/openapi.ts';

const schemaFaults = (value: unknown, schema: z.ZodType): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

/** For the API's own option: the till reports a failure if an answer is wrong. */
export const answerCheck: AnswerCheck = (value, schema) => {
  const wrong = schema === undefined ? ['the route documents no JSON answer'] : schemaFaults(value, schema);
  if (wrong.length > 0) throw new Error(`The answer breaks its contract: ${wrong.join('; ')}`);
};

/** A pattern for each path with names in it, such as `/api/sales/{receipt}`; paths without names come first. */
const routes = operationsOf(localApi({} as ApiPorts, { hosts: () => [] }))
  .flatMap((operation) => {
    const key = keyOf(operation);
    const answer = operation.asked.find((part) => part.of === 'answer');
    return answer?.of === 'answer' ? [{ key, ...answer, at: new RegExp(`^${key.replace(/\{\w+\}/g, '[^/]+')}$`) }] : [];
  })
  .sort((first, second) => first.key.split('{').length - second.key.split('{').length);

/** The routes with a documented JSON answer; events and lines are checked separately, one by one. */
export const answerBodies: readonly string[] = routes
  .filter(({ media }) => media === 'application/json')
  .map(({ key }) => key);

/**
 * The route's key and what is wrong with the answer, which is empty if it is as documented. Undefined for answers
 * without a schema: a file, or no content. `path` begins with /api. For a stream, `body` is a single event or line.
 */
export const compareWithSchema = (
  method: string,
  path: string,
  body: unknown,
): { key: string; wrong: string[] } | undefined => {
  const route = routes.find(({ at }) => at.test(`${method} ${path.split('?')[0]}`));
  return route && { key: route.key, wrong: schemaFaults(body, route.schema) };
};
