/** Temporary refusals say when to try again; the others do not. */
import { expect, test } from 'vitest';
import { problemResponse } from '../../src/api/problems.ts';
import { Fault } from '../../src/base/fault.ts';
import type { FaultCode } from '../../src/base/faults.ts';

test.each<[FaultCode, number, string | null]>([
  ['till.stopping', 503, '10'],
  ['till.reopening', 503, '3'],
  ['terminal.turn', 409, '5'],
  ['receipt.notYet', 409, '5'],
  ['books.closeWaited', 409, null],
  ['books.closeCancelled', 409, null],
  ['terminal.busy', 409, null],
  ['till.cannotFollow', 422, null],
])('%s is %i, and Retry-After %s', async (code, status, seconds) => {
  const answer = problemResponse(new Fault(code));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, seconds]);
  const { problem } = (await answer.json()) as { problem: { code: string; remedy: string } };
  expect(problem).toMatchObject({ code, ...(seconds !== null && { remedy: 'retry' }) });
});
