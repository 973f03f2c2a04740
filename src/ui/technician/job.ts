/** One thing that the technician has done, at a time: its steps so far, how it ended, or why it was refused. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type OverrideHeaders, withOverride } from '../parts/override.ts';
import { readLines } from './lines.ts';

type Job<Step, Result> = {
  steps: readonly Step[];
  result?: Result | undefined;
  error?: unknown;
  busy: boolean;
};

const idle = { steps: [], busy: false };

/** `anew`: lists that are read again afterwards. A second press while the first is under way does nothing. */
export const useJob = <Result, Step = never>(...anew: readonly string[]) => {
  const queries = useQueryClient();
  const under = useRef(false);
  const [job, setJob] = useState<Job<Step, Result>>(idle);

  const run = async (
    work: (headers: OverrideHeaders, hear: (step: Step) => void) => Promise<Result>,
  ): Promise<boolean> => {
    if (under.current) return false;
    under.current = true;
    setJob({ steps: [], busy: true });
    const hear = (step: Step): void => setJob((before) => ({ ...before, steps: [...before.steps, step] }));
    try {
      const result = await withOverride((headers) => work(headers, hear));
      setJob((before) => ({ ...before, result, busy: false }));
      return true;
    } catch (error) {
      setJob((before) => ({ ...before, error, busy: false }));
      return false;
    } finally {
      under.current = false;
      for (const name of anew) void queries.invalidateQueries({ queryKey: ['technician', name] });
    }
  };
  /** The same for an answer that comes line by line. */
  const follow = (ask: (headers: OverrideHeaders) => Promise<unknown>): Promise<boolean> =>
    run(async (headers, hear) => readLines<Step, Result>((await ask(headers)) as Response, hear));
  return { ...job, run, follow, clear: () => setJob(idle) };
};
