/** Whether an answer of the local API is what its OpenAPI document promises. */
import * as z from 'zod';
import answered from '../../../src/api/answers.json' with { type: 'json' };

type Json = Parameters<typeof z.fromJSONSchema>[0];

const { schemas, answers, events, lines } = JSON.parse(
  JSON.stringify(answered).replaceAll('#/components/schemas/', '#/$defs/'),
) as typeof answered;

/** `/api/sales/{receipt}` for each path that it stands for; those without a name in them come first. */
const routes = Object.entries({ ...answers, ...events, ...lines })
  .map(([key, schema]) => ({ key, schema, at: new RegExp(`^${key.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((left, right) => left.key.split('{').length - right.key.split('{').length);

const made = new Map<string, z.ZodType>();

/** The routes that promise one JSON answer; events and lines are promised one by one beside them. */
export const promised: readonly string[] = Object.keys(answers);

/**
 * The route's key and what is wrong with the answer, nothing where it is as promised. Undefined where nothing is: a
 * file, or no content. `path` begins with /api. Of a stream `body` is one event's or line's.
 */
export const againstPromise = (
  method: string,
  path: string,
  body: unknown,
): { key: string; wrong: string[] } | undefined => {
  const route = routes.find(({ at }) => at.test(`${method} ${path.split('?')[0]}`));
  if (route === undefined) return undefined;
  const schema = made.get(route.key) ?? z.fromJSONSchema({ ...route.schema, $defs: schemas } as unknown as Json);
  made.set(route.key, schema);
  const { error } = schema.safeParse(body);
  return { key: route.key, wrong: error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [] };
};
