/** Long work as a stream: a line of JSON for each step, `{step}`, and a last one, `{result}` or `{problem}`. */
import type { Context } from 'hono';
import { stream } from 'hono/streaming';
import { problemOf } from './problems.ts';

export const lines = <Step, Result>(
  context: Context,
  work: (tell: (step: Step) => void) => Promise<Result>,
): Response => {
  context.header('content-type', 'application/x-ndjson');
  return stream(context, async (to) => {
    const write = (value: unknown): void => void to.write(`${JSON.stringify(value)}\n`);
    try {
      const result = await work((step) => write({ step }));
      await to.write(`${JSON.stringify({ result })}\n`);
    } catch (error) {
      await to.write(`${JSON.stringify({ problem: problemOf(error) })}\n`);
    }
  });
};
