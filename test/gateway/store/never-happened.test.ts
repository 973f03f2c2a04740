/** Which results leave a follow-up out of what counts: only certain ones may. */
import { expect, test } from 'vitest';
import { neverHappened } from '../../../src/gateway/payments/store/payments.ts';
import { meaningOf, resultCodes } from '../../../src/gateway/spec/results.ts';

test.each(neverHappened)('every code that begins %s says that nothing happened', (prefix) => {
  const codes = resultCodes.map(({ code }) => code).filter((code) => code.startsWith(prefix));
  expect(codes.length).toBeGreaterThan(0);
  for (const code of codes) expect([code, ['declined', 'refused'].includes(meaningOf(code))]).toEqual([code, true]);
});
