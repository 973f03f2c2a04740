/** Long work as a stream: a line of JSON for each step, `{step}`, and a last one, `{result}` or `{problem}`. */
import type { Context } from 'hono';
import { stream } from 'hono/streaming';
import type { TypedResponse } from 'hono/types';
import type { Problem } from './ports/problem.ts';
import { problemOf } from './problems.ts';

/** For the API's document: what one line may hold. */
export type LinesOf<Line> = Response & TypedResponse<Line, 200, 'application/x-ndjson'>;
/** Named where it is used: the type of a step cannot be read from a call. */
export type TellStep<Step> = (step: Step) => void;
type Line<Step, Result> = { step: Step } | { result: Result } | { problem: Problem };

export const lines = <Step, Result>(
  context: Context,
  work: (tell: TellStep<Step>) => Promise<Result>,
): LinesOf<Line<Step, Result>> => {
  context.header('content-type', 'application/x-ndjson');
  const answer = stream(context, async (to) => {
    const write = (value: unknown): void => void to.write(`${JSON.stringify(value)}\n`);
    try {
      const result = await work((step) => write({ step }));
      await to.write(`${JSON.stringify({ result })}\n`);
    } catch (error) {
      await to.write(`${JSON.stringify({ problem: problemOf(error) })}\n`);
    }
  });
  return answer as LinesOf<Line<Step, Result>>;
};
