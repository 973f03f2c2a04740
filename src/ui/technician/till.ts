/** The technician's actions and queries at the till, with their steps and results. */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DeviceRow } from '../../api/contract/devices.ts';
import type { Problem } from '../../api/contract/problem.ts';
import { api, got, RequestRefused } from '../api.ts';
import { listen } from '../events.ts';
import { type OverrideHeaders, withOverride } from '../parts/override.ts';

// Long work of the till: its steps as they arrive, and its result or refusal.

type Line<Step, Result> = { step: Step } | { result: Result } | { problem: Problem };

const endedEarly: Problem = {
  code: 'till.away',
  says: 'The till stopped reporting its progress',
  money: 'Nothing was charged.',
  next: 'Try again.',
  remedy: 'retry',
};

/** `json` types each line. */
type LinesAnswer<Step, Result> = Pick<Response, 'ok' | 'status' | 'body'> & { json(): Promise<Line<Step, Result>> };

/** Reads an answer with one JSON object per line. Throws `Refused`. */
const readLines = async <Step, Result>(
  answer: LinesAnswer<Step, Result>,
  listener: (step: Step) => void,
): Promise<Result> => {
  if (!answer.ok || answer.body === null) {
    const refused = await answer.json().catch(() => undefined);
    throw new RequestRefused(
      refused !== undefined && 'problem' in refused ? refused.problem : endedEarly,
      answer.status,
    );
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let unfinished = '';
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done) throw new RequestRefused(endedEarly, 0);
    const [last = '', ...complete] = `${unfinished}${value ?? ''}`.split('\n').reverse();
    unfinished = last;
    for (const text of complete.reverse()) {
      const line: Line<Step, Result> = JSON.parse(text);
      if ('problem' in line) throw new RequestRefused(line.problem, answer.status);
      if ('result' in line) return line.result;
      listener(line.step);
    }
  }
};

type Job<Step, Result> = {
  steps: readonly Step[];
  result?: Result | undefined;
  error?: unknown;
  busy: boolean;
};

const idle = { steps: [], busy: false };

/** `queryNames`: queries to repeat afterwards. A second press while the first is running does nothing. */
export const useJob = <Result, Step = never>(...queryNames: readonly string[]) => {
  const queries = useQueryClient();
  const isRunning = useRef(false);
  const [job, setJob] = useState<Job<Step, Result>>(idle);

  const run = async (
    work: (headers: OverrideHeaders, listener: (step: Step) => void) => Promise<Result>,
  ): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setJob({ steps: [], busy: true });
    const addStep = (step: Step): void => setJob((previous) => ({ ...previous, steps: [...previous.steps, step] }));
    try {
      const result = await withOverride((headers) => work(headers, addStep));
      setJob((previous) => ({ ...previous, result, busy: false }));
      return true;
    } catch (error) {
      setJob((previous) => ({ ...previous, error, busy: false }));
      return false;
    } finally {
      isRunning.current = false;
      for (const name of queryNames) void queries.invalidateQueries({ queryKey: ['technician', name] });
    }
  };
  /** The same for an answer that arrives line by line. */
  const follow = (ask: (headers: OverrideHeaders) => Promise<LinesAnswer<Step, Result>>): Promise<boolean> =>
    run(async (headers, listener) => readLines<Step, Result>(await ask(headers), listener));
  return { ...job, run, follow, clear: () => setJob(idle) };
};

/** A query of the technician's panels, repeated when the till reports a change. */
export const useRead = <T>(key: readonly string[], read: () => Promise<T>): UseQueryResult<T> =>
  useQuery({ queryKey: ['technician', ...key], queryFn: read });

export const useDevices = (): UseQueryResult<DeviceRow[]> => useRead(['devices'], () => got(api.devices.$get()));

/** A simulated terminal could be used if somebody asked for it. */
export const useOffersSimulated = (): boolean =>
  useRead(['counters'], () => got(api.counters.$get())).data?.[0]?.offersSimulated === true;

/** Keeps the lists up to date. A query that fails does not affect the other panels. */
export const useChanges = (): void => {
  const queries = useQueryClient();
  useEffect(
    () =>
      listen((event) => {
        const name = event.on === 'counters' ? 'devices' : event.on === 'changed' ? event.what : undefined;
        if (name !== undefined) void queries.invalidateQueries({ queryKey: ['technician', name] });
      }),
    [queries],
  );
};
